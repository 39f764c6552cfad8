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
  // The tensor is also read elsewhere.
  return element(tensor, realIndices(tensor, placement));
}

/// True if indices of a tensor that is also read elsewhere are those of the
/// current point.
bool RowEmitter::isAtPoint(Value tensor, ArrayRef<Value> indices) {
  return group && isa<BlockArgument>(tensor) &&
         cast<ShapedType>(tensor.getType()).getNumElements() ==
             form.rows * form.columns &&
         indices == ArrayRef(realIndices(tensor, Placement::Full));
}

/// Returns the coordinates that distinguish the elements of a placed value.
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

/// Returns the linear index of the element.
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

/// Returns indices for models that use them. Unused ones are removed by
/// dead-code elimination.
SmallVector<Value> RowEmitter::realIndices(Value tensor, Placement placement) {
  ArrayRef<int64_t> shape = cast<ShapedType>(tensor.getType()).getShape();
  SmallVector<Value> result(shape.size());
  auto take = [&](Value rest, size_t first, size_t last) {
    AffineExpr expr = builder.getAffineDimExpr(0);
    bool isWhole = true; // all extents before it are 1
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
  if (const StagedValue *kept = op ? findKept(tensor) : nullptr) {
    if (Value known = lookup(tensor, key(tensor, placement)))
      return known;
    Value loaded = loadGroup(tensor, placeOf(*kept, *group), placement,
                             computed.contains(tensor));
    define(tensor, key(tensor, placement), loaded);
    return loaded;
  }
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
  auto fromGroup = [&](Placement as) {
    const StagedValue *kept =
        as == Placement::Full ? findKept(tensor) : nullptr;
    return loadGroup(
        tensor, kept ? placeOf(*kept, *group) : placeOf(buffer, as, *group), as,
        /*isComputed=*/false);
  };
  switch (placement) {
  case Placement::Full:
  case Placement::Column:
    return fromGroup(placement);
  case Placement::Row:
  case Placement::Uniform:
    return loadAt(type, buffer, flatNumber(placement));
  default:
    return isAtPoint(tensor, indices)
               ? fromGroup(Placement::Full)
               : PointerEmitter::load(tensor, buffer, indices);
  }
}

/// Groups share a base, which is computed once; offsets are immediates of the
/// instructions.
RowEmitter::GroupPlace RowEmitter::placeOf(Value pointer, Placement placement,
                                           const PointGroup &at) {
  Value base = at.base;
  if (placement == Placement::Full)
    base = builder.createOrFold<arith::AddIOp>(location, rowBegin, base);
  return {pointer, base, at.offset};
}

/// The rows of a value are consecutive. If the walk of the results is wide, it
/// reads elements that other threads wrote, but only within the row.
RowEmitter::GroupPlace RowEmitter::placeOf(const StagedValue &kept,
                                           const PointGroup &at) {
  const int64_t columns = layout->stagedColumns();
  const bool isOwn = walk == 0 || !layout->isWide(walk);
  Value first = builder.createOrFold<arith::MulIOp>(
      location, stage.row,
      arith::ConstantIndexOp::create(builder, location, columns));
  const int64_t before = kept.place * columns * layout->rowsPerBlock();
  return {stage.pointer,
          builder.createOrFold<arith::AddIOp>(location, first,
                                              isOwn ? at.ownBase : at.base),
          (isOwn ? at.ownOffset : at.offset) + before / kept.bytes};
}

Value RowEmitter::address(const GroupPlace &place, Type stored, int64_t ahead) {
  Value wide = builder.createOrFold<arith::IndexCastOp>(
      location, builder.getI64Type(), place.base);
  Value address = LLVM::GEPOp::create(
      builder, location, place.pointer.getType(), stored, place.pointer,
      ValueRange{wide}, LLVM::GEPNoWrapFlags::none);
  const int64_t offset = place.offset + ahead;
  if (offset == 0)
    return address;
  return LLVM::GEPOp::create(
      builder, location, place.pointer.getType(), stored, address,
      ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(offset)},
      LLVM::GEPNoWrapFlags::none);
}

/// Returns the elements per access: those of the group, up to 16 bytes.
static int64_t accessOf(Type stored, size_t points) {
  const int64_t most = 128 / stored.getIntOrFloatBitWidth();
  return std::min<int64_t>(static_cast<int64_t>(points), most);
}

Value RowEmitter::loadGroup(Value tensor, const GroupPlace &place,
                            Placement placement, bool isComputed) {
  Type type = cast<ShapedType>(tensor.getType()).getElementType();
  Type stored = getStoredType(type);
  const auto bytes = stored.getIntOrFloatBitWidth() / 8;
  const int64_t count = accessOf(stored, group->columns.size());
  // Loads the part of the group that contains the point.
  const int64_t first = number / count * count;
  Type shape = count == 1 ? stored : Type(VectorType::get({count}, stored));
  Value loaded = LLVM::LoadOp::create(builder, location, shape,
                                      address(place, stored, first),
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
    if (isComputed)
      value = markComputed(value);
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

/// Stores values of the tensor's scalar type without canonicalization.
void RowEmitter::storeValues(ArrayRef<Value> values, const GroupPlace &place) {
  SmallVector<Value> stored(values);
  if (stored.front().getType().isInteger(1))
    for (Value &value : stored)
      value =
          arith::ExtUIOp::create(builder, location, builder.getI8Type(), value);
  Type type = stored.front().getType();
  const auto bytes = type.getIntOrFloatBitWidth() / 8;
  const int64_t count = accessOf(type, values.size());
  for (size_t first = 0; first < stored.size();
       first += static_cast<size_t>(count)) {
    Value value = stored[first];
    if (count > 1)
      value = vector::FromElementsOp::create(
          builder, location, VectorType::get({count}, type),
          ArrayRef(stored).slice(first, static_cast<size_t>(count)));
    LLVM::StoreOp::create(builder, location, value,
                          address(place, type, static_cast<int64_t>(first)),
                          static_cast<unsigned>(bytes * count));
  }
}

void RowEmitter::storeGroup(ArrayRef<Value> values, Value pointer,
                            const PointGroup &at) {
  SmallVector<Value> stored;
  for (Value value : values)
    stored.push_back(canonical(value));
  storeValues(stored, placeOf(pointer, Placement::Full, at));
}

Value RowEmitter::markComputed(Value value) {
  computed.insert(value);
  return PointerEmitter::markComputed(value);
}

const StagedValue *RowEmitter::findKept(Value tensor) const {
  const StagedValue *kept = layout ? layout->stage.find(tensor) : nullptr;
  return kept && kept->born < walk ? kept : nullptr;
}

bool RowEmitter::keepGroup(const PointGroup &at) {
  if (!layout)
    return true;
  SmallVector<std::pair<const StagedValue *, SmallVector<Value>>> all;
  for (const StagedValue &own : layout->stage.values) {
    if (own.born != walk)
      continue;
    SmallVector<Value> &values =
        all.emplace_back(&own, SmallVector<Value>()).second;
    for (unsigned i = 0; i < at.columns.size(); ++i) {
      values.push_back(elementAt(own.value, at, i));
      if (!values.back())
        return false;
      if (computed.contains(values.back()))
        computed.insert(own.value);
    }
  }
  for (const auto &[own, values] : all)
    storeValues(values, placeOf(*own, at));
  return true;
}

/// Returns a random word; if the group is a Philox block, all four are computed
/// at once.
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
