// What the first rank has of divided tensors, and when.

#include "Ranks/DividedTensors.h"
#include "../../Executable/PlanBuilder.h"
#include "../ForRanks.h"
#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/Support/Hash.h"

#include "gtest/gtest.h"

#include <cstring>
#include <functional>
#include <map>
#include <mutex>

namespace gensyn::runtime {
namespace {

using communication::Communicator;

// Tensors of whole pages are given back in full.
constexpr int64_t kSize = int64_t(1) << 20;
constexpr int kRanks = 3;
const std::vector<std::string> kNames = {"a", "b", "c", "d", "e"};

float valueAt(const std::string &name, int64_t i) {
  return float(name[0]) + float(i % 1000);
}

Tensor makeTensor(const std::string &name) {
  Tensor tensor(ElementType::F32, {kSize / 8, 8});
  for (int64_t i = 0; i < kSize; ++i)
    tensor.as<float>()[i] = valueAt(name, i);
  return tensor;
}

/// The same, for comparisons.
const Tensor &wholeTensor(const std::string &name) {
  static const std::map<std::string, Tensor> all = [] {
    std::map<std::string, Tensor> made;
    for (const std::string &name : kNames)
      made.emplace(name, makeTensor(name));
    return made;
  }();
  return all.at(name);
}

/// One rank of three, which divide all tensors but 'b'.
struct Rank {
  explicit Rank(Communicator &ranks)
      : ranks(ranks), state(std::make_shared<ShardedState>()),
        tensors(store, &ranks, state) {
    executable.set_version(1);
    for (const std::string &name : kNames)
      test::addInput(*executable.mutable_plan(), name, "state", {kSize / 8, 8})
          .mutable_initial()
          ->set_fill(-1);
    store.adopt(readSignature(executable));
    for (const std::string &name : kNames)
      if (name != "b")
        state->cuts[name] = {{0, kSize / 4},
                             {kSize / 4, kSize / 2},
                             {3 * (kSize / 4), kSize / 4}};
  }

  /// Gives this rank what it has after a step: -1 stands for the rest.
  void divide() {
    state->isDivided = true;
    for (const std::string &name : kNames) {
      Tensor tensor = makeTensor(name);
      for (int64_t i = 0; i < kSize; ++i)
        if (!isOwn(name, i))
          tensor.as<float>()[i] = -1;
      store.value(name) = Value(std::move(tensor));
    }
  }
  bool isOwn(const std::string &name, int64_t i) const {
    return name == "b" ||
           (i >= cut(name).begin && i < cut(name).begin + cut(name).count);
  }
  const Range &cut(const std::string &name) const {
    return state->cuts.at(name)[size_t(ranks.rank())];
  }
  bool isWhole(const std::string &name) const {
    return store.at(name).bitEqual(wholeTensor(name));
  }
  /// True if this rank has its elements, and `rest` in place of the others.
  bool hasOwn(const std::string &name, float rest) const {
    for (int64_t i = 0; i < kSize; ++i)
      if (store.at(name).as<float>()[i] !=
          (isOwn(name, i) ? wholeTensor(name).as<float>()[i] : rest))
        return false;
    return true;
  }

