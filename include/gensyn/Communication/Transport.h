/* The C ABI of a transport: what moves bytes between ranks below the
 * Communicator. A plug-in is a shared library that exports
 * gensynTransportVersion and gensynTransportOpen. */
#ifndef GENSYN_COMMUNICATION_TRANSPORT_H
#define GENSYN_COMMUNICATION_TRANSPORT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The version of this header. A plug-in of another one is refused. */
#define GENSYN_TRANSPORT_VERSION 1

/** Channels are numbered from 0 to this number at most. */
#define GENSYN_TRANSPORT_LAST_CHANNEL 32767

/** A transfer in flight. */
typedef void *GensynRequest;

/** The functions of a transport. Each is called by one thread at a time, but
 * not always by the same one; `finalize` by the thread that opened it. None
 * waits for another rank but `finalize`. Those that return int32_t return 0, or
 * another number after an error that `error` describes.
 *
 * Messages between two ranks on one channel arrive in the order in which they
 * were sent. A receive is for exactly as many bytes as were sent. */
typedef struct GensynTransport {
  /** Passed to every function. */
  void *state;
  /** The number of this rank, and of all. */
  int32_t (*rank)(void *state);
  int32_t (*size)(void *state);
  /** The name of the machine of a rank, or null where only that rank knows.
   * A rank knows its own. */
  const char *(*host)(void *state, int32_t rank);
  /** Begins to send at most 2^30 bytes, which stay as they are until the
   * request is done. */
  int32_t (*send)(void *state, int32_t to, int32_t channel, const void *bytes,
                  uint64_t size, GensynRequest *request);
  /** Begins to receive. */
  int32_t (*receive)(void *state, int32_t from, int32_t channel, void *bytes,
                     uint64_t size, GensynRequest *request);
  /** Stores 1 if the request is done, which ends it, otherwise 0. */
  int32_t (*test)(void *state, GensynRequest request, int32_t *done);
  /** Asks for the end of a receive that no message has matched yet; `test`
   * then finds it done. One that a message has matched goes on. */
  int32_t (*cancel)(void *state, GensynRequest request);
  /** Finds the next message of a channel that no receive has matched, and
   * stores its sender and its number of bytes; a sender of -1 if there is
   * none. */
  int32_t (*probe)(void *state, int32_t channel, int32_t *from, uint64_t *size);
  /** Ends all ranks with an exit code, as far as the launcher can. */
  void (*abort)(void *state, int32_t code);
  /** Ends the transport orderly and frees it; every rank calls it. */
  int32_t (*finalize)(void *state);
  /** Describes the last error, on one line. */
  const char *(*error)(void *state);
} GensynTransport;

/** What a plug-in exports as gensynTransportVersion. */
typedef uint32_t (*GensynTransportVersion)(void);

/** What a plug-in exports as gensynTransportOpen: connects to the other ranks
 * and fills in the functions. After an error it returns a number other than 0
 * and stores a line of text of at most `size` bytes with a zero. */
typedef int32_t (*GensynTransportOpen)(GensynTransport *transport, char *error,
                                       size_t size);

#ifdef __cplusplus
}
#endif

#endif
