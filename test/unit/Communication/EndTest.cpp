// What has ended when a call returns or throws, and that ends and starts do
// not wait for ever.

#include "FakeTransport.h"
#include "TransportThread.h"

#include <gtest/gtest.h>

#include <csignal>

#include <unistd.h>

using namespace gensyn;
using namespace gensyn::communication;

namespace {

/// Waits for a condition, but not for ever.
bool eventually(const std::function<bool()> &condition) {
  const auto start = Clock::now();
  while (!condition()) {
    if (Clock::now() - start > std::chrono::seconds(20))
      return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

Header headerOf(Kind kind, uint64_t size = 0, uint32_t tag = 0) {
  Header header;
  header.kind = kind;
  header.size = size;
  header.tag = tag;
  return header;
}

std::unique_ptr<Communicator> rankOf(FakeTransport &fake,
                                     const EngineOptions &options = {}) {
  return std::make_unique<Communicator>(
      std::make_unique<Engine>(fake.transport(), options));
}

/// Rank 1 fails.
void arriveFailure(FakeTransport &fake, const std::string &message) {
  FailureHead head;
  head.rank = 1;
  head.code = static_cast<int>(ExitCode::BadInput);
  const std::string text =
      std::string(reinterpret_cast<const char *>(&head), sizeof(head)) +
      message;
  fake.arrive(headerOf(Kind::Failed, text.size()), text);
}

/// Rank 1 calls finish().
void arriveFinish(FakeTransport &fake) {
  // The name of the call, and an empty text with its length.
  const std::string text("f\0\0\0\0\0\0\0\0", 9);
  fake.arrive(headerOf(Kind::Text, text.size()), text);
  fake.arrive(headerOf(Kind::Closing));
}

TEST(End, ASendIsDoneWhenItsPiecesAre) {
  FakeTransport fake;
  auto ranks = rankOf(fake);
  std::vector<std::byte> bytes(3 << 20);
  const Transfer transfer = ranks->send(1, 0, bytes);
  // The checksum is there, and the caller's bytes are still read.
  ASSERT_TRUE(eventually([&] { return !fake.sent(Kind::End).empty(); }));
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_FALSE(ranks->isDone(transfer));
  Header ready = headerOf(Kind::Ready);
  ready.sequence = fake.sent(Kind::Message).back().sequence;
  ready.channel = 1;
  fake.arrive(ready);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_FALSE(ranks->isDone(transfer));
  fake.endPieces();
  EXPECT_TRUE(eventually([&] { return ranks->isDone(transfer); }));
  fake.arrive(headerOf(Kind::Closing));
}

TEST(End, OnlyWhatWasSentIsReceived) {
  FakeTransport fake;
  auto ranks = rankOf(fake);
  Header ready = headerOf(Kind::Ready);
  ready.sequence = 41;
  ready.channel = 3;
  fake.arrive(ready);
  ASSERT_TRUE(eventually([&] { return ranks->failure().has_value(); }));
  EXPECT_STREQ(ranks->failure()->what(),
               "rank 0 (here): rank 1 (here) receives message 41 on channel 3");
  EXPECT_EQ(ranks->failure()->code, ExitCode::Bug);
  fake.arrive(headerOf(Kind::Closing));
}

TEST(End, ARankOfAnotherBuildIsNamed) {
  FakeTransport fake;
  auto ranks = rankOf(fake);
  Header header = headerOf(Kind::Heartbeat);
  header.magic = 0x534E4547;
  fake.arrive(header);
  ASSERT_TRUE(eventually([&] { return ranks->failure().has_value(); }));
  EXPECT_STREQ(ranks->failure()->what(),
               "rank 0 (here): rank 1 (here) is of another build: its headers "
               "have version 83, expected 2");
  EXPECT_EQ(ranks->failure()->code, ExitCode::Unsupported);
  fake.arrive(headerOf(Kind::Closing));
}

TEST(End, WaitThrowsWhenReceivesAreCanceled) {
  FakeTransport fake;
  fake.cancelTime = 0.2;
  EngineOptions options;
  options.grace = 0;
  auto ranks = rankOf(fake, options);
  std::vector<std::byte> bytes(3 << 20);
  const Transfer transfer = ranks->receive(1, 5, bytes);
  fake.arrive(headerOf(Kind::Message, bytes.size(), 5));
  // Its three pieces; the heartbeats are done at once.
  ASSERT_TRUE(eventually([&] { return fake.inFlight() == 3; }));
  arriveFailure(fake, "bad");
  try {
    ranks->wait(transfer);
    ADD_FAILURE() << "no failure";
  } catch (const PeerFailure &failure) {
    EXPECT_EQ(fake.inFlight(), 0);
    EXPECT_STREQ(failure.what(), "bad");
    EXPECT_EQ(failure.code, ExitCode::BadInput);
  }
  fake.arrive(headerOf(Kind::Closing));
}

// The process of rank 1 has a number of another machine, which is none here.
TEST(End, AProcessElsewhereIsNotLookedFor) {
  constexpr uint32_t noProcess = 0x7ffffffe;
  FakeTransport fake;
  auto ranks = rankOf(fake);
  ASSERT_TRUE(eventually([&] { return !fake.sent(Kind::Heartbeat).empty(); }));
  Header heartbeat = fake.sent(Kind::Heartbeat).front();
  EXPECT_EQ(heartbeat.tag, static_cast<uint32_t>(::getpid()));
  const uint64_t here = heartbeat.sequence;
  // Where /proc does not number the system, no process is looked for.
  if (!here)
    return;
  heartbeat.tag = noProcess;
  heartbeat.sequence = here + 1;
  fake.arrive(heartbeat, "here");
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  EXPECT_FALSE(ranks->failure());
  heartbeat.sequence = here;
  fake.arrive(heartbeat, "here");
  ASSERT_TRUE(eventually([&] { return ranks->failure().has_value(); }));
  EXPECT_STREQ(ranks->failure()->what(), "rank 1 (here) has ended");
  EXPECT_TRUE(ranks->failure()->lost);
}

/// Returns what onLoss is told while rank 1 does nothing but that it sends a
/// heartbeat with the name of its machine, if that is not null.
std::vector<std::string> lossesOf(const char *host) {
  FakeTransport fake;
  fake.namesOthers = false;
  std::vector<std::string> losses;
  EngineOptions options;
  options.timeout = 0.2;
  options.onLoss = [&](const PeerFailure &failure) {
    EXPECT_TRUE(failure.lost);
    EXPECT_EQ(failure.code, ExitCode::OutOfResources);
    // The others learn of it afterwards.
    EXPECT_TRUE(fake.sent(Kind::Failed).empty());
    losses.push_back(failure.what());
  };
  auto ranks = rankOf(fake, options);
  if (host)
    fake.arrive(headerOf(Kind::Heartbeat), host);
  try {
    ranks->wait(ranks->receive(1, 0, {}));
    ADD_FAILURE() << "a message of nobody";
  } catch (const PeerFailure &failure) {
    EXPECT_EQ(losses, std::vector<std::string>{failure.what()});
  }
  ranks.reset();
  EXPECT_TRUE(fake.aborted);
  return losses;
}

// Before names are gathered.
TEST(End, ALossHasTheHostOfTheHeartbeats) {
  EXPECT_EQ(lossesOf("node7").at(0),
            "rank 1 (node7) has not answered for 0.2 s");
}

TEST(End, ARankThatWasNeverHeardOfHasLonger) {
  const auto start = Clock::now();
  EXPECT_EQ(lossesOf(nullptr).at(0), "rank 1 did not start within 1 s");
  EXPECT_GE(Clock::now() - start, std::chrono::seconds(1));
}

TEST(End, AHostThatChangedOnTheWayIsFound) {
  FakeTransport fake;
  auto ranks = rankOf(fake);
  fake.arrive(headerOf(Kind::Heartbeat), "node7", /*changed=*/true);
  ASSERT_TRUE(eventually([&] { return ranks->failure().has_value(); }));
  EXPECT_STREQ(ranks->failure()->what(),
               "rank 0 (here): a heartbeat from rank 1 (here) arrived with "
               "other bytes than were sent");
  fake.arrive(headerOf(Kind::Closing));
}

// The transport is left in order although finish() throws.
TEST(End, AFailureDuringTheEndEndsTheTransport) {
  FakeTransport fake;
  auto ranks = rankOf(fake);
  std::thread other([&] {
    // Rank 1 fails when this one is in the last barrier's wait for its end.
    const std::string text("f\0\0\0\0\0\0\0\0", 9);
    fake.arrive(headerOf(Kind::Text, text.size()), text);
    EXPECT_TRUE(eventually([&] { return !fake.sent(Kind::Closing).empty(); }));
    arriveFailure(fake, "bad");
    fake.arrive(headerOf(Kind::Closing));
  });
  EXPECT_THROW(ranks->finish(), PeerFailure);
  other.join();
  EXPECT_FALSE(fake.finalized);
  ranks.reset();
  EXPECT_TRUE(fake.finalized);
  EXPECT_FALSE(fake.aborted);
}

TEST(End, NothingIsInFlightWhenTheTransportEnds) {
  FakeTransport fake;
  fake.sendTime = 0.05;
  auto ranks = rankOf(fake);
  arriveFinish(fake);
  ranks->finish();
  EXPECT_TRUE(fake.finalized);
  EXPECT_EQ(fake.leftAtFinalize, 0);
  EXPECT_EQ(fake.sent(Kind::Closing).size(), 1u);
}

TEST(End, AnEndThatOthersHoldUpHasALimit) {
  FakeTransport fake;
  fake.finalizeBlocks = true;
  EngineOptions options;
  options.timeout = 0.5;
  options.opener = std::make_shared<TransportThread>();
  auto ranks = rankOf(fake, options);
  arriveFinish(fake);
  try {
    ranks->finish();
    ADD_FAILURE() << "it ended";
  } catch (const Failure &failure) {
    EXPECT_STREQ(failure.what(), "the other ranks did not end within 0.5 s");
    EXPECT_EQ(failure.code, ExitCode::OutOfResources);
  }
  ranks.reset();
  EXPECT_FALSE(fake.finalized);
  fake.finalizeBlocks = false;
  EXPECT_TRUE(eventually([&] { return fake.finalized.load(); }));
}

TEST(TransportThread, OneThreadForAllCalls) {
  TransportThread thread;
  std::vector<std::thread::id> ids(2);
  sigset_t blocked;
  for (auto &id : ids)
    ASSERT_TRUE(thread.run(20, [&] {
      id = std::this_thread::get_id();
      pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
    }));
  EXPECT_EQ(ids[0], ids[1]);
  EXPECT_NE(ids[0], std::this_thread::get_id());
  EXPECT_TRUE(sigismember(&blocked, SIGINT));
}

/// For a function that goes on after run() has returned.
struct Held {
  std::atomic<bool> released{false}, ended{false};
  void hold() {
    eventually([&] { return released.load(); });
    ended = true;
  }
};

TEST(TransportThread, AFunctionThatDoesNotReturnIsLeftAlone) {
  const auto held = std::make_shared<Held>();
  auto thread = std::make_unique<TransportThread>();
  EXPECT_FALSE(thread->run(0.05, [held] { held->hold(); }));
  // It runs no other one meanwhile.
  EXPECT_FALSE(thread->run(20, [] { FAIL(); }));
  thread.reset();
  EXPECT_FALSE(held->ended);
  held->released = true;
  EXPECT_TRUE(eventually([&] { return held->ended.load(); }));
}

TEST(TransportThread, GoesOnAfterALateFunction) {
  const auto held = std::make_shared<Held>();
  TransportThread thread;
  EXPECT_FALSE(thread.run(0.05, [held] { held->hold(); }));
  held->released = true;
  const auto ran = std::make_shared<std::atomic<bool>>(false);
  EXPECT_TRUE(
      eventually([&] { return thread.run(20, [ran] { *ran = true; }); }));
  EXPECT_TRUE(*ran);
}

} // namespace