  Communicator &ranks;
  plan::Executable executable;
  ParameterStore store;
  std::shared_ptr<ShardedState> state;
  DividedTensors tensors;
};

/// Returns the error of each rank.
std::vector<std::string> forRanks(const std::function<void(Rank &)> &body) {
  return test::forRanks(kRanks, [&](Communicator &ranks, size_t) {
    Rank own(ranks);
    body(own);
  });
}

const std::vector<std::string> kNoErrors(kRanks);

TEST(DividedTensors, AreWholeOneByOne) {
  const auto errors = forRanks([](Rank &rank) {
    rank.divide();
    std::vector<uint64_t> versions;
    for (const std::string &name : kNames)
      versions.push_back(rank.store.value(name).version());
    std::vector<std::string> seen;
    rank.tensors.visit(
        kNames, [&](const std::string &name, const Tensor &tensor) {
          EXPECT_EQ(rank.ranks.rank(), 0);
          EXPECT_TRUE(tensor.bitEqual(wholeTensor(name))) << name;
          // Those before are forgotten, and only one more is on its way.
          for (size_t i = 0; i < seen.size(); ++i)
            EXPECT_TRUE(rank.hasOwn(kNames[i], 0)) << name << kNames[i];
          for (size_t i = seen.size() + 3; i < kNames.size(); ++i)
            EXPECT_EQ(rank.store.value(kNames[i]).version(), versions[i])
                << name << kNames[i];
          seen.push_back(name);
        });
    EXPECT_EQ(seen, rank.ranks.rank() ? std::vector<std::string>() : kNames);
    for (const std::string &name : kNames)
      EXPECT_TRUE(rank.hasOwn(name, rank.ranks.rank() ? -1 : 0)) << name;
  });
  EXPECT_EQ(errors, kNoErrors);
}

TEST(DividedTensors, StayUntilTheyAreForgotten) {
  const auto errors = forRanks([](Rank &rank) {
    rank.divide();
    const bool isFirst = rank.ranks.rank() == 0;
    rank.tensors.gather({"a", "b", "d"});
    for (const std::string name : {"a", "d"})
      EXPECT_EQ(rank.isWhole(name), isFirst);
    EXPECT_TRUE(rank.hasOwn("c", -1));
    rank.tensors.visit({"d", "e"},
                       [](const std::string &name, const Tensor &tensor) {
                         EXPECT_TRUE(tensor.bitEqual(wholeTensor(name)));
                       });
    EXPECT_EQ(rank.isWhole("d"), isFirst);
    rank.tensors.forget();
    for (const std::string name : {"a", "d", "e"})
      EXPECT_TRUE(rank.hasOwn(name, isFirst ? 0 : -1));
    EXPECT_TRUE(rank.hasOwn("c", -1));
    // What was forgotten is gathered again.
    rank.tensors.gather({"a"});
    EXPECT_EQ(rank.isWhole("a"), isFirst);
  });
  EXPECT_EQ(errors, kNoErrors);
}

/// Reads tensors of makeTensor(), and notes the ranges.
struct Reading {
  std::map<std::string, std::vector<Range>> ranges;
  DividedTensors::RangeReader reader = [this](const std::string &name,
                                              uint64_t offset,
                                              std::span<std::byte> bytes) {
    ranges[name].push_back({int64_t(offset / 4), int64_t(bytes.size() / 4)});
    std::memcpy(bytes.data(), wholeTensor(name).data() + offset, bytes.size());
  };
};

TEST(DividedTensors, AreReplacedByRanges) {
  const auto errors = forRanks([](Rank &rank) {
    Reading reading;
    rank.tensors.replace(kNames, reading.reader, /*readsFiles=*/true);
    // Nobody shares files.
    EXPECT_EQ(reading.ranges.size(), rank.ranks.rank() ? 0u : kNames.size());
    EXPECT_TRUE(rank.isWhole("b"));
    for (const std::string &name : kNames)
      EXPECT_TRUE(rank.hasOwn(name, 0)) << name;
    EXPECT_TRUE(rank.tensors.isDivided("a"));
    EXPECT_FALSE(rank.tensors.isDivided("b"));
    const Tensor own = rank.tensors.ownPart("a");
    EXPECT_EQ(own.shape(), std::vector<int64_t>{rank.cut("a").count});
    EXPECT_EQ(own.as<float>()[5], valueAt("a", rank.cut("a").begin + 5));
    rank.tensors.visit(kNames,
                       [&](const std::string &name, const Tensor &tensor) {
                         EXPECT_TRUE(tensor.bitEqual(wholeTensor(name)));
                       });
  });
  EXPECT_EQ(errors, kNoErrors);
}

TEST(DividedTensors, AreReadByThoseThatShareFiles) {
  const auto errors = forRanks([](Rank &rank) {
    const bool isLast = rank.ranks.rank() == 2;
    rank.tensors.shareFiles({true, true, false});
    Reading reading;
    rank.tensors.replace(kNames, reading.reader, /*readsFiles=*/true);
    for (const std::string &name : kNames)
      EXPECT_TRUE(rank.hasOwn(name, 0)) << name;
    std::map<std::string, std::vector<Range>> wanted;
    for (const std::string &name : kNames)
      if (name == "b" && !isLast)
        wanted[name] = {{0, kSize}};
      else if (!isLast)
        wanted[name] = {rank.cut(name)};
    // The first one reads for the last one.
    if (rank.ranks.rank() == 0)
      for (auto &[name, ranges] : wanted)
        if (name != "b")
          ranges.push_back(rank.state->cuts.at(name)[2]);
    EXPECT_EQ(reading.ranges, wanted);
    // A state in memory is that of the first one.
    Reading again;
    rank.tensors.replace(kNames, again.reader, /*readsFiles=*/false);
    EXPECT_EQ(again.ranges.empty(), rank.ranks.rank() != 0);
    for (const std::string &name : kNames)
      EXPECT_TRUE(rank.hasOwn(name, 0)) << name;
  });
  EXPECT_EQ(errors, kNoErrors);
}

/// Has the ranges of all ranks that write files.
struct Written {
  std::mutex mutex;
  std::map<std::string, std::vector<int>> counts;
  std::map<int, int64_t> elements;

