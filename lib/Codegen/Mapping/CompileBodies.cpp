// The code of pieces.

#include "Pieces.h"
#include "gensyn/Codegen/Mapping/Compile.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace gensyn::repro;

namespace gensyn::mapping {

FailureOr<std::string> compileBodies(ModuleOp module,
                                     const cpu::CompileOptions &options,
                                     Mapping &mapping) {
  // One function with all pieces, each with arguments and results of its own.
  SymbolTable symbols(module);
  llvm::SmallSetVector<func::FuncOp, 8> distinct;
  for (const Body &body : mapping.bodies())
    distinct.insert(symbols.lookup<func::FuncOp>(body.name()));
  SmallVector<Type> types, results;
  for (func::FuncOp function : distinct) {
    llvm::append_range(types, function.getArgumentTypes());
    llvm::append_range(results, function.getResultTypes());
  }
  // In a module of its own, since what the program's says is not about pieces.
  OwningOpRef<ModuleOp> own = ModuleOp::create(module.getLoc());
  OpBuilder builder = OpBuilder::atBlockEnd(own->getBody());
  auto all = func::FuncOp::create(builder, module.getLoc(), "pieces",
                                  builder.getFunctionType(types, results));
  Block *entry = all.addEntryBlock();
  builder.setInsertionPointToEnd(entry);
  SmallVector<Value> values;
  unsigned argument = 0;
  for (func::FuncOp function : distinct) {
    IRMapping arguments;
    for (Value value : function.getArguments())
      arguments.map(value, entry->getArgument(argument++));
    Operation *copy =
        builder.clone(*getPieceKernel(function).getOperation(), arguments);
    llvm::append_range(values, copy->getResults());
  }
  func::ReturnOp::create(builder, module.getLoc(), values);
  plan::Plan plan;
  FailureOr<std::string> object = cpu::compile(all, options, plan);
  if (failed(object))
    return failure();
  for (Body &body : *mapping.mutable_bodies()) {
    body.clear_calls();
    // Functions are named after the kernel, as the piece is.
    for (const plan::Launch &launch : plan.launches()) {
      if (!StringRef(launch.kernel()).starts_with(body.name()))
        continue;
      Call &call = *body.add_calls();
      call.set_function(launch.kernel());
      call.set_tiles(launch.tiles());
      call.set_scratch_bytes(launch.scratch_bytes());
      body.clear_workspaces();
      for (int i = body.arguments_size() + int(body.faults());
           i < launch.buffers_size(); ++i)
        body.add_workspaces(plan.buffers(int(launch.buffers(i))).bytes());
    }
  }
  return object;
}

} // namespace gensyn::mapping
