#include "BuiltCode.h"
#include "ProgramText.h"

#include <gtest/gtest.h>

using namespace mlir;

namespace gensyn::cpu::testing {
namespace {

class BuiltSchedule final : public Schedule {
public:
  BuiltSchedule(int64_t lanes, const EmitCode &emit)
      : lanes(lanes), emitCode(emit) {}

  StringRef getName() const override { return "built"; }
  std::optional<KernelPlan> match(repro::KernelOp,
                                  const Target &) const override {
    KernelPlan plan;
    plan.launches.push_back({"", 1, 0});
    return plan;
  }
  LogicalResult emit(repro::KernelOp kernel, const KernelPlan &, unsigned,
                     const Target &, const KernelFunction &function,
                     OpBuilder &builder) const override {
    auto output = cast<MemRefType>(function.outputs[0].getType());
    CpuBuilder code(builder, kernel.getLoc(), lanes, output.getElementType());
    // Once, in whatever pieces the tiles are run.
    code.loop(code.toI64(function.begin), code.toI64(function.end), 1,
              [&](Value) {
                emitCode(code, code.pointer(function.inputs[0]),
                         code.pointer(function.outputs[0]));
              });
    return success();
  }

private:
  int64_t lanes;
  const EmitCode &emitCode;
};

} // namespace

Tensor runBuilt(const Target &target, int64_t lanes, const Tensor &input,
                const std::string &to, const EmitCode &emit) {
  // The ops are not what runs; they have the types.
  const std::string from(name(input.elementType()));
  const std::string argument = tensorOf(input.shape(), from);
  const std::string result = tensorOf(input.shape(), to);
  Program program(
      "func.func @f(%x: " + argument + ") -> " + result + " {\n  %y = " +
      (from == to ? "repro.reverse %x dims [0] : " + argument
                  : "repro.convert %x : " + argument + " to " + result) +
      "\n  return %y : " + result + "\n}\n");
  Schedules schedules;
  schedules.push_back(std::make_unique<BuiltSchedule>(lanes, emit));
  CompileOptions options;
  options.target = &target;
  options.schedules = &schedules;
  std::vector<Tensor> outputs = program.run({input}, options);
  return outputs.empty() ? Tensor(input.elementType(), {0}) : outputs.front();
}

} // namespace gensyn::cpu::testing
