// Functions of a kernel, with bodies from its schedule.

#include "KernelCode.h"

#include "gensyn/Codegen/Kernel/BufferTypes.h"
#include "gensyn/Codegen/Plan/InPlace.h"

using namespace mlir;

namespace gensyn::cpu {

std::string getFunctionName(StringRef kernel, const KernelPlan &plan,
                            unsigned launch) {
  const std::string &suffix = plan.launches[launch].suffix;
  return suffix.empty() ? kernel.str() : (kernel + "_" + suffix).str();
}

static func::FuncOp createFunction(repro::KernelOp kernel, StringRef name,
                                   const KernelPlan &plan, unsigned launch,
                                   ModuleOp module, KernelFunction &result) {
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  SmallVector<Type> types = codegen::getBufferTypes(kernel);
  auto addBytes = [&](int64_t bytes) {
    types.push_back(MemRefType::get({bytes}, builder.getI8Type()));
  };
  for (int64_t bytes : plan.workspaces)
    addBytes(bytes);
  addBytes(plan.launches[launch].scratchBytes);
  types.append(2, builder.getIndexType());
  auto function =
      func::FuncOp::create(builder, kernel.getLoc(), name,
                           builder.getFunctionType(types, TypeRange()));
  Block *entry = function.addEntryBlock();
  auto next = entry->args_begin();
  auto take = [&](size_t count) {
    SmallVector<Value> values(next, next + count);
    next += count;
    return values;
  };
  for (auto [operand, number] : codegen::findInPlacePairs(kernel))
    for (auto argument :
         {operand, unsigned(kernel.getInputs().size()) + number})
      function.setArgAttr(argument, kInPlaceAttr, builder.getUnitAttr());
  result.function = function;
  result.inputs = take(kernel.getInputs().size());
  result.outputs = take(kernel.getNumResults());
  result.faults = take(kernel.getFaultingOps().size());
  result.workspaces = take(plan.workspaces.size());
  result.scratch = take(1)[0];
  result.begin = take(1)[0];
  result.end = take(1)[0];
  return function;
}

LogicalResult emitKernelFunctions(repro::KernelOp kernel, StringRef name,
                                  const ScheduleChoice &choice,
                                  const Target &target, ModuleOp module) {
  for (unsigned launch = 0; launch < choice.plan.launches.size(); ++launch) {
    KernelFunction function;
    func::FuncOp code =
        createFunction(kernel, getFunctionName(name, choice.plan, launch),
                       choice.plan, launch, module, function);
    OpBuilder builder = OpBuilder::atBlockEnd(&code.getBody().front());
    if (failed(choice.schedule->emit(kernel, choice.plan, launch, target,
                                     function, builder)))
      return failure();
    builder.setInsertionPointToEnd(&code.getBody().front());
    func::ReturnOp::create(builder, kernel.getLoc());
  }
  return success();
}

} // namespace gensyn::cpu
