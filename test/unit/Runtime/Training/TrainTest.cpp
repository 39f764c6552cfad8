// The training loop, with a device that computes in C++ what a compiled
// program would.

#include "gensyn/Runtime/Training/Train.h"
#include "TrainFixture.h"
#include "gensyn/Executable/Formats/SafeTensors.h"
#include "gensyn/Runtime/Data/Shuffle.h"
#include "gensyn/Runtime/Devices/ParameterStore.h"

#include <gtest/gtest.h>

using namespace gensyn;
using namespace gensyn::runtime;
using namespace gensyn::test;

TEST_F(TrainTest, stepsInOrderWithAPartialBatch) {
  TrainResult result = run();
  EXPECT_EQ(result.steps, 9);
  auto steps = rows("loss");
  ASSERT_EQ(steps.size(), 9u);
  EXPECT_EQ(steps[0]["loss"], 1.5);
  EXPECT_EQ(steps[1]["loss"], 5.5);
  EXPECT_EQ(steps[2]["loss"], 8.5);
  EXPECT_EQ(steps[8]["step"], 9);
  EXPECT_EQ(steps[8]["epoch"], 3);
  EXPECT_EQ(steps[8]["lr"], 0.5);
  SafeTensors file(options.folder / "parameters.safetensors");
  EXPECT_EQ(file.names(), std::vector<std::string>{"w"});
  EXPECT_TRUE(
      file.tensor("w").bitEqual(Tensor::of<float>({2}, {135.0f, 135.0f})));
  TensorMap tensors;
  tensors.emplace("w", file.tensor("w"));
  EXPECT_EQ(result.digest, digestTensors(tensors));
  EXPECT_EQ(rows("parameters").back()["parameters"], result.digest);
}

TEST_F(TrainTest, folderHoldsWhatItShould) {
  run();
  auto program =
      nlohmann::json::parse(readFile(options.folder / "program.json"));
  EXPECT_EQ(program["program_digest"], "digest-of-train");
  EXPECT_EQ(program["numerics_version"], "1");
  EXPECT_EQ(readFile(options.folder / "curve.svg").find("<svg"), 0u);
  // Epochs end at steps 3, 6 and 9; the last two stay.
  auto checkpoints = options.folder / "checkpoints";
  EXPECT_FALSE(std::filesystem::exists(checkpoints / "step-3"));
  EXPECT_TRUE(std::filesystem::exists(checkpoints / "step-6"));
  auto state =
      nlohmann::json::parse(readFile(checkpoints / "step-9" / "state.json"));
  EXPECT_EQ(state["step"], 9);
  EXPECT_EQ(state["program_digest"], "digest-of-train");
  SafeTensors optimizer(checkpoints / "step-9" / "optimizer.safetensors");
  EXPECT_TRUE(
      optimizer.tensor("count").bitEqual(Tensor::of<float>({1}, {9.0f})));
  size_t entries = 0;
  for ([[maybe_unused]] const auto &item :
       std::filesystem::directory_iterator(checkpoints))
    ++entries;
  EXPECT_EQ(entries, 2u);
}

TEST_F(TrainTest, dropLastLeavesThePartialBatchOut) {
  options.recipe.dropLast = true;
  EXPECT_EQ(run().steps, 6);
}

TEST_F(TrainTest, shuffledEpochsFollowThePermutation) {
  options.recipe.shuffle = true;
  options.recipe.seed = 7;
  run();
  auto steps = rows("loss");
  for (uint64_t epoch = 1; epoch <= 3; ++epoch) {
    auto order = permutation(10, 7, epoch);
    double expected = double(order[0] + order[1] + order[2] + order[3]) / 4.0;
    EXPECT_EQ(steps[(epoch - 1) * 3]["loss"], expected);
  }
}

TEST_F(TrainTest, evaluatesAfterEachEpoch) {
  options.evalData = writeData("e", 6);
  run();
  auto evaluations = rows("eval_loss");
  ASSERT_EQ(evaluations.size(), 3u);
  EXPECT_NEAR(evaluations[0]["eval_loss"], 2.5, 1e-12);
  EXPECT_EQ(evaluations[0]["eval_samples"], 6);
  // x = 0 gives equal logits, of which the first one wins, and t is 1.
  EXPECT_EQ(evaluations[0]["eval_accuracy"], 5.0 / 6.0);
  EXPECT_FALSE(evaluations[0].contains("loss"));
}

TEST_F(TrainTest, stopsAfterTheStatedSteps) {
  options.maxSteps = 4;
  options.evalData = writeData("e", 6);
  EXPECT_EQ(run().steps, 4);
  EXPECT_EQ(rows("loss").size(), 4u);
  // The second epoch is not complete, so it is not evaluated.
  EXPECT_EQ(rows("eval_loss").size(), 1u);
  EXPECT_TRUE(std::filesystem::exists(options.folder / "checkpoints" /
                                      "step-4" / "parameters.safetensors"));
}

TEST_F(TrainTest, interruptedRunsSaveEverything) {
  struct Interrupter final : TrainObserver {
    explicit Interrupter(std::atomic<bool> &stop) : stop(stop) {}
    void step(const StepRecord &record) override { stop = record.step == 2; }
    std::atomic<bool> &stop;
  } interrupter(stop);
  observer = &interrupter;
  TrainResult result = run();
  EXPECT_TRUE(result.interrupted);
  EXPECT_EQ(result.steps, 2);
  EXPECT_TRUE(
      std::filesystem::exists(options.folder / "parameters.safetensors"));
}

