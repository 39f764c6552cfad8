// Parties over gRPC: what an honest server does, and what is done about others.

#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Proof/Dispute/dispute.pb.h"
#include "gensyn/Proof/Wire/PartyServer.h"
#include "gensyn/Proof/Wire/RemoteParty.h"
#include "gensyn/Proof/Wire/party.grpc.pb.h"

#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <thread>

using namespace gensyn;
using namespace gensyn::proof;
using namespace std::chrono_literals;

namespace {

/// Answers by a function.
class FunctionParty final : public Party {
public:
  using Function = std::function<dispute::Answer(const dispute::Question &)>;
  explicit FunctionParty(Function function) : function(std::move(function)) {}
  dispute::Answer ask(const dispute::Question &question) override {
    return function(question);
  }

private:
  Function function;
};

/// A server that is not ours.
class OtherServer final : public dispute::v1::Party::Service {
public:
  OtherServer() {
    grpc::ServerBuilder builder;
    builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(),
                             &port);
    builder.SetMaxSendMessageSize(-1);
    builder.RegisterService(this);
    server = builder.BuildAndStart();
  }

  grpc::Status Hello(grpc::ServerContext *, const dispute::v1::HelloQuestion *,
                     dispute::v1::HelloAnswer *answer) override {
    answer->set_version(version);
    return grpc::Status::OK;
  }
  grpc::Status Ask(grpc::ServerContext *, const dispute::Question *,
                   dispute::v1::SerializedAnswer *answer) override {
    if (bytes == 0)
      return {grpc::StatusCode::INVALID_ARGUMENT, "go away\x1b[2J"};
    answer->set_answer(std::string(bytes, byte));
    return grpc::Status::OK;
  }

  Endpoint endpoint() const {
    Endpoint result;
    result.address = "127.0.0.1:" + std::to_string(port);
    result.mostBytes = 1 << 16;
    return result;
  }

  uint32_t version = 1;
  size_t bytes = 0;
  char byte = 0;

private:
  int port = 0;
  std::unique_ptr<grpc::Server> server;
};

} // namespace

static ServerOptions loopback() {
  ServerOptions options;
  options.endpoint.address = "127.0.0.1:0";
  return options;
}

static Endpoint endpointOf(const PartyServer &server) {
  Endpoint endpoint;
  endpoint.address = server.address();
  return endpoint;
}

static dispute::Question chunkOf(uint64_t chunk) {
  dispute::Question question;
  question.mutable_chunk()->set_chunk(chunk);
  return question;
}

static dispute::Answer answerOf(const std::string &data) {
  dispute::Answer answer;
  answer.mutable_chunk()->set_data(data);
  return answer;
}

template <class Function> static std::string errorOf(Function function) {
  try {
    function();
  } catch (const Failure &failure) {
    return std::to_string(int(failure.code)) + " " + failure.what();
  }
  return "no error";
}

TEST(Wire, AnswersWhatItIsAsked) {
  FunctionParty party([](const dispute::Question &question) {
    return answerOf(std::string(question.chunk().chunk(), 'x'));
  });
  const PartyServer server(party, loopback());
  RemoteParty remote(endpointOf(server), 60s);
  for (uint64_t size : {0, 1, 1000, 10'000'000})
    EXPECT_EQ(remote.ask(chunkOf(size)).chunk().data(), std::string(size, 'x'));
}

