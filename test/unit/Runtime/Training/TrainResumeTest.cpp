// Runs that were stopped go on with the bits of those that were not.

#include "../ForRanks.h"
#include "Ranks/ReportFailures.h"
#include "TrainFixture.h"
#include "Training/Checkpoint.h"

#include <map>
#include <regex>

using namespace gensyn;
using namespace gensyn::runtime;
using namespace gensyn::test;

namespace fs = std::filesystem;

namespace {

/// Collects warnings, and the event before the first step.
struct Witness final : TrainObserver {
  void begin(const TrainSummary &summary) override { facts = summary; }
  void warn(const std::string &message) override { warnings += message + "\n"; }
  TrainSummary facts;
  std::string warnings;
};

class TrainResumeTest : public TrainTest {
protected:
  TrainResumeTest() {
    options.evalData = writeData("e", 6);
    options.recipe.shuffle = true;
    observer = &witness;
  }

  /// Every file of the run folder, but for how long things took.
  std::map<std::string, std::string> contents() {
    std::map<std::string, std::string> found;
    for (const auto &item : fs::recursive_directory_iterator(options.folder))
      if (item.is_regular_file() &&
          item.path().parent_path().filename() != "tensorboard")
        found[fs::relative(item.path(), options.folder).string()] =
            std::regex_replace(readFile(item.path()),
                               std::regex(",\"seconds\":[^}]*"), "");
    return found;
  }

  TrainResult resume() {
    options.start = RunStart::Resume;
    witness.warnings.clear();
    return run();
  }

  fs::path checkpoint(int64_t step) {
    return options.folder / "checkpoints" / ("step-" + std::to_string(step));
  }

  Witness witness;
};

} // namespace

/// A leftover of another run whose name is too long for renaming.
TEST_F(TrainResumeTest, replacesWhatCannotBeRenamed) {
  const fs::path left =
      options.folder / "checkpoints" / ("step-" + std::string(249, '0') + "7");
  run();
  fs::create_directory(left);
  writeFile(left / "state.json", "{}");
  options.start = RunStart::Replace;
  EXPECT_EQ(run().steps, 9);
  EXPECT_FALSE(fs::exists(left));
  EXPECT_TRUE(fs::exists(checkpoint(9)));
}

TEST_F(TrainResumeTest, afterAnyStepTheBitsAreTheSame) {
  TrainResult whole = run();
  const auto wanted = contents();
  for (int64_t stop = 1; stop <= 9; ++stop) {
    options.start = RunStart::Replace;
    options.maxSteps = stop;
    EXPECT_EQ(run().steps, stop);
    options.maxSteps = 0;
    TrainResult result = resume();
    EXPECT_EQ(witness.facts.resumedStep, stop);
    EXPECT_EQ(result.steps, 9);
    EXPECT_EQ(result.wasFinished, stop == 9);
    EXPECT_EQ(result.digest, whole.digest);
    auto found = contents();
    // An epoch that was cut has left a checkpoint more in its place.
    for (const auto &[name, bytes] : wanted)
      if (name.find("checkpoints/") != 0 || name.find("step-9") == 12)
        EXPECT_EQ(found[name], bytes) << name << " after " << stop;
    EXPECT_EQ(witness.warnings, "");
  }
}

TEST_F(TrainResumeTest, aRunThatIsFinishedStaysAsItIs) {
  options.maxSteps = 4;
  run();
  const auto wanted = contents();
  TrainResult result = resume();
  EXPECT_TRUE(result.wasFinished);
  EXPECT_EQ(result.steps, 4);
  EXPECT_FALSE(result.interrupted);
  EXPECT_EQ(contents(), wanted);
}

TEST_F(TrainResumeTest, moreEpochsThanBefore) {
  options.recipe.epochs = 5;
  run();
  const std::string log = contents()["log.jsonl"];
  options.start = RunStart::Replace;
  options.recipe.epochs = 2;
  run();
  options.recipe.epochs = 5;
  EXPECT_EQ(resume().steps, 15);
  EXPECT_EQ(contents()["log.jsonl"], log);
}

