// The parallel loops of a kernel.

#include "gensyn/Codegen/Kernel/KernelLoops.h"

#include "gensyn/Dialect/Repro/Analysis/KernelForm.h"

using namespace mlir;

namespace gensyn::codegen {

repro::ColumnOpInterface getColumnOp(repro::KernelOp kernel) {
  if (kernel.getYielded().empty())
    return {};
  auto op =
      kernel.getYielded().front().getDefiningOp<repro::ColumnOpInterface>();
  return op && op->getResults() == kernel.getYielded()
             ? op
             : repro::ColumnOpInterface();
}

SmallVector<int64_t> getParallelExtents(repro::KernelOp kernel) {
  return getColumnOp(kernel).getColumns();
}

SmallVector<KernelLoop> getParallelLoops(repro::KernelOp kernel) {
  SmallVector<KernelLoop> loops;
  const auto count = static_cast<unsigned>(kernel.getNumResults());
  if (getColumnOp(kernel)) {
    KernelLoop &columns = loops.emplace_back();
    columns.results = llvm::to_vector(llvm::seq<unsigned>(0, count));
    columns.extents = getParallelExtents(kernel);
    return loops;
  }
  SmallVector<unsigned> componentOf(count, 0);
  if (!llvm::all_equal(kernel.getResultTypes()))
    for (auto [number, component] :
         llvm::enumerate(repro::getKernelForm(kernel).components))
      for (unsigned result : component.outputs)
        componentOf[result] = static_cast<unsigned>(number);
  SmallVector<unsigned> componentOfLoop;
  for (unsigned result = 0; result < count; ++result) {
    auto shape =
        cast<ShapedType>(kernel.getResult(result).getType()).getShape();
    size_t number = 0;
    while (number < loops.size() &&
           (componentOfLoop[number] != componentOf[result] ||
            ArrayRef(loops[number].extents) != shape))
      ++number;
    if (number == loops.size()) {
      loops.emplace_back().extents.assign(shape.begin(), shape.end());
      componentOfLoop.push_back(componentOf[result]);
    }
    loops[number].results.push_back(result);
  }
  return loops;
}

} // namespace gensyn::codegen
