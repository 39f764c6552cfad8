// See PartyServer.h.

#include "gensyn/Proof/Wire/PartyServer.h"

#include "Grpc.h"
#include "gensyn/Executable/Support/Error.h"

#include <atomic>
#include <mutex>
#include <new>

namespace gensyn::proof {

/// The most bytes of a question: some numbers.
static constexpr int kMostQuestion = 1 << 20;
/// The bytes of a signature in an answer.
static constexpr uint64_t kSignatureRoom = 67;
/// For what was answered to leave this machine.
static constexpr std::chrono::milliseconds kLastBytes(200);
/// The most questions that wait, and threads that hold them.
static constexpr int kMostWaiting = 16;

struct PartyServer::State final : dispute::v1::Party::Service {
  State(proof::Party &party, const ServerOptions &options)
      : party(party), options(options) {}

  grpc::Status Hello(grpc::ServerContext *,
                     const dispute::v1::HelloQuestion *question,
                     dispute::v1::HelloAnswer *answer) override;
  grpc::Status Ask(grpc::ServerContext *context,
                   const dispute::Question *question,
                   dispute::v1::SerializedAnswer *answer) override;
  void answer(const dispute::Question &question, dispute::Answer &answer);

  proof::Party &party;
  const ServerOptions options;
  std::string address;
  /// Held while a question is answered.
  std::timed_mutex mutex;
  std::atomic<bool> isStopping = false;
  std::unique_ptr<grpc::Server> server;
};

grpc::Status PartyServer::State::Hello(grpc::ServerContext *,
                                       const dispute::v1::HelloQuestion *,
                                       dispute::v1::HelloAnswer *answer) {
  answer->set_version(kProtocol);
  return grpc::Status::OK;
}

/// Answers that there is no answer, where there is none.
void PartyServer::State::answer(const dispute::Question &question,
                                dispute::Answer &answer) {
  // That this machine was not able to answer is not signed: the next time it
  // may be.
  bool isSigned = bool(options.sign);
  auto fail = [&](ExitCode code, const std::string &reason) {
    isSigned &= code == ExitCode::BadInput;
    if (options.warn)
      options.warn("a question has no answer: " + reason);
    answer.mutable_none()->set_reason("it failed with exit code " +
                                      std::to_string(int(code)));
  };
  try {
    answer = party.ask(question);
  } catch (const Failure &failure) {
    fail(failure.code, failure.what());
  } catch (const std::bad_alloc &) {
    fail(ExitCode::OutOfResources, "out of memory");
  } catch (const std::exception &error) {
    fail(ExitCode::Bug, error.what());
  }
  const uint64_t bytes =
      answer.ByteSizeLong() + (options.sign ? kSignatureRoom : 0);
  if (bytes > options.endpoint.mostBytes)
    fail(ExitCode::OutOfResources,
         "the answer has " + std::to_string(bytes) + " bytes, at most " +
             std::to_string(options.endpoint.mostBytes) + " (--most-bytes)");
  if (isSigned)
    options.sign(question, answer);
}

grpc::Status PartyServer::State::Ask(grpc::ServerContext *context,
                                     const dispute::Question *question,
                                     dispute::v1::SerializedAnswer *answer) {
  const std::lock_guard lock(mutex);
  if (isStopping)
    return {grpc::StatusCode::UNAVAILABLE, "the server stops"};
  // Who asked may have lost patience while others were answered.
  if (context->IsCancelled())
    return {grpc::StatusCode::CANCELLED, "nobody waits for the answer"};
  dispute::Answer made;
  this->answer(*question, made);
  made.SerializeToString(answer->mutable_answer());
  return grpc::Status::OK;
}

static std::shared_ptr<grpc::ServerCredentials>
makeServerCredentials(const TlsKeys &keys) {
  if (keys.key.empty())
    return grpc::InsecureServerCredentials();
  grpc::SslServerCredentialsOptions options(
      GRPC_SSL_REQUEST_AND_REQUIRE_CLIENT_CERTIFICATE_AND_VERIFY);
  options.pem_root_certs = keys.authority;
  options.pem_key_cert_pairs = {{keys.key, keys.certificate}};
  return grpc::SslServerCredentials(options);
}

PartyServer::PartyServer(Party &party, const ServerOptions &options)
    : state(std::make_unique<State>(party, options)) {
  silence();
  const Endpoint &endpoint = options.endpoint;
  const TlsKeys keys = openEndpoint(endpoint);
  int port = 0;
  grpc::ServerBuilder builder;
  builder.AddListeningPort(endpoint.address, makeServerCredentials(keys),
                           &port);
  builder.RegisterService(state.get());
  builder.SetMaxReceiveMessageSize(kMostQuestion);
  builder.SetMaxSendMessageSize(limitOf(endpoint.mostBytes));
  builder.SetResourceQuota(
      grpc::ResourceQuota("gensyn").SetMaxThreads(kMostWaiting));
  // Two servers on a port would each get some of the questions.
  builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
  builder.AddChannelArgument(GRPC_ARG_MAX_CONCURRENT_STREAMS, kMostWaiting / 2);
  builder.AddChannelArgument(GRPC_COMPRESSION_CHANNEL_ENABLED_ALGORITHMS_BITSET,
                             kNoCompression);
  builder.AddChannelArgument(
      GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS,
      kKeepaliveMilliseconds / 2);
  state->server = builder.BuildAndStart();
  if (!state->server || port == 0)
    failInputOutput(
        endpoint.address + ": cannot be listened on" +
            (keys.key.empty() ? "" : " by this certificate and key"),
        "the port may be taken, or the address another machine's");
  state->address = endpoint.address.substr(0, endpoint.address.rfind(':') + 1) +
                   std::to_string(port);
}

PartyServer::~PartyServer() { state->isStopping = true; }

std::string PartyServer::address() const { return state->address; }

bool PartyServer::stop(std::chrono::milliseconds wait) {
  state->isStopping = true;
  std::unique_lock lock(state->mutex, wait);
  if (!lock)
    return false;
  lock.unlock();
  state->server->Shutdown(std::chrono::system_clock::now() + kLastBytes);
  return true;
}

} // namespace gensyn::proof