namespace {
using Unit = CheckpointInterval::Unit;
}

TEST_F(TrainResumeTest, checkpointsEverySoManySteps) {
  options.checkpointEvery = {Unit::Steps, 4};
  options.keep = 9;
  run();
  // After 4 and 8, and at the end; not after the epochs 3 and 6.
  for (int64_t step = 1; step <= 9; ++step)
    EXPECT_EQ(fs::exists(checkpoint(step)), step == 4 || step == 8 || step == 9)
        << step;
}

TEST_F(TrainResumeTest, checkpointsEverySoManyEpochs) {
  options.checkpointEvery = {Unit::Epochs, 2};
  options.keep = 9;
  run();
  for (int64_t step = 1; step <= 9; ++step)
    EXPECT_EQ(fs::exists(checkpoint(step)), step == 6 || step == 9) << step;
}

TEST_F(TrainResumeTest, checkpointsEverySoManySeconds) {
  options.checkpointEvery = {Unit::Seconds, 1e-9}; // less than a step takes
  options.keep = 9;
  run();
  for (int64_t step = 1; step <= 9; ++step)
    EXPECT_TRUE(fs::exists(checkpoint(step))) << step;
  options.checkpointEvery = {Unit::Seconds, 1e9};
  options.start = RunStart::Replace;
  run();
  for (int64_t step = 1; step <= 9; ++step)
    EXPECT_EQ(fs::exists(checkpoint(step)), step == 9) << step;
}

TEST_F(TrainResumeTest, theIntervalChangesNoBit) {
  const TrainResult whole = run();
  const auto wanted = contents();
  for (CheckpointInterval every : {CheckpointInterval{Unit::Steps, 4},
                                   {Unit::Epochs, 2},
                                   {Unit::Seconds, 1e9},
                                   {Unit::Seconds, 1e-9}})
    for (int64_t stop = 1; stop <= 9; ++stop) {
      options.checkpointEvery = every;
      options.start = RunStart::Replace;
      options.maxSteps = stop;
      run();
      // As if the process had been killed: the final checkpoint is missing.
      if (stop != 4 && stop != 6 && stop != 8)
        fs::remove_all(checkpoint(stop));
      options.maxSteps = 0;
      EXPECT_EQ(resume().digest, whole.digest) << stop;
      auto found = contents();
      for (const auto &[name, bytes] : wanted)
        if (name.find("checkpoints/") != 0 || name.find("step-9") == 12)
          EXPECT_EQ(found[name], bytes) << name << " after " << stop;
    }
}

TEST_F(TrainResumeTest, aDamagedCheckpointIsPassedOver) {
  run();
  const auto wanted = contents();
  std::string bytes = readFile(checkpoint(9) / "optimizer.safetensors");
  bytes.back() ^= 1;
  writeFile(checkpoint(9) / "optimizer.safetensors", bytes);
  EXPECT_EQ(resume().steps, 9);
  EXPECT_EQ(witness.facts.resumedStep, 6);
  EXPECT_EQ(witness.warnings,
            "a checkpoint is refused: " + checkpoint(9).string() +
                ": optimizer.safetensors or its line in B3SUMS is truncated or "
                "altered\n");
  EXPECT_EQ(contents(), wanted);
  // A valid checkpoint in the wrong place is an error too.
  fs::rename(checkpoint(9), checkpoint(11));
  resume();
  EXPECT_EQ(witness.facts.resumedStep, 6);
  EXPECT_NE(witness.warnings.find("is a checkpoint of step 9"),
            std::string::npos);
}

