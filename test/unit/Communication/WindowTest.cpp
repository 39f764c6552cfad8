#include "Engine.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

using namespace gensyn::communication;

namespace {

/// A window of transfers, each with its peer and its number among them.
struct Transfers {
  Window window;
  std::vector<uint64_t> begun, ended;

  Transfers(size_t mostOfAll, size_t mostOfPeer)
      : window(8, mostOfAll, mostOfPeer) {}

  void add(int peer, int count) {
    for (int i = 0; i < count; ++i) {
      auto state = std::make_shared<TransferState>();
      state->sequence = uint64_t(peer) * 100 + uint64_t(i);
      window.add(peer, state);
    }
  }

  void begin() {
    window.begin([&](TransferState &state) {
      begun.push_back(state.sequence);
      return true;
    });
  }

  /// Ends those of `which` that it is asked for, and returns the others.
  std::vector<uint64_t> end(const std::vector<uint64_t> &which) {
    std::vector<uint64_t> others;
    window.advance([&](TransferState &state) {
      const bool ends = std::ranges::count(which, state.sequence) > 0;
      (ends ? ended : others).push_back(state.sequence);
      return ends;
    });
    return others;
  }
};

using Numbers = std::vector<uint64_t>;

TEST(Window, PeersTakeTurns) {
  Transfers transfers(9, 2);
  EXPECT_TRUE(transfers.window.empty());
  transfers.add(1, 4);
  transfers.add(2, 1);
  transfers.add(3, 4);
  EXPECT_FALSE(transfers.window.empty());
  transfers.begin();
  EXPECT_EQ(transfers.begun, Numbers({100, 200, 300, 101, 301}));
}

TEST(Window, FewMoveAtOnce) {
  Transfers transfers(3, 8);
  transfers.add(1, 2);
  transfers.add(2, 9);
  transfers.begin();
  EXPECT_EQ(transfers.begun, Numbers({100, 200, 101}));
  transfers.begin();
  EXPECT_EQ(transfers.begun.size(), 3u);
  transfers.end({200});
  transfers.begin();
  EXPECT_EQ(transfers.begun, Numbers({100, 200, 101, 201}));
}

TEST(Window, APassLooksAtTheFirstOfEachPeer) {
  Transfers transfers(9, 3);
  transfers.add(1, 4);
  transfers.add(2, 1);
  transfers.begin();
  EXPECT_EQ(transfers.end({}), Numbers({100, 200}));
  // The second waits for the first.
  EXPECT_EQ(transfers.end({101}), Numbers({100, 200}));
  EXPECT_EQ(transfers.end({100, 101}), Numbers({102, 200}));
  EXPECT_EQ(transfers.ended, Numbers({100, 101}));
  transfers.begin();
  EXPECT_EQ(transfers.end({102, 103, 200}), Numbers());
  EXPECT_TRUE(transfers.window.empty());
}

TEST(Window, OneThatCannotBeginYetIsAskedAgain) {
  Transfers transfers(9, 3);
  transfers.add(1, 2);
  int asked = 0;
  const auto begin = [&] {
    transfers.window.begin([&](TransferState &state) {
      ++asked;
      return state.sequence == 100 || asked > 2;
    });
  };
  begin();
  begin();
  EXPECT_EQ(asked, 2);
  transfers.end({100});
  begin();
  EXPECT_EQ(transfers.end({101}), Numbers());
  EXPECT_TRUE(transfers.window.empty());
}

} // namespace
