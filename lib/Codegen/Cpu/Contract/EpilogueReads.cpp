// See EpilogueReads.h.

#include "EpilogueReads.h"

#include "gensyn/Dialect/Repro/IR/TensorTypes.h"
#include "llvm/ADT/DenseMap.h"

using namespace mlir;

namespace gensyn::cpu {

using codegen::GemmAxes;
using codegen::GemmAxis;
using codegen::GemmTensor;
using codegen::GemmView;

namespace {

Digits joined(ArrayRef<Digit> digits) {
  Digits result;
  for (const Digit &digit : digits) {
    if (digit.extent == 1)
      continue;
    if (!result.empty() && result.back().unit == digit.unit * digit.extent)
      result.back() = {digit.unit, result.back().extent * digit.extent};
    else
      result.push_back(digit);
  }
  return result;
}

/// Splits joined digits into one for each extent of `shape`, which has as many
/// elements; std::nullopt if an extent combines several digits.
std::optional<Digits> split(const Digits &digits, ArrayRef<int64_t> shape) {
  Digits result(shape.size());
  size_t next = digits.size();
  Digit rest; // what is left of a digit
  for (size_t dim = shape.size(); dim-- > 0;) {
    if (shape[dim] == 1)
      continue;
    if (rest.extent == 1) {
      if (next == 0)
        return std::nullopt;
      rest = digits[--next];
    }
    if (rest.extent % shape[dim] != 0)
      return std::nullopt;
    result[dim] = {rest.unit, shape[dim]};
    rest = {rest.unit * shape[dim], rest.extent / shape[dim]};
  }
  return result;
}

/// Follows the elements of a value to those of arguments, and of `end`, a value
/// that is in memory (or null).
class ReadFinder {
public:
  explicit ReadFinder(Value end) : end(end) {}

  bool isAt(Value value, const Digits &digits) {
    Operation *op = value.getDefiningOp();
    if (op && repro::isSplatConstant(op))
      return true;
    auto [found, isNew] = known.try_emplace(value, digits);
    if (!isNew)
      return found->second == digits;
    if (!op)
      return true;
    if (value == end)
      return digits == whole(value);
    if (op->hasTrait<OpTrait::Elementwise>())
      return llvm::all_of(op->getOperands(),
                          [&](Value operand) { return isAt(operand, digits); });
    // Reshapes number the same elements differently.
    if (auto reshape = dyn_cast<repro::ReshapeOp>(op))
      return isAt(reshape.getOperand(), digits);
    auto broadcast = dyn_cast<repro::BroadcastOp>(op);
    if (!broadcast)
      return false;
    auto indices = split(digits, repro::shapeOf(value));
    if (!indices)
      return false;
    Digits kept;
    for (int64_t dim : broadcast.getDims())
      kept.push_back((*indices)[size_t(dim)]);
    return isAt(broadcast.getOperand(), joined(kept));
  }

  /// All elements, in order.
  static Digits whole(Value value) {
    return joined(Digit{1, repro::elementsOf(value)});
  }

  /// The arguments that were found, in ascending order.
  SmallVector<TensorRead> getReads(repro::KernelOp kernel) const {
    SmallVector<TensorRead> reads;
    for (BlockArgument argument : kernel.getBlock().getArguments())
      if (const Digits *digits = find(argument))
        reads.push_back({argument.getArgNumber(), *digits});
    return reads;
  }

private:
  const Digits *find(Value value) const {
    auto found = known.find(value);
    return found == known.end() ? nullptr : &found->second;
  }

