// The transport over MPI, compiled once for each MPI that the build found. Only
// functions between two ranks and those of the start and the end: an operation
// of MPI on numbers would have its own order.

#include "gensyn/Communication/Transport.h"

// Its C functions alone: those of C++ have left the standard.
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <unistd.h>

namespace {
struct Ranks {
  int rank = 0, size = 1;
  char host[MPI_MAX_PROCESSOR_NAME + 1] = "";
  char error[MPI_MAX_ERROR_STRING + 64] = "";
};

Ranks &self(void *state) { return *static_cast<Ranks *>(state); }

/// Writes the description of an error of MPI on one line.
void describe(int status, const char *function, char *text, size_t size) {
  char reason[MPI_MAX_ERROR_STRING + 1] = "";
  int length = 0;
  MPI_Error_string(status, reason, &length);
  for (char *next = reason; *next; ++next)
    if (*next == '\n')
      *next = ' ';
  std::snprintf(text, size, "MPI: %s: %s", function, reason);
}

int32_t check(Ranks &ranks, int status, const char *function) {
  if (status == MPI_SUCCESS)
    return 0;
  describe(status, function, ranks.error, sizeof(ranks.error));
  return 1;
}

int32_t tooLong(Ranks &ranks, uint64_t size) {
  std::snprintf(ranks.error, sizeof(ranks.error),
                "MPI: a message of %llu bytes",
                static_cast<unsigned long long>(size));
  return 1;
}

MPI_Request *newRequest() {
  return static_cast<MPI_Request *>(std::malloc(sizeof(MPI_Request)));
}

int32_t send(void *state, int32_t to, int32_t channel, const void *bytes,
             uint64_t size, GensynRequest *request) {
  if (size > INT_MAX)
    return tooLong(self(state), size);
  MPI_Request *begun = newRequest();
  *request = begun;
  return check(self(state),
               MPI_Isend(bytes, static_cast<int>(size), MPI_BYTE, to, channel,
                         MPI_COMM_WORLD, begun),
               "MPI_Isend");
}

int32_t receive(void *state, int32_t from, int32_t channel, void *bytes,
                uint64_t size, GensynRequest *request) {
  if (size > INT_MAX)
    return tooLong(self(state), size);
  MPI_Request *begun = newRequest();
  *request = begun;
  return check(self(state),
               MPI_Irecv(bytes, static_cast<int>(size), MPI_BYTE, from, channel,
                         MPI_COMM_WORLD, begun),
               "MPI_Irecv");
}

int32_t test(void *state, GensynRequest request, int32_t *done) {
  int complete = 0;
  const int status = MPI_Test(static_cast<MPI_Request *>(request), &complete,
                              MPI_STATUS_IGNORE);
  *done = complete;
  if (complete || status != MPI_SUCCESS)
    std::free(request);
  return check(self(state), status, "MPI_Test");
}

int32_t cancel(void *state, GensynRequest request) {
  return check(self(state), MPI_Cancel(static_cast<MPI_Request *>(request)),
               "MPI_Cancel");
}

int32_t probe(void *state, int32_t channel, int32_t *from, uint64_t *size) {
  int found = 0, count = 0;
  MPI_Status status;
  *from = -1;
  if (const int32_t error = check(
          self(state),
          MPI_Iprobe(MPI_ANY_SOURCE, channel, MPI_COMM_WORLD, &found, &status),
          "MPI_Iprobe"))
    return error;
  if (!found)
    return 0;
  if (const int32_t error =
          check(self(state), MPI_Get_count(&status, MPI_BYTE, &count),
                "MPI_Get_count"))
    return error;
  *from = status.MPI_SOURCE;
  *size = static_cast<uint64_t>(count);
  return 0;
}

int32_t finalize(void *state) {
  const int32_t status = check(self(state), MPI_Finalize(), "MPI_Finalize");
  if (!status)
    std::free(state);
  return status;
}
} // namespace

extern "C" {
#define EXPORTED __attribute__((visibility("default")))

EXPORTED uint32_t gensynTransportVersion(void) {
  return GENSYN_TRANSPORT_VERSION;
}

EXPORTED int32_t gensynTransportOpen(GensynTransport *transport, char *error,
                                     size_t size) {
  int provided = 0;
  int status =
      MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided);
  if (status != MPI_SUCCESS) {
    std::snprintf(error, size, "MPI_Init_thread failed");
    return 1;
  }
  if (provided < MPI_THREAD_SERIALIZED) {
    std::snprintf(error, size, "this MPI does not support threads");
    MPI_Finalize();
    return 1;
  }
  // Otherwise an error ends the process without a word of ours.
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  Ranks *ranks = static_cast<Ranks *>(std::calloc(1, sizeof(Ranks)));
  int length = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &ranks->rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks->size);
  MPI_Get_processor_name(ranks->host, &length);
  std::memset(transport, 0, sizeof(*transport));
  transport->state = ranks;
  transport->rank = [](void *state) -> int32_t { return self(state).rank; };
  transport->size = [](void *state) -> int32_t { return self(state).size; };
  transport->host = [](void *state, int32_t rank) -> const char * {
    return rank == self(state).rank ? self(state).host : nullptr;
  };
  transport->send = send;
  transport->receive = receive;
  transport->test = test;
  transport->cancel = cancel;
  transport->probe = probe;
  transport->abort = [](void *, int32_t code) {
    // Launchers drop what they have not yet read of the ranks' output.
    usleep(300000);
    MPI_Abort(MPI_COMM_WORLD, code);
  };
  transport->finalize = finalize;
  transport->error = [](void *state) -> const char * {
    return self(state).error;
  };
  return 0;
}
}