/// Its files are those that were written, but not those of its state.json.
TEST_F(TrainResumeTest, otherParametersThanThoseThatWereSavedAreAnError) {
  options.recipe.batchSize = options.recipe.accumulate = 2;
  run();
  Checkpoint altered = readCheckpoint(checkpoint(9));
  const std::string wanted = altered.state.at("parameters");
  TensorMap model = altered.model;
  altered.model.at("w") = Tensor::of<float>({2}, {1, 2});
  writeCheckpoint(checkpoint(9), altered);
  const auto before = contents();
  const std::string problem = failureOf([&] { resume(); });
  const std::string begin =
      "3: " + checkpoint(9).string() + ": its parameters have the digest ";
  EXPECT_EQ(problem.substr(0, begin.size()), begin);
  EXPECT_NE(problem.find(" and " + wanted + " according to its state.json"),
            std::string::npos);
  EXPECT_EQ(contents(), before);
  // The same of ranks.
  const ProgramSource programs = [](const ProgramRequest &request) {
    return makeFake(std::string(name(request.kind)), request.batchSize);
  };
  for (const std::string &error :
       forRanks(2, [&](communication::Communicator &ranks, size_t) {
         TrainOptions own = options;
         own.ranks = &ranks;
         TrainObserver nobody;
         reportFailures(ranks, [&] { train(own, programs, nobody, stop); });
       }))
    EXPECT_NE(error.find(problem.substr(3)), std::string::npos) << error;
  altered.model = model;
  writeCheckpoint(checkpoint(9), altered);
  EXPECT_TRUE(resume().wasFinished);
}

TEST_F(TrainResumeTest, withoutAGoodOneItFails) {
  run();
  fs::remove(checkpoint(9) / "B3SUMS");
  writeFile(checkpoint(6) / "state.json", "");
  const auto before = contents();
  EXPECT_EQ(failureOf([&] { resume(); }),
            "3: " + options.folder.string() +
                ": none of its checkpoints is whole, so the run cannot go on");
  EXPECT_EQ(contents(), before);
}

TEST_F(TrainResumeTest, withoutAnyItBegins) {
  EXPECT_EQ(resume().steps, 9);
  EXPECT_EQ(witness.facts.resumedStep, 0);
  EXPECT_NE(witness.warnings.find("there is no checkpoint yet"),
            std::string::npos);
}

TEST_F(TrainResumeTest, onlyTheSameRunGoesOn) {
  options.maxSteps = 4;
  run();
  const auto before = contents();
  options.recipe.seed = 1;
  EXPECT_EQ(failureOf([&] { resume(); }),
            "3: r: 'seed' is 1, in the run it is 0");
  options.recipe.seed = 0;
  options.data = writeData("other", 11);
  EXPECT_EQ(failureOf([&] { resume(); }),
            "3: " + (scratch / "other").string() +
                ": are other data than those of the run");
  EXPECT_EQ(contents(), before);
}

TEST_F(TrainResumeTest, aRunIsLeftAloneByAnother) {
  struct Second final : TrainObserver {
    explicit Second(TrainResumeTest &test, std::function<void()> body)
        : body(std::move(body)) {}
    void begin(const TrainSummary &) override { body(); }
    std::function<void()> body;
  } second(*this, [&] {
    observer = nullptr;
    options.start = RunStart::Resume;
    EXPECT_EQ(failureOf([&] { run(); }), "5: " + options.folder.string() +
                                             ": another run is writing to it");
  });
  observer = &second;
  EXPECT_EQ(run().steps, 9);
}

TEST_F(TrainResumeTest, whatAKilledRunDidNotRemoveGoes) {
  run();
  fs::copy(checkpoint(6), checkpoint(2), fs::copy_options::recursive);
  resume();
  EXPECT_FALSE(fs::exists(checkpoint(2)));
  EXPECT_TRUE(fs::exists(checkpoint(6)));
}

TEST_F(TrainResumeTest, leftoversOfAKilledRunGo) {
  options.maxSteps = 4;
  run();
  options.maxSteps = 0;
  fs::create_directory(options.folder / "checkpoints" / ".step-7.partial");
  writeFile(options.folder / "curve.svg.aBc123", "x");
  writeFile(options.folder / "notes.txt", "mine");
  resume();
  EXPECT_FALSE(fs::exists(options.folder / "checkpoints" / ".step-7.partial"));
  EXPECT_FALSE(fs::exists(options.folder / "curve.svg.aBc123"));
  EXPECT_TRUE(fs::exists(options.folder / "notes.txt"));
}
