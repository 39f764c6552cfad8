// A small training run, on a device that computes in C++ what a compiled
// program would.
#ifndef GENSYN_TEST_UNIT_RUNTIME_TRAINFIXTURE_H
#define GENSYN_TEST_UNIT_RUNTIME_TRAINFIXTURE_H

#include "../../Executable/PlanBuilder.h"
#include "../../Executable/TestFiles.h"
#include "gensyn/Executable/Formats/SafeTensors.h"
#include "gensyn/Executable/Support/Json.h"
#include "gensyn/Executable/plan.pb.h"
#include "gensyn/Runtime/Training/Train.h"

#include <gtest/gtest.h>

namespace gensyn::test {

using namespace runtime;

/// logits[n,2] = x[n] * w; loss = mean of x; training adds the sum of x to w
/// and counts in a state.
class FakeProgram final : public Program {
public:
  using Program::Program;
  void run(std::span<const Tensor *const> inputs,
           std::span<Tensor> outputs) override {
    const Tensor &w = *inputs[0], &x = *inputs[2];
    float sum = 0;
    for (float value : x.span<float>())
      sum += value;
    if (executable().kind() == "train") {
      for (int c = 0; c < 2; ++c)
        outputs[0].as<float>()[c] = w.as<float>()[c] + sum;
      outputs[1].as<float>()[0] = inputs[1]->as<float>()[0] + 1;
      *outputs[2].as<float>() = sum / float(x.numElements());
      *outputs[3].as<float>() = 0.5f;
      return;
    }
    for (int64_t i = 0; i < x.numElements(); ++i)
      for (int c = 0; c < 2; ++c)
        outputs[0].as<float>()[2 * i + c] =
            x.as<float>()[i] * float(c ? 1 : -1);
    *outputs[1].as<float>() = sum / float(x.numElements());
  }
};

/// A batch of 0 in `fixed` means that any batch can be had.
inline std::unique_ptr<Program> makeFake(const std::string &kind, int64_t batch,
                                         int64_t fixed = 0,
                                         bool hasScalar = false) {
  auto executable = std::make_shared<plan::Executable>();
  executable->set_version(1);
  executable->set_kind(kind);
  executable->set_program_digest("digest-of-" + kind);
  executable->set_numerics_version("1");
  plan::Plan &plan = *executable->mutable_plan();
  int64_t n = fixed ? fixed : batch;
  addInput(plan, "w", "parameter", {2})
      .mutable_initial()
      ->set_literal(std::string(8, '\0'));
  addInput(plan, "count", "state", {1}).mutable_initial()->set_fill(0);
  addInput(plan, "x", "input", {n});
  addInput(plan, "t", "target", {n}, "i64");
  if (hasScalar)
    addInput(plan, "s", "parameter", {}).mutable_initial()->set_fill(1);
  if (kind == "train") {
    addOutput(plan, "w", "parameter", {2}, 0);
    addOutput(plan, "count", "state", {1}, 1);
  } else {
    addOutput(plan, "logits", "output", {n, 2});
  }
  addOutput(plan, "loss", "loss", {});
  if (kind == "train")
    addOutput(plan, "lr", "metric", {});
  return std::make_unique<FakeProgram>(executable);
}

/// A data set of x = 0, 1, 2, ... and t = 1, and a run over it.
class TrainTest : public testing::Test {
protected:
  TrainTest() {
    options.recipe = parseRecipe(
        R"({"loss": {"kind": "softmax_cross_entropy", "target": "t"},
            "optimizer": {"kind": "SGD", "lr": 0.5},
            "batch_size": 4, "epochs": 3})",
        "r");
    options.model = "m.onnx";
    options.recipeFile = "r";
    options.folder = scratch / "run";
    options.data = writeData("d", 10);
  }

  std::filesystem::path writeData(const std::string &name, int64_t samples) {
    std::vector<float> x;
    for (int64_t i = 0; i < samples; ++i)
      x.push_back(float(i));
    TensorMap data;
    data.emplace("x", Tensor::of<float>({samples}, x));
    data.emplace("t", Tensor::of<int64_t>(
                          {samples}, std::vector<int64_t>(size_t(samples), 1)));
    writeSafeTensors(scratch / name, data);
    return scratch / name;
  }

  TrainResult run() {
    return train(
        options,
        [&](const ProgramRequest &request) {
          return makeFake(std::string(name(request.kind)), request.batchSize,
                          fixedBatch, hasScalar);
        },
        observer ? *observer : silent, stop);
  }

  std::vector<nlohmann::json> rows(const std::string &key) {
    std::vector<nlohmann::json> result;
    std::istringstream lines(readFile(options.folder / "log.jsonl"));
    for (std::string line; std::getline(lines, line);)
      if (auto row = nlohmann::json::parse(line); row.contains(key))
        result.push_back(row);
    return result;
  }

  ScratchFolder scratch;
  TrainOptions options;
  TrainObserver silent;
  TrainObserver *observer = nullptr;
  std::atomic<bool> stop{false};
  int64_t fixedBatch = 0;
  bool hasScalar = false;
};

} // namespace gensyn::test

#endif
