// Reports where each op may be cut.

#include "gensyn/Dialect/Repro/IR/NodeInfo.h"
#include "gensyn/Dialect/Repro/IR/SplitOp.h"
#include "gensyn/Dialect/Repro/IR/TensorTypes.h"
#include "gensyn/Dialect/Repro/Transforms/Passes.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/Support/JSON.h"

using namespace mlir;

namespace gensyn::repro {
#define GEN_PASS_DEF_REPORTSPLITSPASS
#include "gensyn/Dialect/Repro/Transforms/Passes.h.inc"

namespace {

struct ReportSplits final : impl::ReportSplitsPassBase<ReportSplits> {
  using ReportSplitsPassBase::ReportSplitsPassBase;

  void runOnOperation() override {
    getOperation().walk([&](Operation *op) {
      if (isSplittable(op))
        report(op);
    });
    markAllAnalysesPreserved();
  }

  void report(Operation *op) const {
    std::string function;
    if (auto parent = op->getParentOfType<FunctionOpInterface>())
      function = parent.getName().str();
    const std::string node = readNodeInfo(op->getLoc()).name;
    const StringRef operation = op->getName().stripDialect();
    SmallVector<std::string> splits;
    for (Split split : getSplits(op))
      llvm::raw_string_ostream(splits.emplace_back()) << split;
    SmallVector<int64_t> extents = getSplitExtents(op);
    const size_t rank = shapeOf(op->getResult(0)).size();
    if (json) {
      llvm::json::Array dimensions;
      for (auto [number, split, extent] : llvm::enumerate(splits, extents))
        dimensions.push_back(llvm::json::Object{
            {"extent", extent}, {"reduced", number >= rank}, {"split", split}});
      llvm::outs() << llvm::json::Value(llvm::json::Object{
                          {"function", function},
                          {"node", node},
                          {"operation", operation},
                          {"dimensions", std::move(dimensions)}})
                   << "\n";
      return;
    }
    llvm::outs() << function << ": ";
    if (!node.empty())
      llvm::outs() << "'" << node << "': ";
    llvm::outs() << operation << ":";
    for (auto [number, split, extent] : llvm::enumerate(splits, extents))
      llvm::outs() << (number == 0 ? "" : ",")
                   << (number == rank ? " reduces " : " ") << extent << " "
                   << split;
    llvm::outs() << (splits.empty() ? " one element\n" : "\n");
  }
};

} // namespace
} // namespace gensyn::repro
