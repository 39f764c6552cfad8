#include "RunProgram.h"

#include "Emulator/Emulator.h"
#include "gensyn/CheckBits/EmulatedCode.h"
#include "gensyn/Codegen/Emit/Models.h"
#include "gensyn/Dialect/Gensyn/IR/Gensyn.h"
#include "gensyn/Dialect/Repro/IR/Faults.h"
#include "gensyn/Dialect/Repro/Transforms/Passes.h"
#include "gensyn/Numerics/Dispatch.h"
#include "gensyn/Numerics/NarrowConvert.h"
#include "gensyn/Reference/Interpreter.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/xxhash.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <gtest/gtest.h>
#include <sstream>

using namespace mlir;

namespace gensyn::cpu::testing {

static std::vector<const Target *> getAllTargets() {
  const char *listed = std::getenv("GENSYN_TEST_TARGETS");
  if (!listed)
    return machine::getNativeCpus();
  std::vector<const Target *> targets;
  for (StringRef name : llvm::split(listed, ','))
    if (const Target *target = machine::findCpu(name))
      targets.push_back(target);
    else
      ADD_FAILURE() << "no instruction set is called " << name.str();
  return targets;
}

static std::vector<const Target *> selectTargets(bool multiplyBytes) {
  std::vector<const Target *> targets = getAllTargets();
  llvm::erase_if(targets, [&](const Target *target) {
    return multiplyBytes ==
           (target->byteProducts == machine::ByteProducts::None);
  });
  return targets;
}

std::vector<const Target *> getRunnableTargets() {
  return selectTargets(false);
}

std::vector<const Target *> getByteTargets() { return selectTargets(true); }

bool isInTurn(uint64_t number, uint64_t of) {
  static const bool isAll = std::getenv("GENSYN_TEST_ALL") != nullptr;
  return isAll || number % of == 0;
}

Program::Program(const std::string &text) : turn(llvm::xxh3_64bits(text)) {
  DialectRegistry registry;
  emit::registerElementModels(registry);
  registry.insert<func::FuncDialect>();
  context = std::make_unique<MLIRContext>(registry);
  context->loadAllAvailableDialects();
  module = parseSourceString<ModuleOp>(text, context.get());
  if (!module)
    ADD_FAILURE() << "does not parse: " << text;
}

func::FuncOp Program::getFunction() {
  return *module->getOps<func::FuncOp>().begin();
}

void Program::setLasting(unsigned operand) {
  getFunction().setArgAttr(
      operand, program::kRoleAttr,
      program::getRoleAttr(context.get(), Role::Parameter));
}

static void fillFloat(uint64_t *out, std::mt19937 &random, int mantissa,
                      int width) {
  const int exponent = width - 1 - mantissa;
  const uint64_t infinity = ((1ull << exponent) - 1) << mantissa;
  const uint64_t sign = 1ull << (width - 1);
  const uint64_t specials[] = {0,
                               1,
                               2,
                               (1ull << mantissa) - 1,
                               1ull << mantissa,
                               infinity - 1,
                               infinity,
                               infinity + 1,
                               infinity | (1ull << (mantissa - 1)),
                               infinity | (1ull << (mantissa - 1)) | 0x15,
                               infinity >> 1};
  uint64_t bits = (static_cast<uint64_t>(random()) << 32) | random();
  switch (random() % 4) {
  case 0:
    bits = specials[random() % std::size(specials)] | (random() % 2 ? sign : 0);
    break;
  case 1: // any bits
    break;
  default: { // near 1
    const uint64_t one = ((1ull << (exponent - 1)) - 1) << mantissa;
    const uint64_t spread = (random() % 10) << mantissa;
    bits = (one - (5ull << mantissa) + spread) |
           (bits & ((1ull << mantissa) - 1)) | (random() % 2 ? sign : 0);
  }
  }
  *out = bits;
}

static Tensor makeTensor(RankedTensorType type, std::mt19937 &random) {
  const ElementType element = *repro::getElementType(type.getElementType());
  Tensor tensor(element, std::vector<int64_t>(type.getShape()));
  const auto bytes = static_cast<size_t>(byteWidth(element));
  std::byte *data = tensor.data();
  for (int64_t i = 0; i < tensor.numElements(); ++i) {
    uint64_t bits = (static_cast<uint64_t>(random()) << 32) | random();
    if (isStorageOnly(element) && bytes == 1)
      bits &= (1u << bitWidth(element)) - 1;
    else if (element == ElementType::I1)
      bits &= 1;
    else if (element == ElementType::F32)
      fillFloat(&bits, random, 23, 32);
    else if (element == ElementType::F64)
      fillFloat(&bits, random, 52, 64);
    else if (element == ElementType::F16)
      fillFloat(&bits, random, 10, 16);
    else if (element == ElementType::BF16)
      fillFloat(&bits, random, 7, 16);
    else if (random() % 2)
      bits = static_cast<uint64_t>(static_cast<int64_t>(random() % 9) - 4);
    else if (random() % 4 == 0)
      bits = 1ull << (bitWidth(element) - 1);
    std::memcpy(data + static_cast<size_t>(i) * bytes, &bits, bytes);
  }
  return tensor;
}

std::vector<Tensor> Program::makeInputs(uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<Tensor> inputs;
  for (Type type : getFunction().getArgumentTypes())
    inputs.push_back(makeTensor(cast<RankedTensorType>(type), random));
  return inputs;
}

std::vector<Tensor> Program::makeFiniteInputs(uint32_t seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  std::vector<Tensor> inputs = makeInputs(seed);
  for (Tensor &input : inputs) {
    for (int64_t i = 0; i < input.numElements(); ++i) {
      const uint32_t draw = random() % 16;
      const float scale = draw == 0 ? 0.0f : draw == 1 ? 1e-30f : 1.0f;
      const float value = normal(random) * scale;
      dispatch(input.elementType(), [&](auto tag) {
        using T = typename decltype(tag)::type;
        if constexpr (IsNarrowFloat<T>) {
          const T narrow = narrowTo<T>(std::clamp(value, -2.0f, 2.0f));
          std::memcpy(input.data() + size_t(i) * sizeof(T), &narrow, sizeof(T));
        } else if constexpr (std::is_same_v<T, float>) {
          input.as<float>()[i] = value;
        } else if constexpr (std::is_same_v<T, double>) {
          input.as<double>()[i] = value * 1.1;
        }
      });
    }
  }
  return inputs;
}

std::vector<Tensor> Program::interpret(const std::vector<Tensor> &inputs) {
  repro::FaultScope scope;
  auto results = reference::interpret(getFunction(), inputs);
  faults.clear();
  for (auto [op, position] : scope.slots())
    faults.push_back(position);
  std::sort(faults.begin(), faults.end());
  if (failed(results)) {
    ADD_FAILURE() << "the reference fails";
    return {};
  }
  return std::vector<Tensor>(results->begin(), results->end());
}

OwningOpRef<ModuleOp> Program::formKernels() {
  OwningOpRef<ModuleOp> copy(cast<ModuleOp>(module.get()->clone()));
  PassManager passes(context.get());
  passes.addNestedPass<func::FuncOp>(repro::createFormKernelsPass());
  repro::FuseKernelsPassOptions fusion;
  llvm::append_range(fusion.forms, forms);
  fusion.contractedBytes = 0;
  passes.addPass(repro::createFuseKernelsPass(fusion));
  if (failed(passes.run(*copy))) {
    ADD_FAILURE() << "no kernels";
    return {};
  }
  if (schedule)
    copy->walk(
        [&](repro::KernelOp kernel) { kernel.setScheduleAttr(schedule); });
  return copy;
}

std::vector<Tensor> Program::run(const std::vector<Tensor> &inputs,
                                 const CompileOptions &options,
                                 int64_t pieces) {
  Compiled compiled(*this, options);
  std::vector<Tensor> outputs = compiled.run(inputs, pieces);
  faults = compiled.faults;
  return outputs;
}

struct Compiled::Code {
  plan::Plan plan;
  /// Of the results; without data.
  std::vector<std::pair<ElementType, std::vector<int64_t>>> results;
  std::optional<runtime::SharedObject> native;
  std::optional<checkbits::EmulatedCode> emulated;

