// See Prologue.h.

#include "Prologue.h"

#include "InPlaceEmitter.h"
#include "gensyn/Codegen/Kernel/BufferTypes.h"
#include "gensyn/Dialect/Repro/IR/TensorTypes.h"

#include <numeric>

using namespace mlir;

namespace gensyn::cpu {

using codegen::GemmAxis;
using codegen::GemmTensor;
using codegen::GemmView;

/// The number of points, along the innermost axes, that have a single stride.
static int64_t countEven(ArrayRef<GemmAxis> points) {
  size_t first = points.size();
  while (first > 0 &&
         codegen::singleStride(points.drop_front(first - 1), GemmTensor::B))
    --first;
  return codegen::product(points.drop_front(first));
}

std::optional<ProloguePlan> planPrologue(repro::KernelOp kernel, Value operand,
                                         const GemmView &view,
                                         GemmTensor tensor) {
  const auto &checks = tensor == GemmTensor::A ? view.aChecks : view.bChecks;
  auto reads = findPrologueReads(kernel, operand);
  if (!reads || !checks.empty())
    return std::nullopt;
  ProloguePlan plan;
  plan.operand = operand;
  plan.isA = tensor == GemmTensor::A;
  auto argumentOf = [&](const TensorRead &read) {
    return kernel.getBlock().getArgument(read.argument);
  };
  const TensorRead *main = nullptr;
  for (const TensorRead &read : *reads)
    if (isWhole(read.digits, operand) &&
        (!main || repro::bytesOf(argumentOf(read).getType()) >
                      repro::bytesOf(argumentOf(*main).getType())))
      main = &read;
  if (!main)
    return std::nullopt;
  plan.main = main->argument;
  for (const TensorRead &read : *reads) {
    // Truth values are loaded as bytes.
    if (repro::typeOf(argumentOf(read)).getElementType().isInteger(1))
      return std::nullopt;
    if (&read == main)
      continue;
    auto strides = findStrides(read.digits, view, tensor);
    if (!strides || !singleStride(strides->run, GemmTensor::B) ||
        (tensor == GemmTensor::A &&
         !singleStride(strides->outer, GemmTensor::B)))
      return std::nullopt;
    const int64_t even = countEven(strides->points);
    if (even < view.numPoints())
      plan.part = std::gcd(plan.part, even);
    plan.sides.push_back({read.argument, std::move(*strides)});
  }
  return plan;
}

Value Prologue::tensorOf(size_t side) const {
  auto kernel =
      cast<repro::KernelOp>(plan.operand.getDefiningOp()->getParentOp());
  return kernel.getBlock().getArgument(argumentOf(side));
}

static Type storedType(Value tensor) {
  return codegen::getScalarType(repro::typeOf(tensor).getElementType());
}

Value Prologue::move(size_t side, Value address, Value offset) const {
  return code.at(address, offset, storedType(tensorOf(side)));
}

Value Prologue::sum(ArrayRef<GemmAxis> axes, ArrayRef<Value> at) const {
  Value offset = code.constant(0);
  for (auto [axis, value] : llvm::zip_equal(axes, at))
    offset = code.add(offset, code.mul(value, axis.b));
  return offset;
}

Value Prologue::sumAt(ArrayRef<GemmAxis> axes, Value flat) const {
  if (auto step = codegen::singleStride(axes, GemmTensor::B))
    return code.mul(flat, *step);
  Value offset = code.constant(0);
  for (size_t i = axes.size(); i-- > 0;) {
    Value index = i == 0 ? flat : code.rem(flat, axes[i].extent);
    offset = code.add(offset, code.mul(index, axes[i].b));
    flat = code.div(flat, axes[i].extent);
  }
  return offset;
}

Value Prologue::offsetOfBatch(size_t side, ArrayRef<Value> batch) const {
  return sum(plan.sides[side].strides.batch, batch);
}
Value Prologue::offsetOfColumn(size_t side, ArrayRef<Value> outer,
                               Value position) const {
  return code.add(sum(plan.sides[side].strides.outer, outer),
                  code.mul(position, stepOfLane(side)));
}
Value Prologue::offsetOfRow(size_t side, Value row) const {
  return sumAt(plan.sides[side].strides.outer, row);
}
Value Prologue::offsetOfPoint(size_t side, Value point) const {
  return sumAt(plan.sides[side].strides.points, point);
}
int64_t Prologue::stepOfPoint(size_t side) const {
  const auto &points = plan.sides[side].strides.points;
  return points.empty() ? 0 : points.back().b;
}
int64_t Prologue::stepOfLane(size_t side) const {
  const PrologueStrides &strides = plan.sides[side].strides;
  return *codegen::singleStride(plan.isA ? strides.outer : strides.run,
                                GemmTensor::B);
}

Value Prologue::load(size_t side, Value address, Value mask) const {
  const StoredTensor tensor =
      StoredTensor::raw(code, repro::typeOf(tensorOf(side)).getElementType());
  const int64_t step = stepOfLane(side);
  if (step == 1)
    return tensor.load(address, mask);
  if (step == 0)
    return code.splat(tensor.loadScalar(address));
  Value lanes = code.mul(code.iota(), code.splat32(step));
  if (!mask)
    mask = code.firstLanes(code.constant(code.lanes));
  return tensor.gather(tensor.at(address, lanes), mask);
}

Value Prologue::loadScalar(size_t side, Value address) const {
  return StoredTensor::raw(code, repro::typeOf(tensorOf(side)).getElementType())
      .loadScalar(address);
}

Value Prologue::compute(Value main, ArrayRef<Value> sides) const {
  InPlaceEmitter emitter(code,
                         isa<VectorType>(main.getType()) ? code.lanes : 0);
  auto kernel =
      cast<repro::KernelOp>(plan.operand.getDefiningOp()->getParentOp());
  emitter.define(kernel.getBlock().getArgument(plan.main), {}, main);
  for (auto [side, value] : llvm::enumerate(sides))
    emitter.define(tensorOf(side), {}, value);
  // The ops of a prologue are elementwise, which all have scalar emissions.
  Value value = emitter.element(plan.operand, {});
  return StoredTensor(code, repro::typeOf(plan.operand).getElementType(),
                      hasHalf)
      .widen(value);
}

} // namespace gensyn::cpu
