// Training on a device that begins a step before the one before it is recorded:
// nothing that is written or said differs from a device that waits.

#include "../Devices/DriverTrace.h"
#include "../Devices/TinyTraining.h"
#include "TrainFixture.h"
#include "Training/Trainer.h"
#include "gensyn/Runtime/Data/DataSet.h"

#include <limits>
#include <map>
#include <regex>

using namespace gensyn;
using namespace gensyn::runtime;
using namespace gensyn::test;

namespace fs = std::filesystem;

namespace {

/// Of `samples` samples: w' = w + x[0] and loss = w + x[0]; of one sample also
/// a fault where ok is 0.
std::shared_ptr<plan::Executable> makeStep(const std::string &kind,
                                           int64_t samples) {
  auto executable = makeTraining(1, /*inPlace=*/true);
  executable->set_kind(kind);
  executable->set_program_digest("digest-of-" + kind);
  executable->set_numerics_version("1");
  plan::Plan &plan = *executable->mutable_plan();
  plan.mutable_inputs(1)->set_shape(0, samples);
  plan.mutable_buffers(1)->set_bytes(uint64_t(samples) * 4);
  if (samples == 1)
    addCheck(*executable, {1});
  else
    addInput(plan, "ok", "input", {samples}, "i1");
  addInput(plan, "t", "target", {samples});
  if (kind == "train")
    return executable;
  // The loss alone.
  plan.mutable_outputs()->DeleteSubrange(0, 1);
  plan.mutable_donated()->erase(plan.donated().begin());
  plan.clear_in_place();
  if (samples == 1)
    plan.mutable_steps()->DeleteSubrange(1, 1);
  plan.mutable_launches()->DeleteSubrange(1, 1);
  plan.mutable_buffers(3)->set_output(0);
  plan.mutable_buffers(2)->set_arena(0);
  plan.set_arena_bytes(4);
  return executable;
}

/// Looks at nothing but what it is given.
struct Reader : TrainObserver {
  void step(const StepRecord &record) override {
    steps.push_back(record.step);
    if (onStep)
      onStep(record.step);
  }
  void warn(const std::string &message) override { warnings += message + "\n"; }
  bool watchesSteps() const override { return watches; }

  bool watches = false;
  std::vector<int64_t> steps;
  std::string warnings;
  std::function<void(int64_t)> onStep;
};

class TrainAheadTest : public TrainTest {
protected:
  TrainAheadTest() {
    options.recipe = parseRecipe(
        R"({"loss": {"kind": "mse", "target": "t"},
            "optimizer": {"kind": "SGD", "lr": 0.5},
            "batch_size": 2, "epochs": 3})",
        "r");
    options.keep = 99;
    write("d", {1, 2, 3, 4, 5, 6, 7, 8, 9});
    options.data = scratch / "d";
  }

  /// Nine samples are five steps an epoch, the last of another program.
  void write(const std::string &name, std::vector<float> x, int faulty = -1) {
    const auto n = int64_t(x.size());
    TensorMap data;
    data.emplace("x", Tensor::of<float>({n}, x));
    data.emplace("t", Tensor(ElementType::F32, {n}));
    Tensor ok(ElementType::I1, {n});
    for (int64_t i = 0; i < n; ++i)
      reinterpret_cast<uint8_t *>(ok.data())[i] = i != faulty;
    data.emplace("ok", ok);
    writeSafeTensors(scratch / name, data);
  }

  ProgramSource source(Device &device) {
    return [&](const ProgramRequest &request) {
      return device.load(
          makeStep(std::string(name(request.kind)), request.batchSize));
    };
  }

  /// What a run leaves and says.
  struct Outcome {
    std::string error;
    std::map<std::string, std::string> files;
    std::vector<int64_t> steps;
    std::string warnings;
    int64_t count = 0;

    bool operator==(const Outcome &) const = default;
  };

  Outcome runOn(Device &device) {
    Reader reader = prototype;
    Outcome outcome;
    outcome.error = failureOf([&] {
      outcome.count = train(options, source(device), reader, stop).steps;
    });
    outcome.steps = reader.steps;
    outcome.warnings = reader.warnings;
    for (const auto &item : fs::recursive_directory_iterator(options.folder))
      if (item.is_regular_file() &&
          item.path().parent_path().filename() != "tensorboard")
        outcome.files[fs::relative(item.path(), options.folder).string()] =
            std::regex_replace(readFile(item.path()),
                               std::regex(",\"seconds\":[^}]*"), "");
    return outcome;
  }

  Outcome wait() {
    options.start = RunStart::Replace;
    return runOn(*makePtxSimDevice("sm_90", 1));
  }
  /// The same on the device that runs ahead; counts the steps that did.
  Outcome runAhead() {
    options.start = RunStart::Replace;
    fs::remove(scratch / "trace");
    Setting trace("FAKE_DRIVER_TRACE", (scratch / "trace").string());
    Outcome outcome = runOn(*makeCudaDevice(0, "sm_90"));
    ahead = countAhead(scratch / "trace");
    return outcome;
  }

  Reader prototype;
  int ahead = 0;
};