TEST_F(TrainTest, fixedBatches) {
  fixedBatch = 5;
  EXPECT_EQ(failureOf([&] { run(); }),
            "3: m.onnx: the batch is fixed at 5; the recipe's batch_size is 4");
  options.recipe.batchSize = 0;
  EXPECT_EQ(run().steps, 6);
  options.start = RunStart::Replace;
  fixedBatch = 4;
  EXPECT_EQ(failureOf([&] { run(); }),
            "3: " + options.data.string() +
                ": 10 samples leave a batch of 2, and the model's batch is "
                "fixed at 4");
  fixedBatch = 11;
  EXPECT_EQ(failureOf([&] { run(); }),
            "3: " + options.data.string() +
                ": 10 samples do not fill a batch of 11");
}

namespace {
struct Listener final : TrainObserver {
  void warn(const std::string &message) override { warning = message; }
  std::string warning;
};
} // namespace

TEST_F(TrainTest, scalarsAreTrainedWithAWarning) {
  Listener listener;
  observer = &listener;
  run();
  EXPECT_EQ(listener.warning, "");
  hasScalar = true;
  options.start = RunStart::Replace;
  run();
  EXPECT_EQ(listener.warning.find("the scalar initializer 's' will be trained"),
            0u);
}

TEST_F(TrainTest, fixedBatchEvaluatesWholeBatches) {
  fixedBatch = 5;
  options.recipe.batchSize = 0;
  options.evalData = writeData("e", 7);
  Listener listener;
  observer = &listener;
  run();
  EXPECT_EQ(rows("eval_samples")[0]["eval_samples"], 5);
  EXPECT_NE(listener.warning.find("the last 2 samples are not evaluated"),
            std::string::npos);
}

TEST_F(TrainTest, anEarlierRunIsNotReplacedUnasked) {
  run();
  std::string log = readFile(options.folder / "log.jsonl");
  EXPECT_NE(failureOf([&] { run(); }).find("holds an earlier run"),
            std::string::npos);
  EXPECT_EQ(readFile(options.folder / "log.jsonl"), log);
  options.start = RunStart::Replace;
  options.maxSteps = 1;
  run();
  EXPECT_EQ(rows("loss").size(), 1u);
  EXPECT_FALSE(
      std::filesystem::exists(options.folder / "checkpoints" / "step-9"));
}

TEST_F(TrainTest, failuresLeaveNoFolder) {
  options.data = scratch / "missing";
  EXPECT_EQ(failureOf([&] { run(); }).substr(0, 2), "5:");
  EXPECT_FALSE(std::filesystem::exists(options.folder));
  writeFile(scratch / "file", "");
  options.folder = scratch / "file" / "run";
  EXPECT_EQ(failureOf([&] { run(); }).substr(0, 2), "5:");
}

TEST_F(TrainTest, dataMustFit) {
  TensorMap data;
  data.emplace("x", Tensor(ElementType::F32, {3}));
  auto failureOfData = [&] {
    writeSafeTensors(options.data.string(), data);
    std::string failure = failureOf([&] { run(); });
    size_t end = failure.find(": ", 3);
    return failure.substr(end + 2);
  };
  EXPECT_EQ(failureOfData(),
            "no tensor for the model's target 't'; the file has 'x'");
  data["t"] = Tensor(ElementType::I64, {4});
  EXPECT_EQ(failureOfData(), "'t' has 4 samples, 'x' has 3");
  data["t"] = Tensor(ElementType::I32, {3});
  EXPECT_EQ(failureOfData(), "target 't' is int32; the model wants int64");
  data["t"] = Tensor(ElementType::I64, {3});
  data["x"] = Tensor(ElementType::F32, {3, 2});
  EXPECT_EQ(failureOfData(), "input 'x' is [3,2]; the model wants [N]");
  data["x"] = Tensor(ElementType::F32, {3});
  data["z"] = Tensor(ElementType::F32, {3});
  EXPECT_EQ(failureOfData(), "'z' is not an input of the model; its inputs and "
                             "target are 'x', 't'");
  data["z"] = Tensor(ElementType::F32, {});
  EXPECT_EQ(failureOfData(),
            "'z' is a scalar; samples lie along the first dimension");
}

TEST_F(TrainTest, targetsAreClasses) {
  options.classes = 2;
  EXPECT_EQ(run().steps, 9);
  options.start = RunStart::Replace;
  options.classes = 1;
  EXPECT_EQ(failureOf([&] { run(); }),
            "3: " + options.data.string() +
                ": target 't': element 0 is 1; the model has classes 0 to 0");
  options.recipe.loss.ignoreIndex = 1;
  EXPECT_EQ(run().steps, 9);
  TensorMap data;
  data.emplace("x", Tensor(ElementType::F32, {2}));
  data.emplace("t", Tensor::of<int64_t>({2}, {0, -1}));
  writeSafeTensors(options.data.string(), data);
  EXPECT_NE(failureOf([&] { run(); }).find("element 1 is -1"),
            std::string::npos);
}