  void write(const Rank &rank, const std::string &name, uint64_t offset,
             std::span<const std::byte> bytes) {
    EXPECT_EQ(std::memcmp(bytes.data(), wholeTensor(name).data() + offset,
                          bytes.size()),
              0)
        << name;
    std::lock_guard lock(mutex);
    std::vector<int> &all = counts[name];
    all.resize(kSize);
    for (size_t i = 0; i < bytes.size() / 4; ++i)
      ++all[offset / 4 + i];
    elements[rank.ranks.rank()] += int64_t(bytes.size() / 4);
  }
};

TEST(DividedTensors, AreWrittenByThoseThatShareFiles) {
  for (const std::vector<bool> &sharers :
       {std::vector<bool>{true, true, true}, {true, false, true}}) {
    Written written;
    const auto errors = forRanks([&](Rank &rank) {
      rank.tensors.shareFiles(sharers);
      rank.divide();
      if (rank.ranks.rank() == 0)
        EXPECT_TRUE(rank.tensors.sharesFiles());
      rank.tensors.visitRanges(kNames,
                               [&](const std::string &name, uint64_t offset,
                                   std::span<const std::byte> bytes) {
                                 written.write(rank, name, offset, bytes);
                               });
      // With nobody to receive from, nothing changes.
      for (const std::string &name : kNames)
        EXPECT_TRUE(
            rank.hasOwn(name, rank.ranks.rank() == 0 && !sharers[1] ? 0 : -1));
    });
    EXPECT_EQ(errors, kNoErrors);
    for (const std::string &name : kNames)
      EXPECT_EQ(written.counts[name], std::vector<int>(kSize, 1)) << name;
    // Quarters of four tensors, and an even share of 'b' in units of 64 bytes.
    const int64_t share = kSize / 16 / (sharers[1] ? 3 : 2) * 16;
    EXPECT_GE(written.elements[2], kSize + share);
    EXPECT_LE(written.elements[2], kSize + share + 16);
  }
}

TEST(DividedTensors, HaveTheDigestOfTheWhole) {
  Hasher hasher;
  const DividedTensors::Stream stream = {{"begin", "a"},
                                         {"", "b"},
                                         {"x", "c"},
                                         {std::string(5000, 'y'), "e"},
                                         {"end", ""}};
  for (const auto &[text, name] : stream) {
    hasher.update(text);
    if (!name.empty())
      hasher.update(wholeTensor(name).data(),
                    size_t(wholeTensor(name).byteSize()));
  }
  const auto errors = forRanks([&](Rank &rank) {
    rank.divide();
    EXPECT_EQ(rank.tensors.digest(stream), hasher.hex());
    // Few bytes travel.
    EXPECT_LT(rank.ranks.statistics().bytesSent, 40'000u);
    EXPECT_EQ(rank.tensors.digest({{"a", ""}}), hashHex("a", 1));
    rank.tensors.gather({"a"});
    EXPECT_EQ(rank.tensors.digest(stream), hasher.hex());
  });
  EXPECT_EQ(errors, kNoErrors);
}

TEST(DividedTensors, AreOneRanksBusinessOtherwise) {
  const auto errors = forRanks([](Rank &rank) {
    // No rank waits for the others.
    if (rank.ranks.rank() != 1)
      return;
    rank.divide();
    rank.state->isDivided = false;
    int seen = 0;
    rank.tensors.gather(kNames);
    rank.tensors.visit(kNames,
                       [&](const std::string &, const Tensor &) { ++seen; });
    EXPECT_EQ(seen, 5);
    EXPECT_EQ(rank.tensors.ownPart("a").numElements(), kSize);
  });
  EXPECT_EQ(errors, kNoErrors);
}

TEST(DividedTensors, FailTogether) {
  auto errors = forRanks([](Rank &rank) {
    rank.divide();
    rank.tensors.visit(kNames, [](const std::string &name, const Tensor &) {
      if (name == "c")
        failInputOutput("the disk is full");
    });
    rank.ranks.barrier();
  });
  const std::string other = "rank 0 (here): the disk is full";
  EXPECT_EQ(errors,
            (std::vector<std::string>{"the disk is full", other, other}));
  errors = forRanks([](Rank &rank) {
    rank.tensors.replace(
        kNames,
        [](const std::string &name, uint64_t, std::span<std::byte>) {
          if (name == "d")
            failBadInput("no such tensor");
        },
        /*readsFiles=*/true);
    rank.ranks.barrier();
  });
  EXPECT_EQ(errors[0], "no such tensor");
  EXPECT_EQ(errors[1], "rank 0 (here): no such tensor");
  errors = forRanks([](Rank &rank) {
    rank.divide();
    rank.tensors.shareFiles({true, true, true});
    rank.tensors.visitRanges(kNames, [&](const std::string &name, uint64_t,
                                         std::span<const std::byte>) {
      if (name == "c" && rank.ranks.rank() == 1)
        failInputOutput("the disk is full");
    });
    rank.ranks.barrier();
  });
  EXPECT_EQ(errors[0], "rank 1 (here): the disk is full");
  EXPECT_EQ(errors[1], "the disk is full");
}

} // namespace
} // namespace gensyn::runtime
