// Every rank ends, with a message that names the rank that failed and why.

#include "Ranks.h"

#include <atomic>
#include <cstring>

using namespace gensyn;
using namespace gensyn::communication;

namespace {

using Action = ThreadRankOptions::Action;
using Bytes = std::span<const std::byte>;

double secondsOf(const std::function<void()> &function) {
  const auto start = Clock::now();
  function();
  return std::chrono::duration<double>(Clock::now() - start).count();
}

Kind kindOf(Bytes bytes) {
  Header header;
  std::memcpy(&header, bytes.data(), sizeof(header));
  return header.kind;
}

TEST(Failures, OthersThrowTheFailureOfARank) {
  const auto endings = runRanks(4, {}, [](Communicator &ranks) {
    if (ranks.rank() == 2)
      throw Failure(ExitCode::BadInput, "data.npz: no array 'x'", "a note");
    try {
      ranks.barrier();
      FAIL() << "a barrier without rank 2";
    } catch (const PeerFailure &failure) {
      EXPECT_EQ(failure.rank, 2);
      EXPECT_FALSE(failure.lost);
      EXPECT_EQ(failure.note, "a note");
      throw;
    }
  });
  for (int rank : {0, 1, 3}) {
    EXPECT_EQ(endings[rank].message, "rank 2 (here): data.npz: no array 'x'");
    EXPECT_EQ(endings[rank].code, 3);
    EXPECT_TRUE(endings[rank].ofPeer);
  }
  EXPECT_EQ(endings[2].message, "data.npz: no array 'x'");
  EXPECT_FALSE(endings[2].ofPeer);
}

// A rank that computes learns of it with its next call.
TEST(Failures, EndTransfersThatNobodyWaitsFor) {
  const auto endings = runRanks(2, {}, [](Communicator &ranks) {
    if (ranks.rank() == 1)
      throw Failure(ExitCode::InputOutput, "no space left on device");
    std::vector<std::byte> bytes(100);
    const Transfer transfer = ranks.receive(1, 0, bytes);
    while (!ranks.isDone(transfer))
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    EXPECT_THROW(ranks.wait(transfer), PeerFailure);
    EXPECT_THROW(ranks.receive(1, 1, bytes), PeerFailure);
    ranks.send(1, 1, bytes);
  });
  EXPECT_EQ(endings[0].message, "rank 1 (here): no space left on device");
  EXPECT_EQ(endings[0].code, 5);
}

TEST(Failures, TheLowestRankIsReported) {
  std::atomic<int> failures{0};
  const auto endings = runRanks(6, {}, [&](Communicator &ranks) {
    if (ranks.rank() % 2) {
      // At about the same time, but the lowest last.
      while (failures != (5 - ranks.rank()) / 2)
        std::this_thread::yield();
      const Failure failure(ExitCode::BadInput,
                            "problem " + std::to_string(ranks.rank()));
      ranks.reportFailure(failure);
      ++failures;
      while (failures != 3)
        std::this_thread::yield();
      throw failure;
    }
    ranks.barrier();
  });
  for (int rank : {0, 2, 4})
    EXPECT_EQ(endings[rank].message, "rank 1 (here): problem 1");
}

// What a rank asks after its own failure.
TEST(Failures, ALowerRankThatFailedTooIsKnown) {
  std::atomic<int> asked{0};
  runRanks(3, {}, [&](Communicator &ranks) {
    const Failure failure(ExitCode::BadInput,
                          "problem " + std::to_string(ranks.rank()));
    ranks.reportFailure(failure);
    const auto start = Clock::now();
    while (ranks.failure()->rank != 0 &&
           Clock::now() - start < std::chrono::seconds(20))
      std::this_thread::yield();
    EXPECT_STREQ(ranks.failure()->what(), "rank 0 (here): problem 0");
    ++asked;
    while (asked != 3)
      std::this_thread::yield();
    throw failure;
  });
}

TEST(Failures, AMessageWithOtherBytesIsNamed) {
  for (size_t size : {100u, 3000000u}) {
    ThreadRankOptions options;
    options.fault = [&](int from, int to, int channel, Bytes bytes) {
      const bool large = size > mostShort;
      // The 18th message: the second of three pieces, or a short one.
      static thread_local int pieces = 0;
      if (from != 1 || to != 2)
        return Action::Deliver;
      if (large)
        return channel && ++pieces == 17 * 3 + 2 ? Action::Corrupt
                                                 : Action::Deliver;
      Header header;
      std::memcpy(&header, bytes.data(), sizeof(header));
      return header.kind == Kind::Message && header.sequence == 17
                 ? Action::Corrupt
                 : Action::Deliver;
    };
    const auto endings = runRanks(3, options, [&](Communicator &ranks) {
      std::vector<std::byte> bytes(size, std::byte(7));
      for (uint32_t message = 0; message < 20; ++message) {
        if (ranks.rank() == 1)
          ranks.wait(ranks.send(2, message, bytes));
        if (ranks.rank() == 2)
          ranks.wait(ranks.receive(1, message, bytes));
      }
      ranks.barrier();
    });
    const std::string message =
        "message 17 from rank 1 (here) arrived with other bytes than were sent";
    EXPECT_EQ(endings[2].message, message);
    EXPECT_EQ(endings[2].code, 6);
    EXPECT_EQ(endings[0].message, "rank 2 (here): " + message);
    EXPECT_EQ(endings[1].message, "rank 2 (here): " + message);
    EXPECT_EQ(endings[0].code, 6);
  }
}

TEST(Failures, AHeaderWithOtherBytesIsNamed) {
  ThreadRankOptions options;
  options.fault = [](int from, int to, int channel, Bytes bytes) {
    return from == 0 && channel == 0 && kindOf(bytes) == Kind::Text
               ? Action::Corrupt
               : Action::Deliver;
  };
  const auto endings =
      runRanks(2, options, [](Communicator &ranks) { ranks.barrier(); });
  EXPECT_EQ(endings[1].message,
            "a header from rank 0 (here) arrived with other bytes than were "
            "sent");
}

TEST(Failures, AMessageThatIsMissingIsNamed) {
  ThreadRankOptions options;
  options.fault = [](int from, int to, int channel, Bytes bytes) {
    Header header;
    std::memcpy(&header, bytes.data(), sizeof(header));
    return from == 0 && header.kind == Kind::Message && header.sequence == 3
               ? Action::Drop
               : Action::Deliver;
  };
  // As many are received as arrive, so that there is an end in any case.
  const auto endings = runRanks(2, options, [](Communicator &ranks) {
    for (int message = 0; message < 6 - ranks.rank(); ++message) {
      std::byte byte{};
      ranks.wait(ranks.rank() ? ranks.receive(0, 0, {&byte, 1})
                              : ranks.send(1, 0, {&byte, 1}));
    }
  });
  EXPECT_EQ(endings[1].message, "message 3 from rank 0 (here) did not arrive");
}

TEST(Failures, LengthsMustAgree) {
  for (size_t size : {96u, 100000u}) {
    const auto endings = runRanks(2, {}, [&](Communicator &ranks) {
      std::vector<std::byte> bytes(size + 4);
      ranks.wait(ranks.rank() ? ranks.receive(0, 5, bytes)
                              : ranks.send(1, 5, {bytes.data(), size}));
      ranks.barrier();
    });
    const std::string message = "message 0 from rank 0 (here) with tag 5 has " +
                                std::to_string(size) + " bytes, expected " +
                                std::to_string(size + 4);
    EXPECT_EQ(endings[1].message, message);
    EXPECT_EQ(endings[0].message, "rank 1 (here): " + message);
    EXPECT_EQ(endings[0].code, 70);
  }
}

TEST(Failures, CallsMustAgree) {
  const auto endings = runRanks(2, {}, [](Communicator &ranks) {
    if (ranks.rank())
      ranks.gather("text");
    else
      ranks.barrier();
  });
  for (const Ending &ending : endings)
    EXPECT_EQ(ending.code, 70) << ending.message;
}

TEST(Failures, NoSuchRank) {
  forRanks(2, [](Communicator &ranks) {
    std::byte byte{};
    EXPECT_THROW(ranks.send(2, 0, {&byte, 1}), Failure);
    EXPECT_THROW(ranks.receive(-1, 0, {&byte, 1}), Failure);
    EXPECT_THROW(ranks.broadcast("", 2), Failure);
  });
}

// A rank whose messages stop, as those of a stopped process do.
TEST(Failures, ARankThatDoesNotAnswerIsNamed) {
  for (int lost : {0, 3}) {
    std::atomic<bool> stopped{false};
    std::atomic<int> noticed{0};
    ThreadRankOptions options;
    options.engine.timeout = 0.4;
    options.fault = [&](int from, int, int, Bytes) {
      return stopped && from == lost ? Action::Drop : Action::Deliver;
    };
    std::vector<Ending> endings;
    const double seconds = secondsOf([&] {
      endings = runRanks(5, options, [&](Communicator &ranks) {
        // Some may be in it still when the messages stop.
        const auto enter = [&] {
          ranks.barrier();
          stopped = true;
        };
        if (ranks.rank() == lost) {
          enter();
          // Not before the others have noticed. If they never do, messages
          // travel again, and the calls do not agree.
          const auto start = Clock::now();
          while (noticed < 4 && Clock::now() - start < std::chrono::seconds(10))
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
          stopped = false;
          return;
        }
        try {
          enter();
          ranks.barrier();
        } catch (const PeerFailure &failure) {
          EXPECT_EQ(failure.rank, lost);
          EXPECT_TRUE(failure.lost);
          ++noticed;
          throw;
        }
      });
    });
    EXPECT_LT(seconds, 20);
    for (int rank = 0; rank < 5; ++rank)
      if (rank != lost) {
        EXPECT_EQ(endings[rank].message, "rank " + std::to_string(lost) +
                                             " (here) has not answered for "
                                             "0.4 s");
        EXPECT_EQ(endings[rank].code, 6);
      }
  }
}

// As if the machine slept: each rank comes to its next heartbeat and does not
// go on for longer than the others may be silent.
TEST(Failures, ARankThatIsStoppedDoesNotBlameOthers) {
  std::atomic<bool> stopping{false};
  Clock::time_point end;
  ThreadRankOptions options;
  options.engine.timeout = 1;
  options.fault = [&](int, int, int channel, Bytes bytes) {
    if (stopping && channel == 0 && kindOf(bytes) == Kind::Heartbeat)
      std::this_thread::sleep_until(end);
    return Action::Deliver;
  };
  const auto endings = runRanks(2, options, [&](Communicator &ranks) {
    ranks.barrier();
    if (ranks.rank() == 0) {
      end = Clock::now() + std::chrono::milliseconds(2500);
      stopping = true;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(3000));
    ranks.barrier();
  });
  for (const Ending &ending : endings)
    EXPECT_EQ(ending.message, "");
}

// It answers heartbeats beside its own work.
TEST(Failures, ARankThatComputesIsNotLost) {
  ThreadRankOptions options;
  options.engine.timeout = 0.5;
  const auto endings = runRanks(3, options, [](Communicator &ranks) {
    if (ranks.rank() == 1)
      std::this_thread::sleep_for(std::chrono::milliseconds(1500));
    ranks.barrier();
  });
  for (const Ending &ending : endings)
    EXPECT_EQ(ending.message, "");
}

TEST(Failures, ARankThatLeavesSilentlyIsNamed) {
  auto ranks = makeThreadRanks(3);
  std::vector<std::string> messages(3);
  std::vector<std::thread> threads;
  for (int rank = 0; rank < 3; ++rank)
    threads.emplace_back([&, rank] {
      try {
        if (rank != 1)
          ranks[rank]->barrier();
      } catch (const PeerFailure &failure) {
        messages[rank] = failure.what();
      }
      ranks[rank].reset();
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(messages[0], "rank 1 (here): ended before the other ranks");
  EXPECT_EQ(messages[2], messages[0]);
}

// wait() throws when nothing writes to the buffers any more: they may be freed.
TEST(Failures, BuffersMayBeFreed) {
  for (int round = 0; round < 6; ++round) {
    const auto endings = runRanks(3, {}, [&](Communicator &ranks) {
      std::vector<std::vector<std::byte>> buffers;
      std::vector<Transfer> transfers;
      for (int peer = 0; peer < 3; ++peer)
        for (uint32_t tag = 0; tag < 4; ++tag) {
          buffers.emplace_back(5 << 20);
          transfers.push_back(ranks.receive(peer, tag, buffers.back()));
          // The last has no receive.
          buffers.emplace_back(5 << 20);
          transfers.push_back(ranks.send(peer, tag + 1, buffers.back()));
        }
      if (ranks.rank() == 1) {
        std::this_thread::sleep_for(std::chrono::milliseconds(3 * round));
        ranks.reportFailure(Failure(ExitCode::BadInput, "bad"));
      }
      for (const Transfer &transfer : transfers)
        ranks.wait(transfer);
    });
    for (const Ending &ending : endings)
      EXPECT_EQ(ending.message, "rank 1 (here): bad");
  }
}

TEST(Failures, NothingIsSentAfterTheEnd) {
  forRanks(1, [](Communicator &ranks) { EXPECT_FALSE(ranks.failure()); });
  auto ranks = makeThreadRanks(1);
  ranks[0]->finish();
  EXPECT_THROW(ranks[0]->send(0, 0, {}), Failure);
}

} // namespace
