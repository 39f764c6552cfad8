// Compiles a frozen function and runs it here.

#include "gensyn/CheckBits/Compiled.h"
#include "FirstError.h"

#include "gensyn/Codegen/Cpu/Compile.h"
#include "gensyn/Codegen/Gpu/Compile.h"
#include "gensyn/Codegen/Mapping/Compile.h"
#include "gensyn/Dialect/Gensyn/IR/Gensyn.h"
#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Dialect/Task/IR/Task.h"
#include "gensyn/Executable/mapping.pb.h"
#include "gensyn/Machine/Writers.h"
#include "gensyn/Pipelines/Stages.h"
#include "gensyn/Translation/Ptx/Ptx.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace gensyn::checkbits {

static void setPort(Type type, StringRef name, Role role,
                    plan::TensorSpec &spec) {
  auto tensor = cast<RankedTensorType>(type);
  spec.set_name(name.str());
  spec.set_role(std::string(gensyn::name(role)));
  spec.set_element_type(std::string(
      gensyn::name(*repro::getElementType(tensor.getElementType()))));
  for (int64_t extent : tensor.getShape())
    spec.add_shape(extent);
}

/// The plan and its PTX as a program that a device loads. Its ports have their
/// numbers for names.
static std::shared_ptr<const plan::Executable>
makeExecutable(func::FuncOp function, const plan::Plan &plan,
               StringRef architecture, const std::string &text) {
  auto executable = std::make_shared<plan::Executable>();
  executable->set_version(2);
  *executable->mutable_plan() = plan;
  for (auto [i, type] : llvm::enumerate(function.getArgumentTypes()))
    setPort(type, std::to_string(i),
            program::getRole(function, unsigned(i)).value_or(Role::Input),
            *executable->mutable_plan()->add_inputs());
  for (auto [i, type] : llvm::enumerate(function.getResultTypes()))
    setPort(type, std::to_string(i), Role::Output,
            *executable->mutable_plan()->add_outputs());
  plan::Code &code = *executable->add_code();
  code.set_target(architecture.str());
  code.set_data(text);
  return executable;
}

/// Maps a function of kernels to a machine. A module that has tasks keeps them.
static LogicalResult mapCopy(func::FuncOp function, StringRef machine,
                             const cpu::CompileOptions &host,
                             plan::Executable &executable) {
  auto module = function->getParentOfType<ModuleOp>();
  if (module.getOps<task::SegmentOp>().empty()) {
    PassManager pipeline(module->getContext());
    mapping::addMappingPasses(pipeline, machine);
    if (failed(pipeline.run(module)))
      return failure();
  }
  auto description = mapping::loadMachine(machine, module.getLoc());
  if (failed(description) ||
      failed(mapping::buildPlan(function, *executable.mutable_plan())))
    return failure();
  mapping::Mapping mapping;
  auto object = mapping::exportMapping(module, *description, executable.plan(),
                                       host, mapping);
  if (failed(object))
    return failure();
  executable.set_mapping(mapping.SerializeAsString());
  plan::Code &code = *executable.add_code();
  code.set_target(std::string(host.target->name));
  code.set_data(std::move(*object));
  return success();
}

llvm::Expected<Compiled> Compiled::compile(func::FuncOp function,
                                           StringRef target,
                                           ArrayRef<std::string> emulator,
                                           bool optimize) {
  FirstError error(function.getContext());
  auto fail = [&](const llvm::Twine &what) {
    return llvm::createStringError(
        what + (error.get().empty() ? "" : ": " + error.get()));
  };
  OwningOpRef<ModuleOp> module(
      cast<ModuleOp>(function->getParentOfType<ModuleOp>()->clone()));
  auto copy = module->lookupSymbol<func::FuncOp>(function.getName());
  Compiled result;
  for (Type type : copy.getResultTypes()) {
    auto tensor = cast<RankedTensorType>(type);
    result.results.push_back({*repro::getElementType(tensor.getElementType()),
                              tensor.getShape().vec()});
  }
  auto [device, name] = target.split(':');
  if (copy.getOps<repro::KernelOp>().empty()) {
    PassManager pipeline(module->getContext());
    buildKernelStage(pipeline, device == "cuda" ? "ptx" : device,
                     /*alwaysAll=*/true);
    if (failed(pipeline.run(*module)))
      return fail("no kernels form");
  }
  if (device == "cpu") {
    cpu::CompileOptions options;
    options.target = machine::findCpu(name);
    options.threads = 1;
    options.optimize = optimize;
    if (!options.target)
      return fail("no instruction set is called '" + name + "'");
    auto object = cpu::compile(copy, options, result.plan);
    if (failed(object))
      return fail("does not compile for " + target);
    if (!emulator.empty()) {
      auto code = EmulatedCode::load(emulator, result.plan, *object);
      if (!code)
        return code.takeError();
      result.emulated.emplace(std::move(*code));
      return result;
    }
    auto code = loadCode(*object);
    if (!code)
      return code.takeError();
    result.native.emplace(std::move(*code));
    return result;
  }
  if (device == "machine") {
    cpu::CompileOptions host;
    host.target = machine::getNativeCpus().back();
    host.threads = 1;
    host.optimize = optimize;
    result.mapped = std::make_unique<plan::Executable>();
    if (failed(mapCopy(copy, name, host, *result.mapped)))
      return fail("does not compile for " + target);
    result.plan = result.mapped->plan();
    auto program = loadOnMachine(*result.mapped);
    if (!program)
      return program.takeError();
    result.onMachine = std::move(*program);
    return result;
  }
  const machine::Gpu *gpu = machine::findGpu(name);
  if ((device != "ptx" && device != "cuda") || !gpu)
    return fail("no target is called '" + target + "'");
  const gpu::Target &machine = gpu::getTarget(*gpu);
  copy.walk([&](repro::KernelOp kernel) {
    gpu::ScheduleChoice choice =
        gpu::chooseSchedule(gpu::getSchedules(), kernel, machine);
    result.schedules.push_back(
        choice.schedule ? choice.schedule->getName().str() : "baseline");
  });
  auto lowered = gpu::compile(copy, machine, result.plan);
  FailureOr<std::string> text = failure();
  if (succeeded(lowered))
    text = ptx::translateToPtx(**lowered, machine);
  if (failed(text))
    return fail("does not compile for " + target);
  result.text = *text;
  if (device == "cuda") {
    auto program = loadOnGpu(makeExecutable(copy, result.plan, name, *text));
    if (!program)
      return program.takeError();
    result.onGpu = std::move(*program);
    return result;
  }
  auto code = ptx::Module::parse(*text);
  if (!code)
    return fail("the simulator does not understand the PTX: " +
                code.error().message);
  result.ptx = *code;
  return result;
}

