// Reports kernels, their costs and the boundaries between them.

#include "gensyn/Dialect/Repro/Transforms/ReportKernels.h"

#include "FuseKernels.h"
#include "gensyn/Dialect/Repro/IR/NodeInfo.h"

#include "gensyn/Dialect/Repro/Transforms/Passes.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace gensyn::repro {
#define GEN_PASS_DEF_REPORTKERNELSPASS
#include "gensyn/Dialect/Repro/Transforms/Passes.h.inc"

/// Bytes of an argument that its users read, each counted once.
static int64_t countRead(BlockArgument argument) {
  const int64_t all = elementsOf(argument);
  int64_t read = 0;
  for (Operation *user : argument.getUsers()) {
    auto gather = dyn_cast<GatherOp>(user);
    const bool isPart =
        isa<SliceOp>(user) || (gather && gather.getData() == argument);
    read += isPart ? elementsOf(user->getResult(0)) : all;
  }
  return all == 0 ? 0 : bytesOf(argument) / all * std::min(read, all);
}

static std::string nameReader(Operation *reader) {
  if (auto kernel = dyn_cast<KernelOp>(reader))
    return kernel.getSym().str();
  return reader->getName().stripDialect().str();
}

static KernelStats readFigures(KernelOp kernel) {
  KernelStats out;
  if (auto function = kernel->getParentOfType<FunctionOpInterface>())
    out.function = function.getName().str();
  out.name = kernel.getSym().str();
  out.form = toString(getKernelForm(kernel).kind).str();
  out.node = readNodeInfo(kernel.getLoc()).name;
  out.elements =
      kernel.getNumResults() == 0 ? 0 : elementsOf(kernel.getResult(0));
  out.buffers =
      static_cast<int64_t>(kernel->getNumOperands() + kernel->getNumResults() +
                           kernel.getFaultingOps().size());
  if (kernel.getNumResults() != 0)
    if (auto type = dyn_cast<RankedTensorType>(kernel.getResult(0).getType())) {
      llvm::raw_string_ostream(out.type) << type.getElementType();
      out.shape = type.getShape();
    }
  out.orders = getOrderedReductions(kernel);
  llvm::StringSet<> seen;
  for (Operation &op : kernel.getBlock().without_terminator()) {
    ++out.ops;
    std::string node = readNodeInfo(op.getLoc()).name;
    if (!node.empty() && seen.insert(node).second)
      out.nodes.push_back(std::move(node));
    if (auto cost = dyn_cast<CostOpInterface>(op))
      out.flops += cost.getFlops();
  }
  for (BlockArgument argument : kernel.getBlock().getArguments())
    out.bytesRead += countRead(argument);
  llvm::MapVector<Operation *, KernelStats::Boundary> borders;
  for (Value result : kernel.getResults()) {
    out.bytesWritten += bytesOf(result);
    for (Operation *reader : getReaders(result))
      borders.try_emplace(reader, KernelStats::Boundary{});
  }
  for (auto &[reader, border] : borders)
    out.borders.push_back(
        {nameReader(reader), explainBoundary(kernel, reader)});
  return out;
}

std::vector<KernelStats> getKernelStats(ModuleOp module) {
  // Attempts temporarily insert kernels, so the list is made first.
  SmallVector<KernelOp> kernels;
  module.walk([&](KernelOp kernel) { kernels.push_back(kernel); });
  std::vector<KernelStats> figures;
  for (KernelOp kernel : kernels)
    figures.push_back(readFigures(kernel));
  return figures;
}

llvm::json::Object toJson(const KernelStats &kernel) {
  llvm::json::Array borders;
  for (const KernelStats::Boundary &border : kernel.borders)
    borders.push_back(llvm::json::Object{{"reader", border.reader},
                                         {"reason", border.reason}});
  llvm::json::Array orders;
  for (const OrderedReduction &order : kernel.orders)
    orders.push_back(toJson(order));
  return llvm::json::Object{{"function", kernel.function},
                            {"name", kernel.name},
                            {"form", kernel.form},
                            {"node", kernel.node},
                            {"nodes", llvm::json::Array(kernel.nodes)},
                            {"orders", std::move(orders)},
                            {"type", kernel.type},
                            {"shape", llvm::json::Array(kernel.shape)},
                            {"elements", kernel.elements},
                            {"ops", kernel.ops},
                            {"buffers", kernel.buffers},
                            {"flops", kernel.flops},
                            {"bytes_read", kernel.bytesRead},
                            {"bytes_written", kernel.bytesWritten},
                            {"borders", std::move(borders)}};
}

llvm::json::Object sumUp(llvm::ArrayRef<KernelStats> kernels) {
  int64_t flops = 0, read = 0, written = 0;
  for (const KernelStats &kernel : kernels) {
    flops += kernel.flops;
    read += kernel.bytesRead;
    written += kernel.bytesWritten;
  }
  return llvm::json::Object{{"kernels", static_cast<int64_t>(kernels.size())},
                            {"flops", flops},
                            {"bytes_read", read},
                            {"bytes_written", written}};
}

std::string describe(const KernelStats &kernel) {
  std::string line = kernel.name + " (" + kernel.form + ")";
  if (!kernel.node.empty())
    line += " of '" + kernel.node + "'";
  return line + ": " + std::to_string(kernel.elements) + " elements, " +
         std::to_string(kernel.flops) + " flops, reads " +
         std::to_string(kernel.bytesRead) + " bytes, writes " +
         std::to_string(kernel.bytesWritten) + ", " +
         std::to_string(kernel.buffers) + " buffers";
}

namespace {
struct ReportKernels final : impl::ReportKernelsPassBase<ReportKernels> {
  using ReportKernelsPassBase::ReportKernelsPassBase;
  void runOnOperation() override {
    const std::vector<KernelStats> kernels = getKernelStats(getOperation());
    for (const KernelStats &kernel : kernels) {
      if (json) {
        llvm::outs() << llvm::json::Value(toJson(kernel)) << "\n";
        continue;
      }
      llvm::outs() << describe(kernel) << "\n";
      for (const KernelStats::Boundary &border : kernel.borders)
        llvm::outs() << "  " << border.reader << ": " << border.reason << "\n";
    }
    llvm::json::Object sum = sumUp(kernels);
    if (json)
      llvm::outs() << llvm::json::Value(std::move(sum)) << "\n";
    else
      llvm::outs() << "total: " << *sum.getInteger("kernels") << " kernels, "
                   << *sum.getInteger("flops") << " flops, reads "
                   << *sum.getInteger("bytes_read") << " bytes, writes "
                   << *sum.getInteger("bytes_written") << "\n";
    markAllAnalysesPreserved();
  }
};
} // namespace
} // namespace gensyn::repro
