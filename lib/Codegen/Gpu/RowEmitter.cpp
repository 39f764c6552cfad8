// See RowEmitter.h.

#include "RowEmitter.h"

#include "gensyn/Codegen/Emit/RandomBits.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using gensyn::repro::Placement;

namespace gensyn::gpu {

RowEmitter::RowEmitter(OpBuilder &builder, repro::KernelOp kernel,
                       const KernelFunction &function, const Target &target,
                       const repro::KernelForm &form, Value row)
    : PointerEmitter(builder, kernel, function, target), form(form), row(row) {
  rowBegin = builder.createOrFold<arith::MulIOp>(
      location, row,
      arith::ConstantIndexOp::create(builder, location, form.columns));
}

Value RowEmitter::elementAt(Value tensor, const PointGroup &at,
                            unsigned point) {
  group = &at;
  number = point;
  return elementOf(tensor, Placement::Full);
}

Value RowEmitter::elementOf(Value tensor, Placement placement) {
  if (form.placementOf(tensor) != Placement::Free)
    return element(tensor, {});
  // Read elsewhere too.
  return element(tensor, realIndices(tensor, placement));
}

/// Whether the element of a tensor that is read elsewhere too is the one at the
/// current point.
bool RowEmitter::isAtPoint(Value tensor, ArrayRef<Value> indices) {
  return group && isa<BlockArgument>(tensor) &&
         cast<ShapedType>(tensor.getType()).getNumElements() ==
             form.rows * form.columns &&
         indices == ArrayRef(realIndices(tensor, Placement::Full));
}

/// What tells the elements of a placed value apart.
SmallVector<Value> RowEmitter::key(Value, Placement placement) {
  switch (placement) {
  case Placement::Full:
  case Placement::Column:
    return {group->columns[number]};
  case Placement::Row:
    return {row};
  default:
    return {};
  }
}

/// The number of the element, of type index.
Value RowEmitter::flatNumber(Placement placement) {
  switch (placement) {
  case Placement::Full:
    return builder.createOrFold<arith::AddIOp>(location, rowBegin,
                                               group->columns[number]);
  case Placement::Column:
    return group->columns[number];
  case Placement::Row:
    return row;
  default:
    return apply(builder.getAffineConstantExpr(0), {});
  }
}

/// Indices for a model that looks at them. What nobody uses of them is removed
/// with other dead code.
SmallVector<Value> RowEmitter::realIndices(Value tensor, Placement placement) {
  ArrayRef<int64_t> shape = cast<ShapedType>(tensor.getType()).getShape();
  SmallVector<Value> result(shape.size());
  auto take = [&](Value rest, size_t first, size_t last) {
    AffineExpr expr = builder.getAffineDimExpr(0);
    bool isWhole = true; // nothing but 1 before it
    for (size_t dim = last; dim-- > first;) {
      isWhole = llvm::all_of(shape.slice(first, dim - first),
                             [](int64_t extent) { return extent == 1; });
      AffineExpr own = shape[dim] == 1 ? builder.getAffineConstantExpr(0)
                       : isWhole       ? expr
                                       : expr % shape[dim];
      result[dim] = apply(own, rest);
      if (shape[dim] != 1)
        expr = isWhole ? builder.getAffineConstantExpr(0)
                       : expr.floorDiv(shape[dim]);
    }
  };
  std::optional<unsigned> split = placement == Placement::Full
                                      ? repro::splitShape(shape, form.rows)
                                      : std::nullopt;
  if (split) {
    take(row, 0, *split);
    take(group->columns[number], *split, shape.size());
  } else {
    take(flatNumber(placement), 0, shape.size());
  }
  return result;
}

Value RowEmitter::element(Value tensor, ArrayRef<Value> indices) {
  const Placement placement = form.placementOf(tensor);
  if (placement == Placement::Free)
    return PointerEmitter::element(tensor, indices);
  Operation *op = tensor.getDefiningOp();
  auto isPlaced = [&](Value operand) {
    return form.placementOf(operand) != Placement::Free;
  };
  if (isa_and_nonnull<repro::BroadcastOp, repro::ReshapeOp>(op) &&
      isPlaced(op->getOperand(0)))
    return element(op->getOperand(0), {});
  if (auto random = dyn_cast_or_null<repro::RandomBitsOp>(op))
    return draw(random, placement);
  const bool asksPlaced = !op || isa<repro::ConstantOp, repro::ReduceOp>(op) ||
                          (op->hasTrait<OpTrait::Elementwise>() &&
                           llvm::all_of(op->getOperands(), isPlaced));
  return PointerEmitter::element(tensor, asksPlaced
                                             ? key(tensor, placement)
                                             : realIndices(tensor, placement));
}

Value RowEmitter::load(Value tensor, Value buffer, ArrayRef<Value> indices) {
  const Placement placement = form.placementOf(tensor);
  Type type = cast<ShapedType>(tensor.getType()).getElementType();
  switch (placement) {
  case Placement::Full:
  case Placement::Column:
    return loadGroup(tensor, buffer, placement);
  case Placement::Row:
  case Placement::Uniform:
    return loadAt(type, buffer, flatNumber(placement));
  default:
    return isAtPoint(tensor, indices)
               ? loadGroup(tensor, buffer, Placement::Full)
               : PointerEmitter::load(tensor, buffer, indices);
  }
}

static Type storedType(Type element) {
  Type scalar = repro::getScalarType(element);
  return scalar.isInteger(1) ? IntegerType::get(element.getContext(), 8)
                             : scalar;
}

/// The base is computed once for all groups that share it; offsets end up in
/// the instructions.
Value RowEmitter::groupAddress(Value pointer, Type stored, Placement placement,
                               const PointGroup &at) {
  Value base = at.base;
  if (placement == Placement::Full)
    base = builder.createOrFold<arith::AddIOp>(location, rowBegin, base);
  Value wide = builder.createOrFold<arith::IndexCastOp>(
      location, builder.getI64Type(), base);
  Value address =
      LLVM::GEPOp::create(builder, location, pointer.getType(), stored, pointer,
                          ValueRange{wide}, LLVM::GEPNoWrapFlags::none);
  if (at.offset == 0)
    return address;
  return LLVM::GEPOp::create(
      builder, location, pointer.getType(), stored, address,
      ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(at.offset)},
      LLVM::GEPNoWrapFlags::none);
}

