// Ranks without threads: bytes move within calls.

#include "Ranks.h"

#include <gtest/gtest.h>

#include <chrono>

using namespace gensyn;
using namespace gensyn::communication;

namespace {

ThreadRankOptions inCalls() {
  ThreadRankOptions options;
  options.engine.inCalls = ProgressInCalls{std::this_thread::yield};
  return options;
}

std::vector<std::byte> pattern(size_t size, int seed) {
  std::vector<std::byte> bytes(size);
  for (size_t i = 0; i < size; ++i)
    bytes[i] = std::byte(i * 31 + i / 251 + size_t(seed));
  return bytes;
}

class InCalls : public testing::TestWithParam<int> {};

TEST_P(InCalls, EveryRankToEveryRank) {
  const auto endings = runRanks(GetParam(), inCalls(), [](Communicator &ranks) {
    // Short, the longest short one, in pieces.
    const std::vector<size_t> sizes = {0, 100, 16 << 10, 1200000};
    std::vector<std::vector<std::byte>> sent, arrived;
    std::vector<Transfer> transfers;
    const int count = ranks.size();
    arrived.resize(sizes.size() * size_t(count));
    for (int peer = 0; peer < count; ++peer)
      for (size_t i = 0; i < sizes.size(); ++i) {
        auto &buffer = arrived[size_t(peer) * sizes.size() + i];
        buffer.resize(sizes[i]);
        sent.push_back(pattern(sizes[i], ranks.rank() * count + peer));
        transfers.push_back(ranks.receive(peer, uint32_t(i), buffer));
        transfers.push_back(ranks.send(peer, uint32_t(i), sent.back()));
      }
    for (const Transfer &transfer : transfers)
      ranks.wait(transfer);
    for (int peer = 0; peer < count; ++peer)
      for (size_t i = 0; i < sizes.size(); ++i)
        EXPECT_EQ(arrived[size_t(peer) * sizes.size() + i],
                  pattern(sizes[i], peer * count + ranks.rank()));
    EXPECT_EQ(ranks.gather(std::to_string(ranks.rank())).back(),
              std::to_string(count - 1));
  });
  for (const Ending &ending : endings)
    EXPECT_EQ(ending.message, "");
}

INSTANTIATE_TEST_SUITE_P(ProgressInCalls, InCalls,
                         testing::Values(1, 2, 3, 5, 8));

TEST(ProgressInCalls, OneThreadServesAllRanks) {
  auto ranks = makeThreadRanks(2, inCalls());
  const std::vector<std::byte> sent = pattern(3000000, 1);
  std::vector<std::byte> arrived(sent.size());
  const Transfer sending = ranks[0]->send(1, 7, sent);
  const Transfer receiving = ranks[1]->receive(0, 7, arrived);
  // A thread would have moved them by now.
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_EQ(ranks[1]->statistics().bytesReceived, 0u);
  for (int pass = 0; pass < 1000; ++pass) {
    const bool isSent = ranks[0]->isDone(sending);
    if (ranks[1]->isDone(receiving) && isSent)
      break;
  }
  EXPECT_EQ(ranks[1]->statistics().bytesReceived, sent.size());
  EXPECT_EQ(arrived, sent);
}

TEST(ProgressInCalls, QuestionsAtOneTimeMoveNothingAgain) {
  ThreadRankOptions options = inCalls();
  Clock::time_point time = Clock::now();
  options.engine.inCalls->pause = [&] { time += std::chrono::seconds(1); };
  options.engine.inCalls->now = [&] { return time; };
  auto ranks = makeThreadRanks(2, options);
  const std::vector<std::byte> sent = pattern(3000000, 2);
  std::vector<std::byte> arrived(sent.size());
  const Transfer sending = ranks[0]->send(1, 7, sent);
  const Transfer receiving = ranks[1]->receive(0, 7, arrived);
  const auto ask = [&] {
    const bool isSent = ranks[0]->isDone(sending);
    return ranks[1]->isDone(receiving) && isSent;
  };
  for (int question = 0; question < 100; ++question)
    EXPECT_FALSE(ask());
  bool done = false;
  for (int pass = 0; pass < 1000 && !done; ++pass) {
    time += std::chrono::microseconds(1);
    done = ask();
  }
  EXPECT_TRUE(done);
  EXPECT_EQ(arrived, sent);
}

// The second message travels on the first one's channel, and its header is
// there before the first one's last piece is received.
TEST(ProgressInCalls, MessagesOfAChannelFollowEachOther) {
  auto ranks = makeThreadRanks(2, inCalls());
  const auto first = pattern(5 * pieceSize + 20000, 3),
             second = pattern(20000, 4);
  std::vector<std::byte> arrived(first.size()), arrivedNext(second.size());
  const Transfer receiving = ranks[1]->receive(0, 0, arrived);
  const Transfer receivingNext = ranks[1]->receive(0, 1, arrivedNext);
  // Takes the other channels of sends that begin early.
  const auto other = pattern(20000, 5);
  std::vector<Transfer> others;
  const Transfer sending = ranks[0]->send(1, 0, first);
  for (int channel = 2; channel < firstChosen; ++channel)
    others.push_back(ranks[0]->send(1, 2, other));
  EXPECT_FALSE(ranks[1]->isDone(receiving));
  for (int pass = 0; pass < 20 && !ranks[0]->isDone(sending); ++pass)
    ;
  const Transfer sendingNext = ranks[0]->send(1, 1, second);
  for (int pass = 0; pass < 20; ++pass) {
    (void)ranks[1]->isDone(receivingNext);
    (void)ranks[0]->isDone(sendingNext);
  }
  EXPECT_FALSE(ranks[1]->failure());
  EXPECT_TRUE(ranks[1]->isDone(receiving) && ranks[1]->isDone(receivingNext));
  EXPECT_EQ(arrived, first);
  EXPECT_EQ(arrivedNext, second);
}

TEST(ProgressInCalls, AFailureReachesTheOthers) {
  const auto endings = runRanks(3, inCalls(), [](Communicator &ranks) {
    if (ranks.rank() == 1)
      throw Failure(ExitCode::BadInput, "no array 'x'");
    std::byte byte;
    ranks.wait(ranks.receive(1, 1, std::span(&byte, 1)));
  });
  EXPECT_EQ(endings[1].message, "no array 'x'");
  for (int rank : {0, 2}) {
    EXPECT_EQ(endings[size_t(rank)].message, "rank 1 (here): no array 'x'");
    EXPECT_TRUE(endings[size_t(rank)].ofPeer);
  }
}

TEST(ProgressInCalls, TimeIsThatOfTheCaller) {
  ThreadRankOptions options = inCalls();
  Clock::time_point time = Clock::now();
  int pauses = 0;
  options.engine.inCalls->pause = [&] {
    time += std::chrono::seconds(1);
    if (++pauses == 1000)
      throw Failure(ExitCode::Bug, "time stands still");
  };
  options.engine.inCalls->now = [&] { return time; };
  // Rank 1 makes no calls, so it sends no heartbeats.
  auto ranks = makeThreadRanks(2, options);
  std::byte byte;
  try {
    ranks[0]->wait(ranks[0]->receive(1, 1, std::span(&byte, 1)));
    ADD_FAILURE() << "rank 1 was not missed";
  } catch (const Failure &failure) {
    EXPECT_STREQ(failure.what(), "rank 1 (here) did not start within 300 s");
  }
  EXPECT_GE(pauses, 300);
  EXPECT_LE(pauses, 310);
}

} // namespace
