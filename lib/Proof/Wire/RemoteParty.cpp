// See RemoteParty.h.

#include "gensyn/Proof/Wire/RemoteParty.h"

#include "../Dispute/AnswerFields.h"
#include "Grpc.h"
#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/Support/Printable.h"

#include <thread>

namespace gensyn::proof {

using Clock = std::chrono::system_clock;

/// The most seconds until somebody says who is there.
static constexpr std::chrono::seconds kMostHello(30);
/// Between two attempts to repeat a question.
static constexpr std::chrono::milliseconds kPause(200);

struct RemoteParty::State {
  Endpoint endpoint;
  std::chrono::seconds patience;
  std::unique_ptr<dispute::v1::Party::Stub> stub;
};

static std::shared_ptr<grpc::ChannelCredentials>
makeChannelCredentials(const TlsKeys &keys) {
  if (keys.key.empty())
    return grpc::InsecureChannelCredentials();
  grpc::SslCredentialsOptions options;
  options.pem_root_certs = keys.authority;
  options.pem_private_key = keys.key;
  options.pem_cert_chain = keys.certificate;
  return grpc::SslCredentials(options);
}

static std::shared_ptr<grpc::Channel> openChannel(const Endpoint &endpoint,
                                                  const TlsKeys &keys) {
  grpc::ChannelArguments arguments;
  arguments.SetMaxReceiveMessageSize(limitOf(endpoint.mostBytes));
  arguments.SetInt(GRPC_COMPRESSION_CHANNEL_ENABLED_ALGORITHMS_BITSET,
                   kNoCompression);
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIME_MS, kKeepaliveMilliseconds);
  arguments.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, 5'000);
  // The address is the one that was given, whatever the environment or the
  // name server says.
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  arguments.SetInt(GRPC_ARG_SERVICE_CONFIG_DISABLE_RESOLUTION, 1);
  arguments.SetInt(GRPC_ARG_ENABLE_RETRIES, 0);
  return grpc::CreateCustomChannel("dns:///" + endpoint.address,
                                   makeChannelCredentials(keys), arguments);
}

/// gRPC's message, for one line.
static std::string reasonOf(const grpc::Status &status) {
  return printable(status.error_message(), 300);
}

RemoteParty::RemoteParty(const Endpoint &endpoint,
                         std::chrono::seconds patience)
    : state(new State{endpoint, patience, nullptr}) {
  silence();
  state->stub = dispute::v1::Party::NewStub(
      openChannel(endpoint, openEndpoint(endpoint)));
  grpc::ClientContext context;
  context.set_deadline(Clock::now() + std::min(patience, kMostHello));
  dispute::v1::HelloQuestion question;
  question.set_version(kProtocol);
  dispute::v1::HelloAnswer answer;
  const grpc::Status status = state->stub->Hello(&context, question, &answer);
  if (status.error_code() == grpc::StatusCode::UNIMPLEMENTED)
    failUnsupported(endpoint.address + ": does not speak version " +
                    std::to_string(kProtocol) + " of the protocol");
  if (status.error_code() == grpc::StatusCode::DEADLINE_EXCEEDED)
    failInputOutput(endpoint.address + ": cannot be asked: it said nothing");
  if (!status.ok())
    failInputOutput(endpoint.address +
                    ": cannot be asked: " + reasonOf(status));
  if (answer.version() != kProtocol)
    failUnsupported(endpoint.address + ": speaks version " +
                    std::to_string(answer.version()) +
                    " of the protocol, expected " + std::to_string(kProtocol));
}

RemoteParty::~RemoteParty() = default;

static dispute::Answer readAnswer(const std::string &bytes) {
  if (!hasFewFields(bytes))
    failBadInput("its answer has too many fields for its size");
  dispute::Answer answer;
  if (!answer.ParseFromString(bytes))
    failBadInput("its answer is none");
  return answer;
}

dispute::Answer RemoteParty::ask(const dispute::Question &question) {
  const Clock::time_point deadline = Clock::now() + state->patience;
  while (true) {
    grpc::ClientContext context;
    context.set_deadline(deadline);
    context.set_wait_for_ready(true);
    dispute::v1::SerializedAnswer bytes;
    const grpc::Status status = state->stub->Ask(&context, question, &bytes);
    switch (status.error_code()) {
    case grpc::StatusCode::OK:
      return readAnswer(bytes.answer());
    case grpc::StatusCode::UNAVAILABLE:
      break;
    case grpc::StatusCode::DEADLINE_EXCEEDED:
      throw Failure(ExitCode::OutOfResources,
                    "it said nothing for " +
                        std::to_string(state->patience.count()) + " seconds");
    case grpc::StatusCode::RESOURCE_EXHAUSTED:
      // Otherwise the server has no thread for one more question.
      if (status.error_message().find("larger than max") == std::string::npos)
        break;
      throw Failure(ExitCode::OutOfResources,
                    "its answer has more than " +
                        std::to_string(state->endpoint.mostBytes) + " bytes");
    default:
      failBadInput("its answer is none: " + reasonOf(status));
    }
    // The connection was lost, or others are asking. The same question has the
    // same answer.
    std::this_thread::sleep_for(kPause);
  }
}

} // namespace gensyn::proof
