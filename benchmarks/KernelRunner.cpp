// See KernelRunner.h.

#include "KernelRunner.h"

#include "gensyn/Codegen/Emit/Models.h"
#include "gensyn/Dialect/Gensyn/IR/Gensyn.h"
#include "gensyn/Dialect/Repro/Transforms/Passes.h"
#include "gensyn/Machine/Cpu.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <random>

using namespace mlir;

namespace gensyn::cpu {

namespace {
[[noreturn]] void fail(const char *what) {
  std::fprintf(stderr, "KernelRunner: %s\n", what);
  std::abort();
}

std::vector<int64_t> shapeOf(Type type) {
  ArrayRef<int64_t> shape = cast<RankedTensorType>(type).getShape();
  return {shape.begin(), shape.end()};
}
ElementType elementOf(Type type) {
  return *repro::getElementType(cast<RankedTensorType>(type).getElementType());
}
std::vector<Tensor> tensorsOf(TypeRange types) {
  std::vector<Tensor> tensors;
  for (Type type : types)
    tensors.emplace_back(elementOf(type), shapeOf(type));
  return tensors;
}
} // namespace

struct KernelRunner::State {
  MLIRContext context{[] {
    DialectRegistry registry;
    emit::registerElementModels(registry);
    registry.insert<func::FuncDialect, program::GensynDialect>();
    return registry;
  }()};
  OwningOpRef<ModuleOp> original, kernels;
  std::unique_ptr<runtime::Device> device;
  std::unique_ptr<runtime::Program> program;
  std::vector<runtime::Value> kept; ///< empty ones for inputs that are not

  bool isKept(unsigned input) const {
    return function(*original).getArgAttr(input, program::kRoleAttr) != nullptr;
  }
  func::FuncOp function(ModuleOp module) const {
    return *module.getOps<func::FuncOp>().begin();
  }
};

KernelRunner::KernelRunner(const std::string &text)
    : state(std::make_unique<State>()) {
  state->original = parseSourceString<ModuleOp>(text, &state->context);
  if (!state->original)
    fail("the text does not parse");
  state->kernels = cast<ModuleOp>((*state->original)->clone());
  PassManager passes(&state->context);
  passes.addNestedPass<func::FuncOp>(repro::createFormKernelsPass());
  repro::FuseKernelsPassOptions fusion;
  fusion.forms = {"prologues"};
  passes.addPass(repro::createFuseKernelsPass(fusion));
  if (failed(passes.run(*state->kernels)))
    fail("no kernels");
}

KernelRunner::~KernelRunner() = default;

void KernelRunner::compile(const std::string &target, unsigned threads,
                           const std::string &schedule) {
  Attribute attribute;
  if (!schedule.empty()) {
    attribute = parseAttribute(schedule, &state->context);
    if (!attribute)
      fail("the schedule does not parse");
  }
  state->kernels->walk([&](repro::KernelOp kernel) {
    if (attribute)
      kernel.setScheduleAttr(attribute);
    else
      kernel.removeScheduleAttr();
  });
  func::FuncOp function = state->function(*state->kernels);
  auto executable = std::make_shared<plan::Executable>();
  executable->set_version(1);
  plan::Plan &plan = *executable->mutable_plan();
  CompileOptions options;
  options.target = machine::findCpu(target);
  options.threads = 1;
  auto code = cpu::compile(function, options, plan);
  if (llvm::failed(code))
    fail("compilation failed");
  auto describe = [](plan::TensorSpec &spec, const std::string &name,
                     StringRef role, Type type) {
    spec.set_name(name);
    spec.set_role(role.str());
    spec.set_element_type(std::string(gensyn::name(elementOf(type))));
    for (int64_t extent : shapeOf(type))
      spec.add_shape(extent);
  };
  FunctionType type = function.getFunctionType();
  plan.clear_inputs();
  plan.clear_outputs();
  plan.clear_donated();
  for (auto [i, input] : llvm::enumerate(type.getInputs()))
    describe(*plan.add_inputs(), "x" + std::to_string(i),
             state->isKept(unsigned(i)) ? "parameter" : "input", input);
  for (auto [i, result] : llvm::enumerate(type.getResults())) {
    describe(*plan.add_outputs(), "y" + std::to_string(i), "output", result);
    plan.add_donated(-1);
  }
  plan::Code &part = *executable->add_code();
  part.set_target(target);
  part.set_data(*code);
  state->program.reset();
  state->kept.clear();
  state->device = runtime::makeCpuDevice(target, threads);
  state->program = state->device->load(executable);
}

std::vector<Tensor> KernelRunner::makeInputs() const {
  return tensorsOf(
      state->function(*state->original).getFunctionType().getInputs());
}
std::vector<Tensor> KernelRunner::makeOutputs() const {
  return tensorsOf(
      state->function(*state->original).getFunctionType().getResults());
}

void KernelRunner::run(const std::vector<Tensor> &inputs,
                       std::vector<Tensor> &outputs) {
  std::vector<const Tensor *> pointers;
  std::vector<runtime::Value *> values;
  const bool isFirst = state->kept.empty();
  for (auto [i, input] : llvm::enumerate(inputs)) {
    const bool isKept = state->isKept(unsigned(i));
    if (isFirst)
      state->kept.push_back(isKept ? runtime::Value(input) : runtime::Value());
    pointers.push_back(isKept ? nullptr : &input);
  }
  for (auto [i, pointer] : llvm::enumerate(pointers))
    values.push_back(pointer ? nullptr : &state->kept[i]);
  std::vector<runtime::Value> results;
  for (Tensor &output : outputs)
    results.emplace_back(std::move(output));
  state->program->stage(pointers);
  state->program->begin(values, results);
  state->program->end();
  for (auto [output, result] : llvm::zip_equal(outputs, results))
    output = result.read();
}

std::vector<Tensor>
KernelRunner::evaluate(const std::vector<Tensor> &inputs) const {
  auto results = repro::evaluateBlock(
      state->function(*state->original).getBody().front(), inputs);
  if (llvm::failed(results))
    fail("the ops cannot be evaluated");
  return {results->begin(), results->end()};
}

Settings::Settings(int argc, char **argv) {
  if (argc > 1)
    repetitions = std::max(1, std::atoi(argv[1]));
  if (argc > 2)
    target = argv[2];
  if (const machine::Cpu *cpu = machine::findCpu(target);
      cpu && cpu->isNative())
    return;
  std::fprintf(stderr,
               "%s: '%s' is no instruction set of this processor; it has",
               argv[0], target.c_str());
  for (const machine::Cpu *cpu : machine::getNativeCpus())
    std::fprintf(stderr, " %s", std::string(cpu->name).c_str());
  std::fputs("\n", stderr);
  std::exit(2);
}

double processorSeconds() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) +
         1e-9 * static_cast<double>(time.tv_nsec);
}

double processorSeconds(const std::function<void()> &run) {
  const double start = processorSeconds();
  run();
  return processorSeconds() - start;
}

void fillNormal(std::vector<Tensor> &tensors) {
  std::mt19937 random(1);
  std::normal_distribution<float> normal;
  for (Tensor &tensor : tensors)
    std::generate_n(tensor.as<float>(), tensor.numElements(),
                    [&] { return normal(random); });
}

} // namespace gensyn::cpu
