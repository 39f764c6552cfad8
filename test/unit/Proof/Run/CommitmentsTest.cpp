// The chain of a run's commitments, as it is written and read.

#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/Support/Files.h"
#include "gensyn/Proof/Run/RunCommitter.h"

#include <gtest/gtest.h>

#include <set>

using namespace gensyn;
using namespace gensyn::proof;
using namespace gensyn::runtime;

namespace {

namespace fs = std::filesystem;

/// A folder of its own for each test.
class Commitments : public testing::Test {
protected:
  Commitments()
      : folder(
            fs::path(testing::TempDir()) /
            (std::string("commitments-") +
             testing::UnitTest::GetInstance()->current_test_info()->name())) {
    fs::remove_all(folder);
    fs::create_directories(folder);
  }
  ~Commitments() override { fs::remove_all(folder); }

  static WitnessedState makeState(int64_t step) {
    Hasher hasher;
    hasher.updateNumber(uint64_t(step));
    return {{"w", {ElementType::F32, {2, 3}, hasher.digest()}},
            {"m", {ElementType::F32, {}, Digest()}}};
  }
  static void runSteps(RunWitness &witness, int64_t begin, int64_t end,
                       int64_t sample = 5) {
    for (int64_t step = begin + 1; step <= end; ++step) {
      const int64_t samples[] = {step, sample};
      witness.step({step, "program", samples, 0.5});
      if (witness.wantsState(step))
        witness.state(makeState(step), /*isStop=*/false);
    }
  }
  std::string read() const {
    return readText(folder / kCommitmentsFile, 1 << 20);
  }
  void write(const std::string &text) const {
    writeText(folder / kCommitmentsFile, text);
  }
  std::string problem() const {
    try {
      (void)readCommitments(folder);
    } catch (const Failure &failure) {
      EXPECT_EQ(failure.code, ExitCode::BadInput);
      return failure.what();
    }
    return "";
  }

  static runtime::WitnessedStart startOf(const runtime::WitnessedState &state) {
    return {{{"seed", 7}}, state, {}, nullptr};
  }

  fs::path folder;
};

} // namespace

TEST_F(Commitments, AreReadAsTheyAreWritten) {
  RunCommitter committer(folder, 2);
  EXPECT_EQ(committer.root(), std::nullopt);
  committer.begin(startOf(makeState(0)));
  runSteps(committer, 0, 5);
  const RunCommitments read = readCommitments(folder);
  EXPECT_EQ(read.facts, "{\"seed\":7,\"constants_root\":\"" +
                            toHex(digestState({})) +
                            "\",\"samples_root\":\"\"}");
  ASSERT_EQ(read.points.size(), 3u);
  EXPECT_EQ(read.points[2].step, 4);
  EXPECT_EQ(read.points[2].state, digestState(makeState(4)));
  EXPECT_EQ(read.points[2].root, committer.root());
}

TEST_F(Commitments, ARunThatWasStoppedHasTheSameRoot) {
  RunCommitter whole(folder, 2);
  whole.begin(startOf(makeState(0)));
  runSteps(whole, 0, 8);
  const std::string expected = read();
  RunCommitter first(folder, 2);
  first.begin(startOf(makeState(0)));
  runSteps(first, 0, 5);
  first.state(makeState(5), /*isStop=*/true);
  const RunCommitments stopped = readCommitments(folder);
  EXPECT_TRUE(stopped.points.back().isStop);
  EXPECT_EQ(stopped.points.back().root, first.root());
  // From its last checkpoint, from one before it, and on in the same process.
  RunCommitter second(folder, 2);
  second.resume(5, startOf(makeState(5)), first.save());
  EXPECT_EQ(second.root(), first.root());
  EXPECT_EQ(readCommitments(folder).points.size(), stopped.points.size());
  runSteps(second, 5, 8);
  EXPECT_EQ(read(), expected);
  EXPECT_EQ(second.root(), whole.root());
  RunCommitter third(folder, 2);
  third.begin(startOf(makeState(0)));
  runSteps(third, 0, 3);
  const OrderedJson saved = third.save();
  third.state(makeState(3), /*isStop=*/true);
  runSteps(third, 3, 8);
  EXPECT_EQ(read(), expected);
  runSteps(third, 8, 9);
  third.state(makeState(9), /*isStop=*/true);
  RunCommitter fourth(folder, 2);
  fourth.resume(3, startOf(makeState(3)), saved);
  runSteps(fourth, 3, 8);
  EXPECT_EQ(read(), expected);
}

