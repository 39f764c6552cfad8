// Horizontal kernels: many tensors, such as all parameters of an optimizer, in
// one launch.
//
// Each component has its own blocks. A block finds its component by binary
// search over its index, with branches that are uniform in the block. If all
// components compute the same function, the search returns the component's
// pointers and number of elements, which one body processes as flat elements
// (PointwiseCode.h). Otherwise each leaf of the search has its own body.

#include "../Common/LaunchCode.h"
#include "../Common/PointwiseCode.h"
#include "gensyn/Dialect/Repro/Analysis/KernelForm.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace gensyn::gpu {
namespace {

/// The components of a kernel, their shapes and first blocks.
struct HorizontalLayout {
  repro::KernelForm form;
  llvm::SmallVector<PointwiseShape> shapes; ///< by component
  llvm::SmallVector<int64_t> begins; ///< by component, then the grid's end
  size_t largest = 0;

  bool isShared() const { return !form.signature.empty(); }
};

SmallVector<Value> valuesOf(repro::KernelOp kernel,
                            const repro::KernelComponent &component) {
  SmallVector<Value> values;
  for (unsigned output : component.outputs)
    values.push_back(kernel.getYielded()[output]);
  return values;
}

HorizontalLayout layOut(repro::KernelOp kernel, repro::KernelForm form,
                        const Target &target) {
  HorizontalLayout layout;
  layout.form = std::move(form);
  const auto &components = layout.form.components;
  for (size_t i = 0; i < components.size(); ++i)
    if (components[i].elements > components[layout.largest].elements)
      layout.largest = i;
  int64_t blocks = 0, threads = 128;
  for (const repro::KernelComponent &component : components) {
    const auto &like =
        layout.isShared() ? components[layout.largest] : component;
    layout.shapes.push_back(
        choosePointwiseShape(kernel, valuesOf(kernel, like), target));
    threads = std::max(threads, layout.shapes.back().threads);
  }
  for (auto [component, shape] : llvm::zip_equal(components, layout.shapes)) {
    shape.threads = threads;
    layout.begins.push_back(blocks);
    blocks += shape.blocksFor(component.elements);
  }
  layout.begins.push_back(blocks);
  return layout;
}

/// Emits the code of a kernel.
class HorizontalCode : LaunchCode {
public:
  HorizontalCode(repro::KernelOp kernel, const HorizontalLayout &layout,
                 const Target &target, const KernelFunction &function,
                 OpBuilder &builder)
      : LaunchCode(kernel, target, function, builder), layout(layout) {}

  LogicalResult emit() {
    block = blockId();
    const size_t count = layout.form.components.size();
    if (!layout.isShared()) {
      search(0, count, {}, [&](size_t number) {
        PointwiseWork work = workOf(number);
        failed |= llvm::failed(emitPointwise(kernel, layout.shapes[number],
                                             work, target, function, builder));
        return SmallVector<Value>();
      });
      return success(!failed);
    }
    const repro::KernelComponent &like = layout.form.components[layout.largest];
    SmallVector<Type> types(
        like.inputs.size() + like.outputs.size(),
        LLVM::LLVMPointerType::get(builder.getContext(), 1));
    types.append(2, builder.getIndexType());
    SmallVector<Value> found = search(0, count, types, [&](size_t number) {
      const repro::KernelComponent &component = layout.form.components[number];
      SmallVector<Value> all;
      for (unsigned input : component.inputs)
        all.push_back(function.inputs[input]);
      for (unsigned output : component.outputs)
        all.push_back(function.outputs[output]);
      all.push_back(index(component.elements));
      all.push_back(index(layout.begins[number]));
      return all;
    });
    PointwiseWork work;
    work.values = valuesOf(kernel, like);
    ArrayRef<Value> rest = found;
    for (unsigned input : like.inputs) {
      work.bound.emplace_back(kernel.getBlock().getArgument(input),
                              rest.front());
      rest = rest.drop_front();
    }
    work.outputs.assign(rest.begin(), rest.end() - 2);
    work.end = rest[rest.size() - 2];
    work.block = index.sub(block, rest.back());
    return emitPointwise(kernel, layout.shapes[layout.largest], work, target,
                         function, builder);
  }

private:
  PointwiseWork workOf(size_t number) {
    PointwiseWork work;
    const repro::KernelComponent &component = layout.form.components[number];
    work.values = valuesOf(kernel, component);
    for (unsigned output : component.outputs)
      work.outputs.push_back(function.outputs[output]);
    work.block = index.sub(block, index(layout.begins[number]));
    return work;
  }

  /// Emits the search among the components [begin, end), calls `leaf` for each
  /// in a branch that only its blocks reach, and returns the results.
  SmallVector<Value> search(size_t begin, size_t end, TypeRange types,
                            function_ref<SmallVector<Value>(size_t)> leaf) {
    if (end - begin == 1)
      return leaf(begin);
    const size_t middle = begin + (end - begin) / 2;
    Value isBelow = index.less(block, layout.begins[middle]);
    auto branch = scf::IfOp::create(builder, location, types, isBelow,
                                    /*addThenBlock=*/true,
                                    /*addElseBlock=*/true);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(branch.thenBlock());
    SmallVector<Value> low = search(begin, middle, types, leaf);
    scf::YieldOp::create(builder, location, low);
    builder.setInsertionPointToStart(branch.elseBlock());
    SmallVector<Value> high = search(middle, end, types, leaf);
    scf::YieldOp::create(builder, location, high);
    return SmallVector<Value>(branch.getResults());
  }

  const HorizontalLayout &layout;
  Value block;
  bool failed = false;
};

class Horizontal final : public Schedule {
public:
  StringRef getName() const override { return "horizontal"; }

  std::optional<KernelPlan> match(repro::KernelOp kernel,
                                  const Target &target) const override {
    if (kernel.getNumResults() < 2 || kernel.getScheduleAttr())
      return std::nullopt;
    repro::KernelForm form = repro::getKernelForm(kernel);
    if (form.kind != repro::KernelKind::Horizontal)
      return std::nullopt;
    HorizontalLayout layout = layOut(kernel, std::move(form), target);
    KernelPlan plan;
    LaunchPlan &launch = plan.launches.emplace_back();
    launch.grid[0] = layout.begins.back();
    launch.block[0] = layout.shapes.front().threads;
    return plan;
  }

  LogicalResult emit(repro::KernelOp kernel, const KernelPlan &, unsigned,
                     const Target &target, const KernelFunction &function,
                     OpBuilder &builder) const override {
    HorizontalLayout layout =
        layOut(kernel, repro::getKernelForm(kernel), target);
    return HorizontalCode(kernel, layout, target, function, builder).emit();
  }
};

} // namespace

/// Accepts kernels of the form Horizontal.
std::unique_ptr<Schedule> createHorizontalSchedule() {
  return std::make_unique<Horizontal>();
}

} // namespace gensyn::gpu