  Value end;
  llvm::DenseMap<Value, Digits> known;
};

/// The strides of the digits in their tensor.
SmallVector<int64_t> stridesOf(const Digits &digits) {
  SmallVector<int64_t> strides(digits.size(), 1);
  for (size_t i = digits.size(); i-- > 1;)
    strides[i - 1] = strides[i] * digits[i].extent;
  return strides;
}

/// True if an axis moves the position within units of `size`.
bool isWithin(const GemmAxis &axis, int64_t size) {
  return axis.extent > 1 && axis.c % size != 0;
}

/// True if no sum of the axes' parts of the position carries into multiples of
/// `size` unless all parts are multiples, so that the parts' quotients and
/// remainders can be added.
bool isApart(ArrayRef<const GemmAxis *> axes, int64_t offset, int64_t size) {
  int64_t within = offset % size;
  for (const GemmAxis *axis : axes)
    if (isWithin(*axis, size))
      within += (axis->extent - 1) * axis->c;
  return within < size;
}

int64_t valueAt(const Digits &digits, int64_t position) {
  int64_t sum = 0;
  for (auto [digit, stride] : llvm::zip_equal(digits, stridesOf(digits)))
    sum += position / digit.unit % digit.extent * stride;
  return sum;
}

} // namespace

std::optional<SmallVector<TensorRead>>
findEpilogueReads(repro::KernelOp kernel, repro::ContractOp contraction) {
  if (!kernel.getFaultingOps().empty())
    return std::nullopt;
  ReadFinder finder(contraction.getResult());
  for (Value yielded : kernel.getYielded())
    if (repro::elementsOf(yielded) !=
            repro::elementsOf(contraction.getResult()) ||
        !finder.isAt(yielded, ReadFinder::whole(yielded)))
      return std::nullopt;
  return finder.getReads(kernel);
}

std::optional<SmallVector<TensorRead>> findPrologueReads(repro::KernelOp kernel,
                                                         Value operand) {
  ReadFinder finder{Value()};
  if (!finder.isAt(operand, ReadFinder::whole(operand)))
    return std::nullopt;
  return finder.getReads(kernel);
}

bool isWhole(const Digits &digits, Value tensor) {
  return digits == ReadFinder::whole(tensor);
}

std::optional<EpilogueStrides> findStrides(const Digits &digits,
                                           const GemmView &view) {
  SmallVector<const GemmAxis *> axes;
  for (const GemmAxes *list :
       {&view.batch, &view.rows, &view.columns, &view.run})
    for (const GemmAxis &axis : *list)
      axes.push_back(&axis);
  for (const Digit &digit : digits)
    for (int64_t size : {digit.unit, digit.unit * digit.extent})
      if (!isApart(axes, view.cOffset, size))
        return std::nullopt;
  // An axis moves each index that it does not leave by a fixed step.
  auto strideOf = [&](const GemmAxis &axis) { return valueAt(digits, axis.c); };
  EpilogueStrides result;
  result.offset = valueAt(digits, view.cOffset);
  for (const GemmAxis &axis : view.batch)
    result.batch.push_back(strideOf(axis));
  for (const GemmAxis &axis : view.rows)
    result.rows.push_back(strideOf(axis));
  for (const GemmAxis &axis : view.columns)
    result.columns.push_back(strideOf(axis));
  bool isAdjacent = true, isUniform = true;
  for (const GemmAxis &axis : view.run) {
    isAdjacent &= axis.extent == 1 || strideOf(axis) == axis.c;
    isUniform &= axis.extent == 1 || strideOf(axis) == 0;
  }
  if (!isAdjacent && !isUniform)
    return std::nullopt;
  result.run = isUniform ? 0 : 1;
  return result;
}

/// Divides axes where a digit of the tensor ends, so that it changes by a fixed
/// step along each part.
static GemmAxes divideAxes(GemmAxes axes, const Digits &digits,
                           GemmTensor tensor) {
  for (const Digit &digit : digits)
    for (int64_t size : {digit.unit, digit.unit * digit.extent})
      for (size_t i = 0; i < axes.size(); ++i) {
        const int64_t step = axes[i].stride(tensor);
        if (step <= 0 || size % step != 0)
          continue;
        const int64_t inner = size / step;
        if (inner <= 1 || inner >= axes[i].extent || axes[i].extent % inner)
          continue;
        GemmAxis outer = axes[i];
        outer.extent /= inner;
        outer.a *= inner;
        outer.b *= inner;
        axes[i].extent = inner;
        axes.insert(axes.begin() + i, outer);
        ++i;
      }
  return axes;
}

std::optional<PrologueStrides>
findStrides(const Digits &digits, const GemmView &view, GemmTensor tensor) {
  const bool isA = tensor == GemmTensor::A;
  const GemmAxes points = divideAxes(view.points, digits, tensor);
  const GemmAxes none, &outer = isA ? view.rows : view.columns,
                       &run = isA ? none : view.run;
  const int64_t offset = isA ? view.aOffset : view.bOffset;
  SmallVector<GemmAxis> moves;
  for (const GemmAxes *list : {&view.batch, &outer, &run, &points})
    for (GemmAxis axis : *list) {
      axis.c = axis.stride(tensor);
      if (axis.c < 0)
        return std::nullopt;
      moves.push_back(axis);
    }
  SmallVector<const GemmAxis *> axes;
  for (const GemmAxis &axis : moves)
    axes.push_back(&axis);
  if (offset < 0)
    return std::nullopt;
  for (const Digit &digit : digits)
    for (int64_t size : {digit.unit, digit.unit * digit.extent})
      if (!isApart(axes, offset, size))
        return std::nullopt;
  auto stridesAlong = [&](const GemmAxes &list) {
    GemmAxes result;
    for (const GemmAxis &axis : list) {
      GemmAxis &next = result.emplace_back();
      next.extent = axis.extent;
      next.b = axis.extent == 1 ? 0 : valueAt(digits, axis.stride(tensor));
    }
    return result;
  };
  PrologueStrides result;
  result.offset = valueAt(digits, offset);
  result.batch = stridesAlong(view.batch);
  result.outer = stridesAlong(outer);
  result.run = stridesAlong(run);
  result.points = stridesAlong(points);
  return result;
}

} // namespace gensyn::cpu