/// Neighbours of one access: as many as the group has, up to 16 bytes.
static int64_t accessOf(Type stored, size_t points) {
  const int64_t most = 128 / stored.getIntOrFloatBitWidth();
  return std::min<int64_t>(static_cast<int64_t>(points), most);
}

Value RowEmitter::loadGroup(Value tensor, Value pointer, Placement placement) {
  Type type = cast<ShapedType>(tensor.getType()).getElementType();
  Type stored = storedType(type);
  const auto bytes = stored.getIntOrFloatBitWidth() / 8;
  const int64_t count = accessOf(stored, group->columns.size());
  // All pieces of the group that hold the point's neighbours.
  const int64_t first = number / count * count;
  PointGroup at = *group;
  at.offset += first;
  Value address = groupAddress(pointer, stored, placement, at);
  Type shape = count == 1 ? stored : Type(VectorType::get({count}, stored));
  Value loaded = LLVM::LoadOp::create(builder, location, shape, address,
                                      static_cast<unsigned>(bytes * count));
  const bool isFree = form.placementOf(tensor) == Placement::Free;
  const unsigned asked = number;
  Value result;
  for (int64_t i = 0; i < count; ++i) {
    Value value = count == 1
                      ? loaded
                      : vector::ExtractOp::create(builder, location, loaded, i)
                            .getResult();
    if (type.isInteger(1))
      value = arith::TruncIOp::create(builder, location, builder.getI1Type(),
                                      value);
    number = static_cast<unsigned>(first + i);
    if (number == asked)
      result = value;
    else
      define(tensor,
             isFree ? realIndices(tensor, placement) : key(tensor, placement),
             value);
  }
  number = asked;
  return result;
}

void RowEmitter::storeGroup(ArrayRef<Value> values, Value pointer,
                            const PointGroup &at) {
  SmallVector<Value> stored;
  for (Value value : values) {
    value = canonical(value);
    if (value.getType().isInteger(1))
      value =
          arith::ExtUIOp::create(builder, location, builder.getI8Type(), value);
    stored.push_back(value);
  }
  Type type = stored.front().getType();
  const auto bytes = type.getIntOrFloatBitWidth() / 8;
  const int64_t count = accessOf(type, values.size());
  for (size_t first = 0; first < stored.size();
       first += static_cast<size_t>(count)) {
    PointGroup part = at;
    part.offset += static_cast<int64_t>(first);
    Value value = stored[first];
    if (count > 1)
      value = vector::FromElementsOp::create(
          builder, location, VectorType::get({count}, type),
          ArrayRef(stored).slice(first, static_cast<size_t>(count)));
    LLVM::StoreOp::create(builder, location, value,
                          groupAddress(pointer, type, Placement::Full, part),
                          static_cast<unsigned>(bytes * count));
  }
}

/// Words of a draw; where a group is a block of four, all of them at once.
Value RowEmitter::draw(repro::RandomBitsOp op, Placement placement) {
  Value tensor = op.getResult();
  SmallVector<Value> own = key(tensor, placement);
  if (Value known = lookup(tensor, own))
    return known;
  Value flat = flatNumber(placement);
  const bool isBlock =
      (placement == Placement::Full || placement == Placement::Column) &&
      group->columns.size() == 4;
  auto wide = [&](Value position) {
    return builder.createOrFold<arith::IndexCastOp>(
        location, builder.getI64Type(), position);
  };
  if (!isBlock) {
    Value word = emit::emitRandomBits(op, *this, wide(flat));
    if (word)
      define(tensor, own, word);
    return word;
  }
  Value four = arith::ConstantIndexOp::create(builder, location, 4);
  Value block = builder.createOrFold<arith::DivUIOp>(location, flat, four);
  SmallVector<Value> words = emit::emitRandomBlocks(op, *this, wide(block));
  if (words.empty())
    return {};
  for (auto [column, word] : llvm::zip_equal(group->columns, words))
    define(tensor, {column}, word);
  return words[number];
}

} // namespace gensyn::gpu
