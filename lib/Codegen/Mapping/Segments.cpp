// See Segments.h.

#include "Segments.h"

namespace gensyn::mapping {

namespace {

class SegmentLister {
public:
  std::vector<std::vector<unsigned>> segments;

  void add(unsigned launch) { open.push_back(launch); }
  void close() {
    if (!open.empty())
      segments.push_back(std::move(open));
    open.clear();
  }

  template <class Steps> void visit(const Steps &steps) {
    for (const plan::Step &step : steps) {
      if (step.kind_case() == plan::Step::kLaunch) {
        add(step.launch());
        continue;
      }
      close();
      if (step.has_branch()) {
        visit(step.branch().then_steps());
        visit(step.branch().else_steps());
      }
      if (step.has_loop())
        visit(step.loop().body());
    }
    close();
  }

private:
  std::vector<unsigned> open;
};

} // namespace

std::vector<std::vector<unsigned>> listSegments(const plan::Plan &plan) {
  SegmentLister lister;
  for (int i = 0; i < plan.launches_size(); ++i)
    if (plan.launches(i).prepares())
      lister.add(unsigned(i));
  lister.close();
  if (!plan.steps().empty()) {
    lister.visit(plan.steps());
    return std::move(lister.segments);
  }
  for (int i = 0; i < plan.launches_size(); ++i)
    if (!plan.launches(i).prepares())
      lister.add(unsigned(i));
  lister.close();
  return std::move(lister.segments);
}

/// Launches are planned in the order of the text.
mlir::LogicalResult
findKernels(mlir::func::FuncOp main, const plan::Plan &plan,
            llvm::SmallVectorImpl<repro::KernelOp> &kernels) {
  main.walk([&](repro::KernelOp kernel) { kernels.push_back(kernel); });
  if (int(kernels.size()) == plan.launches_size() &&
      llvm::all_of(llvm::enumerate(kernels), [&](auto entry) {
        return plan.launches(int(entry.index())).kernel() ==
               entry.value().getSym();
      }))
    return mlir::success();
  return main.emitOpError("has launches that are not its kernels");
}

} // namespace gensyn::mapping
