#include "Ranks.h"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

using namespace gensyn;
using namespace gensyn::communication;

namespace {

std::vector<std::byte> random(uint64_t seed, size_t size) {
  std::mt19937_64 generator(seed);
  std::vector<std::byte> bytes(size);
  for (std::byte &byte : bytes)
    byte = std::byte(generator());
  return bytes;
}

/// Along a chain, of which half asks before the bytes are there.
TEST(Communicator, PassesOnWhatArrives) {
  forRanks(6, [](Communicator &ranks) {
    const int rank = ranks.rank(), last = ranks.size() - 1;
    // Short, of one piece, of several.
    for (size_t size : {0, 100, 16 << 10, (16 << 10) + 1, 3 << 20}) {
      const std::vector<std::byte> sent = random(size, size);
      std::vector<std::byte> arrived(size);
      const uint64_t before = ranks.statistics().bytesSent;
      if (rank == 0) {
        ranks.wait(ranks.send(1, 7, sent));
      } else {
        const Transfer receiving = ranks.receive(rank - 1, 7, arrived);
        if (rank % 2)
          ranks.wait(receiving);
        if (rank < last)
          ranks.wait(ranks.sendAfter({&receiving, 1}, rank + 1, 7, arrived));
        ranks.wait(receiving);
        EXPECT_EQ(arrived, sent);
      }
      EXPECT_EQ(ranks.statistics().bytesSent - before, rank < last ? size : 0);
      ranks.barrier();
    }
  });
}

/// Of all others, whose parts arrive at different times.
TEST(Communicator, SendsAfterAllHaveArrived) {
  forRanks(5, [](Communicator &ranks) {
    const int rank = ranks.rank(), last = ranks.size() - 1;
    for (size_t part : {100, 20 << 10, 2 << 20}) {
      const std::vector<std::byte> whole = random(part, part * size_t(last));
      const std::span<const std::byte> sent(whole);
      std::vector<std::byte> arrived(whole.size());
      if (rank == 0) {
        std::vector<Transfer> receives;
        for (int from = 1; from <= last; ++from)
          receives.push_back(ranks.receive(
              from, 7,
              std::span(arrived).subspan(part * size_t(from - 1), part)));
        ranks.wait(receives[1]);
        ranks.wait(ranks.sendAfter(receives, last, 8, arrived));
        EXPECT_TRUE(ranks.isDone(receives[3]));
      } else {
        // The second one first.
        if (rank != 2)
          std::this_thread::sleep_for(std::chrono::milliseconds(5 * rank));
        ranks.wait(
            ranks.send(0, 7, sent.subspan(part * size_t(rank - 1), part)));
      }
      if (rank == last)
        ranks.wait(ranks.receive(0, 8, arrived));
      if (rank == 0 || rank == last)
        EXPECT_EQ(arrived, whole);
      ranks.barrier();
    }
  });
}

TEST(Communicator, NoTransferOutlivesIt) {
  std::vector<std::unique_ptr<Communicator>> ranks = makeThreadRanks(2);
  std::vector<std::byte> long1(1 << 20), long2(1 << 20);
  const Transfer receive = ranks[0]->receive(1, 1, long1);
  const Transfer after = ranks[0]->sendAfter({&receive, 1}, 1, 1, long1);
  const Transfer send = ranks[0]->send(1, 2, long2);
  for (const Transfer &one : {receive, after, send})
    EXPECT_FALSE(one.hasEnded());
  std::thread other([&] { ranks[1].reset(); });
  ranks[0].reset();
  other.join();
  for (const Transfer &one : {receive, after, send})
    EXPECT_TRUE(one.hasEnded());
  EXPECT_TRUE(Transfer().hasEnded());
}

class Counts : public testing::TestWithParam<int> {};

TEST_P(Counts, GatherHasEveryTextByRank) {
  forRanks(GetParam(), [](Communicator &ranks) {
    // Of different lengths, one empty, one that is sent in pieces.
    const auto text = [](int rank) {
      return std::string(rank == 2 ? 3000000 : rank * 7, char('a' + rank));
    };
    const std::vector<std::string> all = ranks.gather(text(ranks.rank()));
    ASSERT_EQ(all.size(), size_t(ranks.size()));
    for (int rank = 0; rank < ranks.size(); ++rank)
      EXPECT_EQ(all[rank], text(rank));
  });
}

TEST_P(Counts, BroadcastFromEveryRank) {
  forRanks(GetParam(), [](Communicator &ranks) {
    for (int root = 0; root < ranks.size(); ++root)
      EXPECT_EQ(
          ranks.broadcast("text of " + std::to_string(ranks.rank()), root),
          "text of " + std::to_string(root));
  });
}

TEST_P(Counts, NobodyPassesABarrierEarly) {
  std::atomic<int> entered{0};
  forRanks(GetParam(), [&](Communicator &ranks) {
    for (int round = 1; round <= 20; ++round) {
      ++entered;
      ranks.barrier();
      EXPECT_GE(entered, round * ranks.size());
    }
  });
}

TEST_P(Counts, EveryRankToEveryRank) {
  forRanks(GetParam(), [](Communicator &ranks) {
    // Around the bounds of short messages and of pieces.
    const std::vector<size_t> sizes = {0,
                                       1,
                                       1000,
                                       16 << 10,
                                       (16 << 10) + 1,
                                       (1 << 20) - 1,
                                       ranks.size() > 5 ? size_t(1200000)
                                                        : size_t(3 << 20)};
    std::vector<std::vector<std::byte>> sent, arrived;
    std::vector<Transfer> transfers;
    const auto seed = [&](int from, int to, size_t index) {
      return uint64_t(from * 1000 + to) * 100 + index;
    };
    arrived.resize(sizes.size() * ranks.size());
    for (int peer = 0; peer < ranks.size(); ++peer)
      for (size_t index = 0; index < sizes.size(); ++index) {
        auto &buffer = arrived[peer * sizes.size() + index];
        buffer.resize(sizes[index]);
        sent.push_back(random(seed(ranks.rank(), peer, index), sizes[index]));
        transfers.push_back(ranks.receive(peer, uint32_t(index), buffer));
        transfers.push_back(ranks.send(peer, uint32_t(index), sent.back()));
      }
    for (const Transfer &transfer : transfers) {
      ranks.wait(transfer);
      EXPECT_TRUE(ranks.isDone(transfer));
    }
    for (int peer = 0; peer < ranks.size(); ++peer)
      for (size_t index = 0; index < sizes.size(); ++index)
        EXPECT_EQ(arrived[peer * sizes.size() + index],
                  random(seed(peer, ranks.rank(), index), sizes[index]));
    const uint64_t all =
        std::accumulate(sizes.begin(), sizes.end(), uint64_t(0)) * ranks.size();
    EXPECT_EQ(ranks.statistics().bytesSent, all);
    EXPECT_EQ(ranks.statistics().bytesReceived, all);
    EXPECT_EQ(ranks.statistics().messagesSent, sizes.size() * ranks.size());
  });
}

INSTANTIATE_TEST_SUITE_P(Communicator, Counts,
                         testing::Values(1, 2, 3, 5, 8, 16));

TEST(Communicator, MessagesOfATagKeepTheirOrder) {
  forRanks(2, [](Communicator &ranks) {
    if (ranks.rank() == 0) {
      for (uint64_t number = 0; number < 200; ++number)
        ranks.wait(
            ranks.send(1, number % 3, std::as_bytes(std::span(&number, 1))));
      return;
    }
    // Tags in another order than they were sent.
    for (uint32_t tag : {2u, 0u, 1u})
      for (uint64_t number = tag; number < 200; number += 3) {
        uint64_t arrived = 0;
        ranks.wait(ranks.receive(
            0, tag, std::as_writable_bytes(std::span(&arrived, 1))));
        EXPECT_EQ(arrived, number);
      }
  });
}

TEST(Communicator, ReceivesOfATagKeepTheirOrder) {
  forRanks(2, [](Communicator &ranks) {
    std::vector<uint64_t> numbers(100);
    std::vector<Transfer> transfers;
    if (ranks.rank() == 1)
      for (uint64_t &number : numbers)
        transfers.push_back(
            ranks.receive(0, 7, std::as_writable_bytes(std::span(&number, 1))));
    // All receives have begun.
    ranks.barrier();
    if (ranks.rank() == 0)
      for (uint64_t number = 0; number < numbers.size(); ++number)
        ranks.wait(ranks.send(1, 7, std::as_bytes(std::span(&number, 1))));
    for (const Transfer &transfer : transfers)
      ranks.wait(transfer);
    if (ranks.rank() == 1)
      for (uint64_t number = 0; number < numbers.size(); ++number)
        EXPECT_EQ(numbers[number], number);
  });
}

TEST(Communicator, ManyMessagesInRandomOrder) {
  constexpr int count = 1500;
  forRanks(3, [](Communicator &ranks) {
    const auto seed = [](int from, int to, int tag) {
      return uint64_t(from * 3 + to) * count + tag;
    };
    const auto length = [&](uint64_t seed) {
      return seed % 50 ? seed % 300 : 20000 + seed % 5000;
    };
    std::mt19937 generator(ranks.rank());
    std::vector<int> order(count);
    std::iota(order.begin(), order.end(), 0);
    for (int peer = 0; peer < 3; ++peer) {
      std::vector<std::vector<std::byte>> sent(count), arrived(count);
      std::vector<Transfer> transfers;
      const int to = (ranks.rank() + peer) % 3,
                from = (ranks.rank() + 3 - peer) % 3;
      std::shuffle(order.begin(), order.end(), generator);
      for (int tag : order) {
        const uint64_t number = seed(ranks.rank(), to, tag);
        sent[tag] = random(number, length(number));
        transfers.push_back(ranks.send(to, tag, sent[tag]));
      }
      std::shuffle(order.begin(), order.end(), generator);
      for (int tag : order) {
        arrived[tag].resize(length(seed(from, ranks.rank(), tag)));
        transfers.push_back(ranks.receive(from, tag, arrived[tag]));
      }
      std::shuffle(transfers.begin(), transfers.end(), generator);
      for (const Transfer &transfer : transfers)
        ranks.wait(transfer);
      for (int tag = 0; tag < count; ++tag) {
        const uint64_t number = seed(from, ranks.rank(), tag);
        ASSERT_EQ(arrived[tag], random(number, length(number)));
      }
    }
  });
}

// Far more long messages than may move at once, and the receives of those that
// were sent last begin first, each when the one before it has ended.
TEST(Communicator, LongMessagesAreReceivedLateAndInReverse) {
  constexpr uint32_t count = 3 * mostMoving;
  forRanks(4, [](Communicator &ranks) {
    const auto sizeOf = [](uint32_t tag) { return 17000 + 50 * tag; };
    const auto seed = [](int from, int to, uint32_t tag) {
      return uint64_t(from * 4 + to) * count + tag;
    };
    std::vector<std::vector<std::byte>> sent;
    std::vector<Transfer> transfers;
    for (uint32_t tag = 0; tag < count; ++tag)
      for (int to = 0; to < ranks.size(); ++to) {
        sent.push_back(random(seed(ranks.rank(), to, tag), sizeOf(tag)));
        transfers.push_back(ranks.send(to, tag, sent.back()));
      }
    ranks.barrier();
    for (uint32_t tag = count; tag-- > 0;)
      for (int from = 0; from < ranks.size(); ++from) {
        std::vector<std::byte> arrived(sizeOf(tag));
        ranks.wait(ranks.receive(from, tag, arrived));
        ASSERT_EQ(arrived, random(seed(from, ranks.rank(), tag), sizeOf(tag)));
      }
    for (const Transfer &transfer : transfers)
      ranks.wait(transfer);
  });
}

// Those of one rank to another have few channels.
TEST(Communicator, MoreLongMessagesThanChannels) {
  constexpr uint32_t count = GENSYN_TRANSPORT_LAST_CHANNEL + 100;
  forRanks(2, [](Communicator &ranks) {
    std::vector<std::byte> bytes(mostShort + 8);
    if (ranks.rank() == 0) {
      std::vector<Transfer> transfers;
      for (uint32_t tag = 0; tag < count; ++tag)
        transfers.push_back(ranks.send(1, tag, bytes));
      for (const Transfer &transfer : transfers)
        ranks.wait(transfer);
      return;
    }
    for (uint32_t tag = count; tag-- > 0;)
      ranks.wait(ranks.receive(0, tag, bytes));
  });
}

TEST(Communicator, SeveralThreadsOfARank) {
  forRanks(2, [](Communicator &ranks) {
    std::vector<std::thread> threads;
    for (uint32_t thread = 0; thread < 4; ++thread)
      threads.emplace_back([&, thread] {
        const int other = 1 - ranks.rank();
        for (uint32_t round = 0; round < 20; ++round) {
          const size_t size = round % 2 ? 100000 : 100;
          const auto sent = random(ranks.rank() * 1000 + thread, size);
          std::vector<std::byte> arrived(size);
          const Transfer receiving = ranks.receive(other, thread, arrived);
          ranks.wait(ranks.send(other, thread, sent));
          ranks.wait(receiving);
          EXPECT_EQ(arrived, random(other * 1000 + thread, size));
        }
      });
    for (std::thread &thread : threads)
      thread.join();
  });
}

// The bytes of a long message move although nobody waits for them.
TEST(Communicator, TransfersAdvanceWhileTheCallerComputes) {
  forRanks(2, [](Communicator &ranks) {
    std::vector<std::byte> bytes(8 << 20);
    const Transfer transfer =
        ranks.rank() ? ranks.receive(0, 0, bytes) : ranks.send(1, 0, bytes);
    while (!ranks.isDone(transfer))
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    EXPECT_TRUE(ranks.isDone(Transfer()));
  });
}

// Texts are not in the figures of messages, and waiting counts once.
TEST(Communicator, FiguresOfARank) {
  forRanks(2, [](Communicator &ranks) {
    ranks.gather(std::string(100000, 'a'));
    const double before = ranks.statistics().secondsWaiting;
    if (ranks.rank() == 1)
      std::this_thread::sleep_for(std::chrono::milliseconds(300));
    const auto start = Clock::now();
    ranks.barrier();
    const double seconds =
        std::chrono::duration<double>(Clock::now() - start).count();
    const Statistics figures = ranks.statistics();
    EXPECT_LE(figures.secondsWaiting - before, seconds);
    if (ranks.rank() == 0) {
      EXPECT_GE(figures.secondsWaiting - before, 0.8 * seconds);
    }
    EXPECT_EQ(figures.messagesSent, 0u);
    EXPECT_EQ(figures.bytesSent, 0u);
    EXPECT_EQ(figures.bytesReceived, 0u);
  });
}

TEST(Communicator, NobodyEndsEarly) {
  std::atomic<int> entered{0};
  auto ranks = makeThreadRanks(3);
  std::vector<std::thread> threads;
  for (int rank = 0; rank < 3; ++rank)
    threads.emplace_back([&, rank] {
      std::this_thread::sleep_for(std::chrono::milliseconds(100 * rank));
      ++entered;
      ranks[rank]->finish();
      EXPECT_EQ(entered, 3);
    });
  for (std::thread &thread : threads)
    thread.join();
}

TEST(Communicator, NamesRanks) {
  forRanks(2, [](Communicator &ranks) {
    EXPECT_EQ(ranks.host(1), "here");
    EXPECT_EQ(ranks.describe(1), "rank 1 (here)");
  });
}

} // namespace
