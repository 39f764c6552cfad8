// Creates the functions of a kernel; its schedule emits their bodies.

#include "KernelCode.h"

#include "gensyn/Codegen/Emit/Tables.h"
#include "gensyn/Codegen/Kernel/BufferTypes.h"
#include "gensyn/Codegen/Plan/InPlace.h"

using namespace mlir;

namespace gensyn::cpu {

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
  for (auto [operand, number] : plan.findInPlace(kernel))
    for (auto argument :
         {operand, unsigned(kernel.getInputs().size()) + number})
      function.setArgAttr(argument, kInPlaceAttr, builder.getUnitAttr());
  result.function = function;
  const SmallVector<Value> arguments(entry->getArguments());
  ArrayRef<Value> rest = result.take(kernel, plan.workspaces.size(), arguments);
  result.scratch = rest[0];
  result.begin = rest[1];
  result.end = rest[2];
  return function;
}

LogicalResult emitKernelFunctions(repro::KernelOp kernel, StringRef name,
                                  const ScheduleChoice &choice,
                                  const Target &target, ModuleOp module) {
  module->setAttr(emit::kInstructionSetAttr,
                  StringAttr::get(module.getContext(), StringRef(target.name)));
  for (unsigned launch = 0; launch < choice.plan.launches.size(); ++launch) {
    KernelFunction function;
    func::FuncOp code = createFunction(
        kernel,
        codegen::nameFunction(name, choice.plan.launches[launch].suffix),
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
