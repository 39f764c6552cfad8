// The facts that identify a run.

#include "Training/RunState.h"
#include "../../Executable/TestFiles.h"

#include <gtest/gtest.h>

using namespace gensyn;
using namespace gensyn::runtime;
using namespace gensyn::test;

namespace {

RunFacts someFacts() {
  RunFacts facts;
  facts.programDigest = "p";
  facts.lastBatchDigest = "l";
  facts.numericsVersion = "1";
  facts.constants = "c";
  facts.dataIdentity = "d";
  facts.samples = 10;
  facts.batchSize = 4;
  facts.seed = 3;
  facts.recipe = {{"epochs", 2}, {"optimizer", {{"kind", "SGD"}, {"lr", 1}}}};
  return facts;
}

Progress someProgress() { return {5, 2, 2, 3, false, 0.75}; }

/// Returns the error for facts that changed since the state was saved.
template <class Change> std::string saidOf(Change change) {
  const nlohmann::json state = describeState(someFacts(), someProgress(), "aa");
  RunFacts facts = someFacts();
  change(facts);
  return failureOf(
      [&] { requireSameRun(state, facts, "step-5", "r.json", "d.st"); });
}

} // namespace

TEST(RunStateTest, progressIsReadAsItWasWritten) {
  const nlohmann::json state = describeState(someFacts(), someProgress(), "aa");
  Progress read = readProgress(state, "s");
  EXPECT_EQ(read.step, 5);
  EXPECT_EQ(read.epoch, 2);
  EXPECT_EQ(read.stepInEpoch, 2);
  EXPECT_EQ(read.stepsPerEpoch, 3);
  EXPECT_EQ(read.epochLoss, 0.75);
  EXPECT_FALSE(read.epochComplete);
  EXPECT_EQ(state["seed"], 3);
  EXPECT_EQ(state["parameters"], "aa");
}

TEST(RunStateTest, progressMustMakeSense) {
  const nlohmann::json state = describeState(someFacts(), someProgress(), "aa");
  for (const auto &[key, value] :
       {std::pair<const char *, nlohmann::json>("step", 6),
        {"epoch", 3},
        {"epoch", 0},
        {"step_in_epoch", 4},
        {"step_in_epoch", -1},
        {"steps_per_epoch", INT64_MAX}}) {
    nlohmann::json other = state;
    other[key] = value;
    EXPECT_EQ(failureOf([&] { readProgress(other, "s"); }),
              "3: s: its steps and epochs do not go together")
        << key << value;
  }
  for (const char *key : {"step", "format", "epoch_loss"}) {
    nlohmann::json other = state;
    other.erase(key);
    EXPECT_EQ(failureOf([&] { readProgress(other, "s"); }),
              "3: s: is not the state of a run");
  }
  nlohmann::json other = state;
  other["format"] = "x";
  EXPECT_EQ(failureOf([&] { readProgress(other, "s"); }),
            "3: s: is of another format than gensyn-checkpoint-1");
}

TEST(RunStateTest, saysWhatIsAnother) {
  EXPECT_EQ(saidOf([](RunFacts &) {}), "");
  EXPECT_EQ(saidOf([](RunFacts &f) { f.recipe["epochs"] = 9; }), "");
  EXPECT_EQ(saidOf([](RunFacts &f) { f.seed = 4; }),
            "3: r.json: 'seed' is 4, in the run it is 3");
  EXPECT_EQ(saidOf([](RunFacts &f) { f.shuffle = true; }),
            "3: r.json: 'shuffle' is true, in the run it is false");
  EXPECT_EQ(saidOf([](RunFacts &f) { f.batchSize = 5; }),
            "3: r.json: 'batch_size' is 5, in the run it is 4");
  EXPECT_EQ(saidOf([](RunFacts &f) {
              f.dropLast = true;
              f.lastBatchDigest = "";
            }),
            "3: r.json: 'drop_last' is true, in the run it is false");
  EXPECT_EQ(saidOf([](RunFacts &f) { f.dropLast = true; }), "");
  EXPECT_EQ(saidOf([](RunFacts &f) { f.dataIdentity = "e"; }),
            "3: d.st: are other data than those of the run");
  EXPECT_EQ(saidOf([](RunFacts &f) { f.constants = "e"; }),
            "3: the model's frozen tensors are others than in step-5");
  EXPECT_EQ(saidOf([](RunFacts &f) { f.numericsVersion = "2"; }),
            "3: step-5 was made by version \"1\" of the numerics; this is "
            "\"2\"");
}

TEST(RunStateTest, anotherProgramIsNamedByItsKey) {
  EXPECT_EQ(saidOf([](RunFacts &f) {
              f.programDigest = "q";
              f.recipe["epochs"] = 9;
              f.recipe["optimizer"]["lr"] = 2;
            }),
            "3: r.json: 'optimizer/lr' is not as in the run");
  // No key is to blame.
  EXPECT_EQ(saidOf([](RunFacts &f) {
              f.programDigest = "q";
              f.recipe["epochs"] = 9;
            }),
            "3: the program is another one than in step-5: q");
}