using Unit = CheckpointInterval::Unit;

} // namespace

TEST_F(TrainAheadTest, filesAndEventsAreThoseOfADeviceThatWaits) {
  write("e", {1, 2, 3});
  options.evalData = scratch / "e";
  const Outcome plain = wait();
  EXPECT_EQ(plain.count, 15);
  EXPECT_EQ(plain.steps.size(), 15U);
  EXPECT_EQ(rows("eval_loss").size(), 3U);
  EXPECT_TRUE(runAhead() == plain);
  // Of five steps of an epoch the first has none before it, and the last is
  // another program.
  EXPECT_EQ(ahead, 3 * 3);
  for (CheckpointInterval every : {CheckpointInterval{Unit::Steps, 1},
                                   {Unit::Steps, 2},
                                   {Unit::Steps, 3},
                                   {Unit::Epochs, 2},
                                   {Unit::Seconds, 1e-9},
                                   {Unit::Seconds, 1e9}})
    for (int64_t most : {0, 1, 2, 3, 7, 8}) {
      options.checkpointEvery = every;
      options.maxSteps = most;
      const Outcome wanted = wait();
      EXPECT_TRUE(runAhead() == wanted) << int(every.unit) << " " << most;
      // The state after a step that has a checkpoint is read.
      if (every.count == 1 || every.count == 1e-9)
        EXPECT_EQ(ahead, 0);
    }
}

TEST_F(TrainAheadTest, aFaultIsReportedAsThatOfItsStep) {
  options.recipe.batchSize = 1;
  for (int sample : {0, 1, 2, 3, 7, 8}) {
    write("d", {1, 2, 3, 4, 5, 6, 7, 8, 9}, sample);
    options.checkpointEvery = {Unit::Steps, 2};
    const Outcome wanted = wait();
    EXPECT_EQ(wanted.error, "3: m.onnx: node 'n' (Gather): index out of range");
    EXPECT_EQ(wanted.steps.size(), size_t(sample));
    EXPECT_TRUE(runAhead() == wanted) << sample;
  }
}

TEST_F(TrainAheadTest, aLossThatIsNotFiniteStopsAtItsStep) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (int sample : {0, 2, 4, 6, 8})
    for (bool stops : {true, false}) {
      std::vector<float> x = {1, 2, 3, 4, 5, 6, 7, 8, 9};
      x[size_t(sample)] = nan;
      write("d", x);
      options.stopOnNan = stops;
      const Outcome wanted = wait();
      EXPECT_EQ(wanted.error.empty(), !stops);
      EXPECT_EQ(wanted.steps.size(), stops ? size_t(sample) / 2 + 1 : 15U);
      EXPECT_NE(wanted.warnings, "");
      EXPECT_TRUE(runAhead() == wanted) << sample << stops;
    }
}

TEST_F(TrainAheadTest, whoWatchesStepsStopsAfterThem) {
  prototype.watches = true;
  for (int64_t last : {1, 2, 3, 4, 5}) {
    stop = false;
    prototype.onStep = [&](int64_t step) { stop = step == last; };
    const Outcome wanted = wait();
    EXPECT_EQ(wanted.count, last);
    stop = false;
    EXPECT_TRUE(runAhead() == wanted) << last;
    EXPECT_EQ(ahead, 0);
  }
}