TEST_F(Commitments, ARunGoesOnAsItBegan) {
  RunCommitter committer(folder, 2);
  committer.begin(startOf(makeState(0)));
  runSteps(committer, 0, 2);
  const OrderedJson two = committer.save();
  runSteps(committer, 2, 4);
  const OrderedJson saved = committer.save();
  RunCommitter later(folder, 2);
  EXPECT_THROW(later.resume(4, startOf(makeState(4)), nullptr), Failure);
  EXPECT_THROW(later.resume(4, startOf(makeState(4)), {{"history", "00"}}),
               Failure);
  EXPECT_THROW(later.resume(4, startOf(makeState(4)), two), Failure);
  runtime::WitnessedStart other = startOf(makeState(4));
  other.facts["seed"] = 8;
  EXPECT_THROW(later.resume(4, other, saved), Failure);
  other = startOf(makeState(4));
  other.constants = makeState(0);
  EXPECT_THROW(later.resume(4, other, saved), Failure);
  EXPECT_THROW(later.resume(4, startOf(makeState(3)), saved), Failure);
  later.resume(2, startOf(makeState(2)), two);
  EXPECT_EQ(readCommitments(folder).points.size(), 2u);
}

/// Each field that is hashed changes the root.
TEST_F(Commitments, EveryFieldCounts) {
  const WitnessedTensor tensor = {ElementType::F32, {2, 3}, Digest()};
  std::set<Digest> tensors = {digestTensor(tensor)};
  WitnessedTensor other = tensor;
  other.type = ElementType::I32;
  tensors.insert(digestTensor(other));
  other = tensor;
  other.shape = {3, 2};
  tensors.insert(digestTensor(other));
  other = tensor;
  other.elements[31] = 1;
  tensors.insert(digestTensor(other));
  EXPECT_EQ(tensors.size(), 4u);

  const int64_t samples[] = {4, 5}, others[] = {5, 4};
  const WitnessedStep step = {3, "p", samples, -0.0};
  Digest before = {};
  std::set<Digest> steps = {digestStep(before, step)};
  for (const WitnessedStep &changed : {WitnessedStep{4, "p", samples, -0.0},
                                       {3, "q", samples, -0.0},
                                       {3, "p", others, -0.0},
                                       {3, "p", std::span(samples, 1), -0.0},
                                       {3, "p", samples, 0.0}})
    steps.insert(digestStep(before, changed));
  before[0] = 1;
  steps.insert(digestStep(before, step));
  EXPECT_EQ(steps.size(), 7u);

  RunPoint point = {3, digestFacts("a"), digestState({}), {}};
  std::set<Digest> points = {digestPoint(nullptr, point),
                             digestPoint(&before, point)};
  for (int field = 0; field < 3; ++field) {
    RunPoint changed = point;
    changed.step += field == 0;
    (field == 1 ? changed.history : changed.state)[5] ^= field > 0;
    points.insert(digestPoint(nullptr, changed));
  }
  EXPECT_EQ(points.size(), 5u);

  const WitnessedState state = makeState(1);
  WitnessedState renamed = state;
  auto node = renamed.extract("m");
  node.key() = "n";
  renamed.insert(std::move(node));
  EXPECT_NE(digestState(state), digestState(renamed));
}

TEST_F(Commitments, WhatNoRunWritesIsRefused) {
  EXPECT_NE(problem().find("has no commitments.jsonl"), std::string::npos);
  RunCommitter committer(folder, 1);
  committer.begin(startOf(makeState(0)));
  runSteps(committer, 0, 3);
  const std::string right = read();
  EXPECT_EQ(problem(), "");
  const size_t second = right.find('\n') + 1;
  const size_t third = right.find('\n', second) + 1;
  auto expectProblem = [&](const std::string &text, const std::string &words) {
    write(text);
    EXPECT_NE(problem().find(words), std::string::npos) << problem();
  };
  expectProblem("", "has no commitment");
  expectProblem(right.substr(second), "line 1 is not the beginning");
  expectProblem(right.substr(0, second) + right.substr(third),
                "line 2 has a root that does not follow");
  expectProblem(right.substr(0, third) + right.substr(second),
                "line 3 has step 1 after step 1");
  expectProblem(right.substr(0, right.size() - 1), "line 4 is incomplete");
  expectProblem(right.substr(0, second) + "{\"step\":1}\n",
                "line 2 has no digest 'history'");
  expectProblem(right.substr(0, second) + "[]\n", "line 2 has no step");
  expectProblem(right.substr(0, second) + "{\"step\":-1}\n",
                "line 2 has no step");
  std::string other = right;
  other.replace(other.find("seed\\\":7"), 8, "seed\\\":8");
  expectProblem(other, "line 1 does not commit to its facts");
  // Facts are read, too.
  for (const auto &[facts, words] :
       {std::pair(std::string(100'000, '['),
                  "line 1: 'facts' is nested deeper"),
        std::pair(std::string("7"), "line 1 has facts that are not an object"),
        std::pair(std::string(), "line 1: 'facts' is not JSON")}) {
    other = right;
    const size_t begin = other.find("{\\\"seed");
    other.replace(begin, other.find("}\"", begin) + 1 - begin, facts);
    expectProblem(other, words);
  }
  other = right;
  other.insert(third - 2, ",\"stop\":true");
  expectProblem(other, "line 3 follows a stop");
  // A digit of each digest.
  for (const char *key : {"history", "state", "root"}) {
    other = right;
    char &digit = other[other.find(key, third) + std::string(key).size() + 5];
    digit = digit == '0' ? '1' : '0';
    expectProblem(other, "has a root that does not follow");
  }
}