TEST(Wire, OneAtATime) {
  std::atomic<int> inside = 0, most = 0, all = 0;
  FunctionParty party([&](const dispute::Question &) {
    most = std::max<int>(most, ++inside);
    std::this_thread::sleep_for(5ms);
    --inside;
    ++all;
    return answerOf("");
  });
  const PartyServer server(party, loopback());
  std::vector<std::thread> threads;
  // More than the server holds at a time: the others come again.
  for (int i = 0; i < 20; ++i)
    threads.emplace_back([&] {
      RemoteParty remote(endpointOf(server), 60s);
      for (uint64_t k = 0; k < 3; ++k)
        remote.ask(chunkOf(k));
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(most, 1);
  EXPECT_EQ(all, 60);
}

TEST(Wire, KeepsReasonsToItself) {
  FunctionParty party([](const dispute::Question &question) -> dispute::Answer {
    if (question.chunk().chunk())
      throw std::runtime_error("/secret/bug");
    failBadInput("/secret/folder: is empty");
  });
  ServerOptions options = loopback();
  std::vector<std::string> warnings;
  options.warn = [&](const std::string &text) { warnings.push_back(text); };
  const PartyServer server(party, options);
  RemoteParty remote(endpointOf(server), 60s);
  EXPECT_EQ(remote.ask(chunkOf(0)).none().reason(),
            "it failed with exit code 3");
  EXPECT_EQ(remote.ask(chunkOf(1)).none().reason(),
            "it failed with exit code 70");
  EXPECT_EQ(warnings, (std::vector<std::string>{
                          "a question has no answer: /secret/folder: is empty",
                          "a question has no answer: /secret/bug"}));
}

TEST(Wire, Patience) {
  std::atomic<bool> goOn = false;
  std::atomic<int> begun = 0;
  FunctionParty party([&](const dispute::Question &) {
    ++begun;
    while (!goOn)
      std::this_thread::sleep_for(1ms);
    return answerOf("");
  });
  PartyServer server(party, loopback());
  RemoteParty remote(endpointOf(server), 1s);
  for (uint64_t i = 0; i < 2; ++i)
    EXPECT_EQ(errorOf([&] { remote.ask(chunkOf(i)); }),
              "6 it said nothing for 1 seconds");
  EXPECT_FALSE(server.stop(10ms));
  goOn = true;
  EXPECT_TRUE(server.stop(10s));
  // Nobody waited for the second one.
  EXPECT_EQ(begun, 1);
}

TEST(Wire, LimitOfAnswers) {
  FunctionParty party([](const dispute::Question &) {
    return answerOf(std::string(100'000, 'x'));
  });
  ServerOptions options = loopback();
  const PartyServer server(party, options);
  Endpoint endpoint = endpointOf(server);
  endpoint.mostBytes = 1000;
  RemoteParty remote(endpoint, 60s);
  EXPECT_EQ(errorOf([&] { remote.ask(chunkOf(0)); }),
            "6 its answer has more than 1000 bytes");
  options.endpoint.mostBytes = 1000;
  const PartyServer small(party, options);
  EXPECT_EQ(RemoteParty(endpointOf(small), 60s).ask(chunkOf(0)).none().reason(),
            "it failed with exit code 6");
}

/// An answer, also that it has none to that question, but not that the machine
/// was not able to.
TEST(Wire, SignsWhatItAnswers) {
  FunctionParty party([](const dispute::Question &question) {
    if (question.chunk().chunk() == 0)
      failBadInput("secret");
    return answerOf(std::string(question.chunk().chunk(), 'x'));
  });
  ServerOptions options = loopback();
  options.endpoint.mostBytes = 1000;
  std::string signedText;
  options.sign = [&](const dispute::Question &question,
                     dispute::Answer &answer) {
    signedText = answer.has_none() ? "none" : "some";
    answer.set_signature(
        std::string(64, char('0' + question.chunk().chunk() % 10)));
  };
  const PartyServer server(party, options);
  RemoteParty remote(endpointOf(server), 60s);
  auto ask = [&](uint64_t bytes) {
    const dispute::Answer answer = remote.ask(chunkOf(bytes));
    EXPECT_LE(answer.ByteSizeLong(), 1000u);
    if (answer.signature().empty())
      return std::string("nothing");
    EXPECT_EQ(answer.signature(), std::string(64, char('0' + bytes % 10)));
    return signedText;
  };
  EXPECT_EQ(ask(0), "none");
  EXPECT_EQ(ask(3), "some");
  // The field of 927 bytes has 6 more, and that of the signature 67.
  EXPECT_EQ(ask(927), "some");
  EXPECT_EQ(ask(928), "nothing");
}

TEST(Wire, LimitOfQuestions) {
  FunctionParty party([](const dispute::Question &) { return answerOf(""); });
  const PartyServer server(party, loopback());
  RemoteParty remote(endpointOf(server), 60s);
  dispute::Question question;
  for (uint64_t i = 0; i < 200'000; ++i)
    question.mutable_entries()->add_numbers(uint64_t(1) << 63);
  EXPECT_EQ(errorOf([&] { remote.ask(question); }),
            "6 its answer has more than 268435456 bytes");
}

TEST(Wire, OtherVersion) {
  OtherServer server;
  server.version = 2;
  EXPECT_EQ(errorOf([&] { RemoteParty(server.endpoint(), 60s); }),
            "4 " + server.endpoint().address +
                ": speaks version 2 of the protocol, expected 1");
}

TEST(Wire, HostileAnswers) {
  OtherServer server;
  RemoteParty remote(server.endpoint(), 60s);
  EXPECT_EQ(errorOf([&] { remote.ask(chunkOf(0)); }),
            "3 its answer is none: go away\\x1b[2J");
  server.bytes = 1'000'000;
  EXPECT_EQ(errorOf([&] { remote.ask(chunkOf(0)); }),
            "6 its answer has more than 65536 bytes");
  server.bytes = 60'000;
  EXPECT_EQ(errorOf([&] { remote.ask(chunkOf(0)); }), "3 its answer is none");
  // Fields of no bytes, one in two.
  server.byte = '\x08';
  EXPECT_EQ(errorOf([&] { remote.ask(chunkOf(0)); }),
            "3 its answer has too many fields for its size");
}

TEST(Wire, Nobody) {
  Endpoint endpoint;
  endpoint.address = "127.0.0.1:1";
  EXPECT_EQ(errorOf([&] {
              RemoteParty(endpoint, 5s);
            }).find("5 127.0.0.1:1: cannot be asked: "),
            0u);
}