// A stop from elsewhere ends the run after the step in progress, and the run
// goes on from there.
TEST_F(TrainAheadTest, aStopEndsAfterTheStepInProgress) {
  const Outcome whole = wait();
  for (int64_t last : {1, 2, 3, 4, 5}) {
    stop = false;
    prototype.onStep = [&](int64_t step) { stop = stop || step == last; };
    const Outcome stopped = runAhead();
    // The fifth step is that of another program.
    const int64_t count = last < 4 ? last + 1 : last;
    EXPECT_EQ(stopped.count, count);
    EXPECT_EQ(stopped.steps.size(), size_t(count));
    EXPECT_EQ(rows("loss").size(), size_t(count));
    stop = false;
    prototype.onStep = nullptr;
    options.start = RunStart::Resume;
    Outcome resumed = runOn(*makeCudaDevice(0, "sm_90"));
    EXPECT_EQ(resumed.count, 15);
    for (const char *name : {"log.jsonl", "parameters.safetensors"})
      EXPECT_EQ(resumed.files[name], whole.files.at(name)) << last;
  }
}

// The step in progress is not recorded, but it counts: the state is that after
// it.
TEST_F(TrainAheadTest, theStateIsThatOfThePositionAfterAFailure) {
  options.folder.clear();
  options.maxSteps = 4;
  auto digestAfter = [&](int64_t steps) {
    auto device = makePtxSimDevice("sm_90", 1);
    const ProgramSource programs = source(*device);
    Trainer trainer(options, programs, silent, stop);
    DataSet data(options.data);
    trainer.fit({&data}, {}, 3, steps);
    return trainer.parameters()->digest();
  };
  Reader reader;
  reader.onStep = [&](int64_t step) {
    if (step == 2)
      failInputOutput("the disk is full");
  };
  auto device = makeCudaDevice(0, "sm_90");
  const ProgramSource programs = source(*device);
  Trainer trainer(options, programs, reader, stop);
  DataSet data(options.data);
  EXPECT_EQ(failureOf([&] { trainer.fit({&data}, {}, 3, 0); }),
            "5: the disk is full");
  EXPECT_EQ(trainer.position().step, 3);
  EXPECT_EQ(reader.steps, (std::vector<int64_t>{1, 2}));
  EXPECT_EQ(trainer.parameters()->digest(), digestAfter(3));
  // And the run goes on.
  trainer.fit({&data}, {}, 3, 0);
  EXPECT_EQ(trainer.position().step, 15);
  EXPECT_EQ(trainer.parameters()->digest(), digestAfter(15));
}

TEST_F(TrainAheadTest, theStateIsNotReadWhileAStepIsInProgress) {
  options.folder.clear();
  Reader reader;
  auto device = makeCudaDevice(0, "sm_90");
  const ProgramSource programs = source(*device);
  Trainer trainer(options, programs, reader, stop);
  std::vector<std::string> said;
  reader.onStep = [&](int64_t) {
    said.push_back(failureOf([&] { trainer.state(); }));
  };
  DataSet data(options.data);
  trainer.fit({&data}, {}, 1, 0);
  const std::string refusal =
      "2: the state is read while the next step is in progress";
  EXPECT_EQ(said,
            (std::vector<std::string>{refusal, refusal, refusal, "", ""}));
}

// A step that cannot begin leaves the record of the one before.
TEST_F(TrainAheadTest, aStepThatDoesNotBeginFailsAfterTheOneBefore) {
  std::optional<Setting> failing;
  Reader reader;
  reader.onStep = [&](int64_t step) {
    if (step == 1)
      failing.emplace("FAKE_DRIVER_FAIL_AT", "cuGraphLaunch");
  };
  auto device = makeCudaDevice(0, "sm_90");
  // By then the third step is next, for the second has begun.
  EXPECT_EQ(failureOf([&] { train(options, source(*device), reader, stop); }),
            "70: the NVIDIA driver cannot launch a graph: unknown error "
            "(CUDA_ERROR_UNKNOWN)");
  failing.reset();
  EXPECT_EQ(reader.steps, (std::vector<int64_t>{1, 2}));
  EXPECT_EQ(rows("loss").size(), 2U);
}