  llvm::Error load(const Target &target, StringRef library);
};

llvm::Error Compiled::Code::load(const Target &target, StringRef library) {
  if (target.isNative()) {
    auto code = checkbits::loadCode(library);
    if (!code)
      return code.takeError();
    native.emplace(std::move(*code));
    return llvm::Error::success();
  }
  const std::vector<std::string> emulator =
      gensyn::testing::findEmulator(target);
  if (emulator.empty())
    return llvm::createStringError("there is no emulator of " +
                                   std::string(target.name));
  auto code = checkbits::EmulatedCode::load(emulator, plan, library);
  if (!code)
    return code.takeError();
  emulated.emplace(std::move(*code));
  return llvm::Error::success();
}

Compiled::Compiled(Program &program, const CompileOptions &options) {
  OwningOpRef<ModuleOp> kernels = program.formKernels();
  if (!kernels)
    return;
  func::FuncOp function = *kernels->getOps<func::FuncOp>().begin();
  auto made = std::make_unique<Code>();
  auto library = compile(function, options, made->plan);
  if (failed(library)) {
    ADD_FAILURE() << "does not compile";
    return;
  }
  for (Type type : function.getResultTypes()) {
    auto tensor = cast<RankedTensorType>(type);
    made->results.emplace_back(*repro::getElementType(tensor.getElementType()),
                               tensor.getShape());
  }
  if (llvm::Error error = made->load(*options.target, *library))
    ADD_FAILURE() << llvm::toString(std::move(error));
  else
    code = std::move(made);
}

Compiled::~Compiled() = default;

std::vector<Tensor> Compiled::run(const std::vector<Tensor> &inputs,
                                  int64_t pieces) {
  if (!code)
    return {};
  std::vector<Tensor> outputs;
  for (const auto &[element, shape] : code->results)
    outputs.emplace_back(element, shape);
  auto positions = code->native ? checkbits::runOnCpu(code->plan, *code->native,
                                                      inputs, outputs, pieces)
                                : code->emulated->run(inputs, outputs, pieces);
  if (!positions) {
    ADD_FAILURE() << llvm::toString(positions.takeError());
    return {};
  }
  faults = checkbits::faultsOf(*positions);
  return outputs;
}

void expectBits(Program &program, std::unique_ptr<Schedule> schedule,
                const Target &target,
                const std::vector<std::vector<Tensor>> &cases) {
  Schedules schedules;
  schedules.push_back(std::move(schedule));
  schedules.push_back(createBaselineSchedule());
  expectBits(program, schedules, target, cases);
}

void expectBits(Program &program, const Schedules &schedules,
                const Target &target,
                const std::vector<std::vector<Tensor>> &cases) {
  SCOPED_TRACE(target.name);
  CompileOptions options;
  options.target = &target;
  options.schedules = &schedules;
  options.plan.preparedBytes = uint64_t(1) << 30;
  Compiled compiled(program, options);
  for (const std::vector<Tensor> &inputs : cases) {
    std::vector<Tensor> expected = program.interpret(inputs);
    std::vector<Tensor> actual = compiled.run(inputs);
    ASSERT_EQ(actual.size(), expected.size());
    for (size_t i = 0; i < expected.size(); ++i)
      EXPECT_EQ(firstDifference(expected[i], actual[i]), "") << "result " << i;
  }
}

std::vector<std::string> schedulesOf(const std::string &text) {
  Program program(text);
  func::FuncOp function = program.getFunction();
  PassManager passes(function.getContext());
  passes.addNestedPass<func::FuncOp>(repro::createFormKernelsPass());
  if (failed(passes.run(function->getParentOp())))
    return {"no kernels"};
  std::vector<std::string> names;
  const Target &target = *machine::findCpu("x86-64-v4");
  function.walk([&](repro::KernelOp kernel) {
    names.push_back(chooseSchedule(getSchedules(), kernel, target)
                        .schedule->getName()
                        .str());
  });
  if (names.empty())
    names.push_back("no kernels");
  return names;
}

void expectBits(const std::string &text, uint32_t seed) {
  SCOPED_TRACE(text);
  Program program(text);
  if (!::testing::Test::HasFailure())
    expectBitsOnTargets(program, program.makeInputs(seed));
}

void expectBits(const std::string &text, const std::vector<Tensor> &inputs) {
  SCOPED_TRACE(text);
  Program program(text);
  if (!::testing::Test::HasFailure())
    expectBitsOnTargets(program, inputs);
}

std::string firstDifference(const Tensor &expected, const Tensor &actual) {
  const auto bytes = static_cast<size_t>(byteWidth(expected.elementType()));
  for (int64_t i = 0; i < expected.numElements(); ++i) {
    uint64_t a = 0, b = 0;
    const size_t at = static_cast<size_t>(i) * bytes;
    std::memcpy(&a, expected.data() + at, bytes);
    std::memcpy(&b, actual.data() + at, bytes);
    if (a != b) {
      std::ostringstream text;
      text << "element " << i << ": expected " << std::hex << a << ", found "
           << b;
      return text.str();
    }
  }
  return {};
}

} // namespace gensyn::cpu::testing