llvm::Expected<std::vector<Tensor>>
Compiled::run(ArrayRef<Tensor> inputs, int64_t pieces,
              std::vector<uint64_t> *positions) const {
  std::vector<Tensor> outputs;
  for (const auto &[element, shape] : results)
    outputs.emplace_back(element, shape);
  auto faults = native      ? runOnCpu(plan, *native, inputs, outputs, pieces)
                : emulated  ? emulated->run(inputs, outputs, pieces)
                : onMachine ? runOnMachine(plan, *onMachine, inputs, outputs)
                : onGpu     ? runOnGpu(*onGpu, inputs, outputs)
                            : runOnPtxSim(plan, *ptx, inputs, outputs);
  if (!faults)
    return faults.takeError();
  if (positions)
    *positions = *faults;
  return outputs;
}

/// The number of an element of a tensor, row-major.
static uint64_t flatten(ArrayRef<int64_t> index, ArrayRef<int64_t> shape) {
  uint64_t element = 0;
  for (auto [i, extent] : llvm::zip_equal(index, shape))
    element = element * uint64_t(extent) + uint64_t(i);
  return element;
}

std::string Compiled::describeWriter(const Difference &difference) const {
  if (!onMachine)
    return "";
  SmallVector<uint32_t> buffers;
  for (int i = 0; i < plan.buffers_size(); ++i)
    if (plan.buffers(i).place_case() == plan::Buffer::kOutput &&
        plan.buffers(i).output() == difference.result)
      buffers.push_back(uint32_t(i));
  auto find = [&](uint64_t element) {
    std::string writer;
    for (uint32_t buffer : buffers)
      if (writer.empty())
        writer = machine::findWriter(onMachine->machine(), plan,
                                     onMachine->mapping(), buffer,
                                     element * byteWidth(difference.type));
    return writer;
  };
  // A result that is an argument, say, has no task.
  if (buffers.empty())
    return "";
  ArrayRef<int64_t> shape = results[difference.result].second;
  const uint64_t element = flatten(difference.index, shape);
  if (std::string writer = find(element); !writer.empty())
    return writer + " stored it";
  auto describeNeighbor = [](uint64_t other, const std::string &writer) {
    return "no task stored it; " + writer + " stored element " +
           std::to_string(other);
  };
  for (uint64_t before = element; before--;)
    if (std::string writer = find(before); !writer.empty())
      return describeNeighbor(before, writer);
  for (uint64_t after = element + 1;
       after < uint64_t(ShapedType::getNumElements(shape)); ++after)
    if (std::string writer = find(after); !writer.empty())
      return describeNeighbor(after, writer);
  return "no task stored it";
}

std::string Compiled::describeCounters(uint32_t slot, uint64_t element) const {
  if (!onMachine)
    return "";
  const std::vector<std::string> tasks = machine::findFaultCounters(
      onMachine->machine(), plan, onMachine->mapping(), slot, element);
  return (tasks.empty() ? "no task" : llvm::join(tasks, " and ")) +
         " counted element " + std::to_string(element);
}

std::vector<std::string> getCpuTargets() {
  std::vector<std::string> result;
  const std::vector<const machine::Cpu *> native = machine::getNativeCpus();
  for (const machine::Cpu *cpu : native)
    if (cpu->byteProducts == machine::ByteProducts::None ||
        cpu == native.back())
      result.push_back("cpu:" + std::string(cpu->name));
  return result;
}

} // namespace gensyn::checkbits
