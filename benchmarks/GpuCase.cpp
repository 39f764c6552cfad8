// See GpuCase.h.

#include "GpuCase.h"

#include "gensyn/Executable/Packages/Package.h"
#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Runtime/Devices/Devices.h"

#include <algorithm>
#include <utility>

namespace gensyn::bench {

using namespace runtime;

/// Numbers in [-4, 4), the same everywhere.
static std::vector<Tensor> makeInputs(const Signature &signature) {
  std::vector<Tensor> inputs;
  uint64_t state = 1;
  for (const Port &port : signature.inputs) {
    Tensor &tensor = inputs.emplace_back(port.type, port.shape);
    if (port.type != ElementType::F32)
      failBadInput("an input of the case is not of f32");
    for (float &element : tensor.span<float>()) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      element = float(state >> 40) * 0x1p-21f - 4;
    }
    // A second moment is not negative.
    if (port.name == "v")
      for (float &element : tensor.span<float>())
        element *= element;
  }
  return inputs;
}

static std::vector<Tensor> runOnCpu(const Package &package,
                                    const std::vector<Tensor> &inputs) {
  std::vector<std::string> targets;
  for (const std::string &set : nativeInstructionSets())
    targets.push_back("cpu:" + set);
  const std::string target = package.chooseTarget(targets);
  auto program = makeCpuDevice(target.substr(4), 0)
                     ->load(package.find(ProgramKind::Infer, target, 0));
  std::vector<const Tensor *> pointers;
  for (const Tensor &input : inputs)
    pointers.push_back(&input);
  std::vector<Tensor> outputs = makeOutputs(program->signature());
  program->run(pointers, outputs);
  return outputs;
}

static double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2,
                   values.end());
  return values[values.size() / 2];
}

namespace {

/// Times work with events in its stream.
class Stopwatch {
public:
  explicit Stopwatch(const cuda::DeviceContext &context) : context(context) {
    for (cuda::Event *event : {&begin, &end})
      context.driver.check(context.driver.cuEventCreate(event, 0),
                           "make an event");
  }
  ~Stopwatch() {
    context.driver.cuEventDestroy_v2(begin);
    context.driver.cuEventDestroy_v2(end);
  }

  /// Seconds of one of `times` runs.
  double measure(const Work &work, int times) const {
    const cuda::Driver &driver = context.driver;
    driver.check(driver.cuEventRecord(begin, context.compute), "start a watch");
    for (int i = 0; i < times; ++i)
      work();
    driver.check(driver.cuEventRecord(end, context.compute), "stop a watch");
    driver.check(driver.cuEventSynchronize(end), "wait for a watch");
    float milliseconds = 0;
    driver.check(driver.cuEventElapsedTime(&milliseconds, begin, end),
                 "read a watch");
    return double(milliseconds) * 1e-3 / times;
  }

private:
  const cuda::DeviceContext &context;
  cuda::Event begin = nullptr, end = nullptr;
};

} // namespace

/// Measures both alternately, so that clock changes and other users affect both
/// alike.
static void measurePairs(const cuda::DeviceContext &context, const Work &ours,
                         const Work &theirs, const Effort &effort,
                         Outcome &outcome) {
  Stopwatch watch(context);
  auto repeats = [&](const Work &work) {
    watch.measure(work, 1); // with everything cold
    double once = std::max(watch.measure(work, 1), 1e-6);
    return std::clamp(int(effort.seconds / once), 1, 1000);
  };
  const int ourTimes = effort.rounds > 1 ? repeats(ours) : 1;
  const int theirTimes = effort.rounds > 1 ? repeats(theirs) : 1;
  std::vector<double> ourSeconds, theirSeconds, ratios;
  for (int round = 0; round < effort.rounds; ++round) {
    ourSeconds.push_back(watch.measure(ours, ourTimes));
    theirSeconds.push_back(watch.measure(theirs, theirTimes));
    ratios.push_back(theirSeconds.back() / ourSeconds.back());
  }
  outcome.ours = median(ourSeconds);
  outcome.theirs = median(theirSeconds);
  outcome.ratio = median(ratios);
}

/// Throws if a baseline's result is not close to ours. Its order of additions
/// and its functions differ, but by far less than a hundredth.
static void compareResults(const cuda::DeviceContext &context,
                           Baseline &baseline, const Tensor &ours) {
  baseline.enqueue();
  if (!baseline.result())
    return;
  Tensor theirs(ours.elementType(), ours.shape());
  context.driver.check(context.driver.cuMemcpyDtoHAsync_v2(
                           theirs.data(), baseline.result(),
                           size_t(theirs.byteSize()), context.compute),
                       "copy a result");
  context.driver.check(context.driver.cuStreamSynchronize(context.compute),
                       "compute what is compared");
  double difference = 0, size = 0;
  for (int64_t i = 0; i < ours.numElements(); ++i) {
    const double a = ours.as<float>()[i];
    const double b = std::as_const(theirs).as<float>()[i];
    difference += (a - b) * (a - b);
    size += a * a;
  }
  // Also if one of them is NaN.
  if (!(difference <= 1e-4 * size))
    failUnsupported("it computes something else");
}

Outcome runCase(std::shared_ptr<cuda::DeviceContext> context,
                const nlohmann::json &facts,
                const std::filesystem::path &folder, const Effort &effort) {
  Package package(folder / facts.at("package").get<std::string>());
  std::vector<std::string> wanted;
  for (int sm : {120, 100, 90, 89, 86, 80, 75})
    if (sm <= context->capability)
      wanted.push_back("ptx:sm_" + std::to_string(sm));
  auto executable =
      package.find(ProgramKind::Infer, package.chooseTarget(wanted), 0);
  cuda::CudaProgram program(executable, context);
  const Signature &signature = program.signature();

  const std::vector<Tensor> inputs = makeInputs(signature);
  std::vector<const Tensor *> staged;
  for (const Tensor &input : inputs)
    staged.push_back(&input);
  std::vector<Value *> kept(inputs.size(), nullptr);
  std::vector<Value> outputs;
  Outcome outcome;
  for (const Port &port : signature.outputs)
    outcome.bytes +=
        uint64_t(outputs.emplace_back(port.type, port.shape).byteSize());
  for (const Tensor &input : inputs)
    outcome.bytes += uint64_t(input.byteSize());
  program.stage(staged);
  program.begin(kept, outputs);
  program.end();

  const std::vector<Tensor> expected = runOnCpu(package, inputs);
  outcome.isEqual = true;
  for (size_t j = 0; j < expected.size(); ++j)
    outcome.isEqual &= outputs[j].read().bitEqual(expected[j]);

  try {
    auto baseline = makeBaseline(context, facts, folder, inputs, outcome.bytes);
    compareResults(*context, *baseline, expected.front());
    measurePairs(
        *context, [&] { program.repeat(); }, [&] { baseline->enqueue(); },
        effort, outcome);
  } catch (const Failure &failure) {
    outcome.problem = failure.what();
  }
  return outcome;
}

} // namespace gensyn::bench
