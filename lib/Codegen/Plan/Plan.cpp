// Texts and names of kernels; names of operations in plans.

#include "gensyn/Codegen/Plan/Plan.h"

#include "gensyn/Dialect/Repro/IR/Faults.h"
#include "gensyn/Dialect/Repro/IR/NodeInfo.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"

using namespace mlir;

namespace gensyn::codegen {

std::string nameNode(Operation *op) {
  return repro::readNodeInfo(op->getLoc()).name;
}

std::string describeNode(Operation *op) {
  const repro::NodeInfo node = repro::readNodeInfo(op->getLoc());
  if (node.name.empty())
    return "'" + op->getName().getStringRef().str() + "'";
  return (node.isNode ? "node '" : "'") + node.name + "'" +
         (node.operation.empty() ? "" : " (" + node.operation + ")");
}

void setFaultSlots(func::FuncOp function, StringRef file, plan::Plan &plan) {
  plan.clear_faults();
  for (auto [op, slot] : repro::getFaultSlots(function)) {
    while (plan.faults_size() <= static_cast<int>(slot))
      plan.add_faults();
    auto fault = cast<repro::FaultOpInterface>(op);
    plan::FaultSlot &entry = *plan.mutable_faults(static_cast<int>(slot));
    std::string what = describeNode(op);
    entry.set_operation(file.empty() ? what : (file + ": " + what).str());
    entry.set_message(fault.describeFault());
    entry.set_by_element(fault.faultsByElement());
    entry.set_in_loop(bool(op->getParentOfType<repro::LoopOp>()));
  }
}

std::string printKernel(repro::KernelOp kernel) {
  OpBuilder builder(kernel.getContext());
  Location location = builder.getUnknownLoc();
  OwningOpRef<ModuleOp> module = ModuleOp::create(location);
  builder.setInsertionPointToEnd(module->getBody());
  auto function = func::FuncOp::create(
      builder, location, "kernel",
      builder.getFunctionType(kernel.getInputs().getTypes(),
                              kernel.getResultTypes()));
  Block *entry = function.addEntryBlock();
  builder.setInsertionPointToEnd(entry);
  IRMapping mapping;
  mapping.map(kernel.getInputs(), entry->getArguments());
  auto copy = cast<repro::KernelOp>(builder.clone(*kernel, mapping));
  copy.setSym("kernel");
  // Equivalent kernels share code, whatever the slots of their faults are.
  copy.walk([](Operation *op) {
    op->removeDiscardableAttr(repro::kFaultSlotAttr);
    op->removeDiscardableAttr(repro::kFaultTileAttr);
  });
  func::ReturnOp::create(builder, location, copy.getResults());
  std::string text;
  llvm::raw_string_ostream stream(text);
  module->print(stream);
  return text;
}

int64_t countKernelFlops(repro::KernelOp kernel) {
  int64_t flops = 0;
  for (Operation &op : kernel.getBlock().without_terminator())
    if (auto cost = dyn_cast<repro::CostOpInterface>(op))
      flops += cost.getFlops();
  return flops;
}

std::string nameKernel(repro::KernelOp kernel, StringRef text) {
  llvm::BLAKE3 hasher;
  hasher.update(text);
  std::string digest = llvm::toHex(hasher.final(), /*LowerCase=*/true);
  Operation *last = kernel.getYielded().front().getDefiningOp();
  StringRef what = last ? last->getName().stripDialect() : StringRef("copy");
  return (what + "_" + StringRef(digest).take_front(12)).str();
}

} // namespace gensyn::codegen
