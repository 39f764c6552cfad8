// Emits one element of an elementwise op from its operands' elements at the
// same indices.

#include "Models.h"
#include "gensyn/Codegen/Emit/Arithmetic.h"
#include "gensyn/Codegen/Emit/Scalar.h"
#include "gensyn/Codegen/Emit/Tables.h"
#include "gensyn/Numerics/Functions.h"
#include "gensyn/Numerics/Functions/FunctionDispatch.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace gensyn::repro;

namespace gensyn::emit {
namespace {

/// Returns the elements of all operands, or an empty list if one failed.
SmallVector<Value> elementsOf(Operation *op, ElementEmitter &emitter,
                              ArrayRef<Value> indices) {
  SmallVector<Value> elements;
  for (Value operand : op->getOperands()) {
    Value element = emitter.element(operand, indices);
    if (!element)
      return {};
    elements.push_back(element);
  }
  return elements;
}

/// The functions return canonical NaNs or mark their results themselves.
/// Functions without an f64 version are rejected here.
Value refuse(Operation *op, Type type) {
  op->emitOpError("is computed in f32 only, not in ") << type;
  return {};
}

/// On a CPU, which emits vectors: splits the polynomial to shorten the chain of
/// dependent operations. (A GPU hides latency by other warps.) Only for
/// correctly rounded results, which do not depend on the algorithm.
struct SplitEmit : Emit {
  explicit SplitEmit(const Emit &emit) : Emit(emit) {}
  static constexpr bool kSplitChains = true;
};

/// `count` lanes of a mask from `first` on, computed from those lanes of what
/// it is computed of: masks of several registers would be joined to one first
/// and divided again.
Value lanesOfMask(OpBuilder &builder, Location location, Value mask,
                  int64_t first, int64_t count) {
  Operation *op = mask.getDefiningOp();
  if (!op ||
      !isa<arith::CmpFOp, arith::AndIOp, arith::OrIOp, arith::XOrIOp>(op))
    return vector::ExtractStridedSliceOp::create(builder, location, mask, first,
                                                 count, 1);
  IRMapping lanes;
  for (Value operand : op->getOperands())
    lanes.map(operand, lanesOfMask(builder, location, operand, first, count));
  Operation *copy = builder.clone(*op, lanes);
  copy->getResult(0).setType(VectorType::get({count}, builder.getI1Type()));
  return copy->getResult(0);
}

/// Emits whether a mask is set, for a vector in any of its lanes,
/// of which a register has `count`.
Value emitAnyLane(OpBuilder &builder, Location location, Value mask,
                  int64_t count) {
  auto type = dyn_cast<VectorType>(mask.getType());
  if (!type)
    return mask;
  const int64_t lanes = type.getNumElements();
  Value any;
  for (int64_t first = 0; first < lanes; first += count) {
    Value some = lanesOfMask(builder, location, mask, first,
                             std::min(count, lanes - first));
    any = any ? arith::OrIOp::create(builder, location, any, some) : some;
  }
  return vector::ReductionOp::create(builder, location,
                                     vector::CombiningKind::OR, any);
}

/// Emits a branch to `slow` where `unsure`, for vectors in one of the lanes, of
/// which a register has `count`.
template <class Slow>
Value emitRarely(ElementEmitter &emitter, Value unsure, Value usual,
                 Slow &&slow, int64_t count = 1) {
  OpBuilder &builder = emitter.builder;
  Location location = emitter.location;
  auto branch = scf::IfOp::create(builder, location, usual.getType(),
                                  emitAnyLane(builder, location, unsure, count),
                                  /*withElseRegion=*/true);
  auto fill = [&](Block *block, auto &&value) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(block);
    scf::YieldOp::create(builder, location, value());
  };
  fill(branch.thenBlock(), [&] {
    Value exact;
    emitter.inNestedRegion([&] { exact = slow(); });
    return exact;
  });
  fill(branch.elseBlock(), [&] { return usual; });
  return branch.getResult(0);
}

/// For machines that permute tables: also shortens polynomials by them.
struct TableEmit : SplitEmit {
  TableEmit(const Emit &emit, ElementEmitter &emitter,
            const machine::TableLookup &way)
      : SplitEmit(emit), emitter(&emitter), way(&way) {}
  static constexpr bool kTables = true;

  I64 lookup(const uint64_t (&table)[16], I64 number) const {
    return number.with(lookUp(emitter->builder, emitter->location, *way,
                              ArrayRef(table), number.value));
  }
  F32 computed(F32 y) const { return y.with(emitter->markComputed(y.value)); }

private:
  ElementEmitter *emitter;
  const machine::TableLookup *way;
};
static_assert(functions::TableArithmetic<TableEmit>);

/// For those that look up tables of words: adds that to a policy.
template <class Base, size_t words> struct WordTableEmit : Base {
  using typename Base::F32, typename Base::I32, typename Base::I64,
      typename Base::Mask;
  WordTableEmit(const Base &base, ElementEmitter &emitter,
                const machine::TableLookup &way)
      : Base(base), emitter(&emitter), way(&way) {}
  static constexpr size_t kWords = words;

  I64 lookup(const uint64_t (&table)[16], I64 number) const
    requires functions::TableArithmetic<Base>
  {
    return Base::lookup(table, number);
  }
  I32 lookup(const uint32_t (&table)[words], I32 number) const {
    return number.with(lookUp(emitter->builder, emitter->location, *way,
                              ArrayRef(table), number.value));
  }
  template <class Slow> F32 rarely(Mask unsure, F32 usual, Slow &&slow) const {
    return usual.with(emitRarely(
        *emitter, unsure.value, usual.value, [&] { return slow().value; },
        way->lanes));
  }

private:
  ElementEmitter *emitter;
  const machine::TableLookup *way;
};
using LargeTableEmit = WordTableEmit<TableEmit, 32>;
using SmallTableEmit = WordTableEmit<SplitEmit, 8>;
static_assert(functions::pair::WordTableArithmetic<LargeTableEmit> &&
              functions::pair::WordTableArithmetic<SmallTableEmit>);

/// For scalars of a machine with slow f64: rare cases are behind a branch.
struct SlowDoubleEmit : Emit {
  SlowDoubleEmit(const Emit &emit, ElementEmitter &emitter)
      : Emit(emit), emitter(&emitter) {}
  static constexpr bool kSlowDouble = true;

  template <class Slow> F32 rarely(Mask unsure, F32 usual, Slow &&slow) const {
    return usual.with(emitRarely(*emitter, unsure.value, usual.value,
                                 [&] { return slow().value; }));
  }

private:
  ElementEmitter *emitter;
};
static_assert(functions::SlowDouble<SlowDoubleEmit>);

/// `describe` of the policy for `emitter`'s elements, of type `type`: the
/// fastest of those whose results are the same.
template <class Describe>
Value describeFastest(ElementEmitter &emitter, const Emit &emit, Type type,
                      Describe &&describe) {
  auto vector = dyn_cast<VectorType>(type);
  if (!vector)
    return emitter.slowDouble() ? describe(SlowDoubleEmit(emit, emitter))
                                : describe(emit);
  auto find = [&](int64_t bits, int64_t entries) {
    return findTableLookup(emitter.builder, bits, entries,
                           vector.getNumElements());
  };
  SplitEmit split(emit);
  if (const machine::TableLookup *words = find(32, 8))
    return describe(SmallTableEmit(split, emitter, *words));
  const machine::TableLookup *table = find(64, 16);
  if (!table)
    return describe(split);
  TableEmit tables(emit, emitter, *table);
  if (const machine::TableLookup *words = find(32, 32))
    return describe(LargeTableEmit(tables, emitter, *words));
  return describe(tables);
}

#define GENSYN_MODEL(Stem, name, inF64)                                        \
  struct Stem##Model                                                           \
      : ElementOpInterface::ExternalModel<Stem##Model, Stem##Op> {             \
    Value emitElement(Operation *op, ElementEmitter &emitter, unsigned,        \
                      ArrayRef<Value> indices) const {                         \
      Type type = getElementTypeOrSelf(op->getOperand(0));                     \
      SmallVector<Value> x = elementsOf(op, emitter, indices);                 \
      if (x.empty())                                                           \
        return {};                                                             \
      Emit emit(emitter, x[0].getType());                                      \
      if (!type.isF32())                                                       \
        return inF64;                                                          \
      auto describe = [&](const auto &a) {                                     \
        return functions::dispatched::name(a,                                  \
                                           Emit::F32{&emitter.builder, x[0]})  \
            .value;                                                            \
      };                                                                       \
      return describeFastest(emitter, emit, x[0].getType(), describe);         \
    }                                                                          \
  };
#define GENSYN_FUNCTION(Stem, name) GENSYN_MODEL(Stem, name, refuse(op, type))
#define GENSYN_F64_FUNCTION(Stem, name)                                        \
  GENSYN_MODEL(                                                                \
      Stem, name,                                                              \
      functions::name##F64(emit, Emit::F64{&emitter.builder, x[0]}).value)
#include "gensyn/Numerics/Functions.def"
#undef GENSYN_MODEL

struct PowModel : ElementOpInterface::ExternalModel<PowModel, PowOp> {
  Value emitElement(Operation *op, ElementEmitter &emitter, unsigned,
                    ArrayRef<Value> indices) const {
    Type type = getElementTypeOrSelf(op->getOperand(0));
    if (!type.isF32())
      return refuse(op, type);
    SmallVector<Value> x = elementsOf(op, emitter, indices);
    if (x.empty())
      return {};
    return functions::pow(Emit(emitter, x[0].getType()),
                          Emit::F32{&emitter.builder, x[0]},
                          Emit::F32{&emitter.builder, x[1]})
        .value;
  }
};

/// An op whose element is `compute` of its operands' elements and of a Scalar
/// of the element type of operand `typed`.
template <class Op, auto compute, unsigned typed = 0>
struct ScalarModel
    : ElementOpInterface::ExternalModel<ScalarModel<Op, compute, typed>, Op> {
  Value emitElement(Operation *op, ElementEmitter &emitter, unsigned,
                    ArrayRef<Value> indices) const {
    SmallVector<Value> x = elementsOf(op, emitter, indices);
    if (x.empty())
      return {};
    Scalar scalar(emitter, getElementTypeOrSelf(op->getOperand(typed)));
    return compute(cast<Op>(op), scalar, x);
  }
};

template <auto member> Value unary(Operation *, Scalar &s, ArrayRef<Value> x) {
  return (s.*member)(x[0]);
}
template <auto member> Value binary(Operation *, Scalar &s, ArrayRef<Value> x) {
  return (s.*member)(x[0], x[1]);
}
Value fma(FmaOp, Scalar &s, ArrayRef<Value> x) {
  return s.fma(x[0], x[1], x[2]);
}
Value round(RoundOp op, Scalar &s, ArrayRef<Value> x) {
  return s.round(x[0], op.getKind());
}
Value compare(CompareOp op, Scalar &s, ArrayRef<Value> x) {
  return s.compare(x[0], x[1], op.getKind());
}
Value select(SelectOp, Scalar &s, ArrayRef<Value> x) {
  return s.select(x[0], x[1], x[2]);
}
Value convert(ConvertOp op, Scalar &s, ArrayRef<Value> x) {
  const Type to = getElementTypeOrSelf(op.getType());
  // Others may read the operand's bits.
  if ((to.isF32() || to.isF64()) && getElementTypeOrSelf(x[0]) == to)
    return s.canonicalCopy(x[0]);
  return s.convert(x[0], to, getNarrowing(op));
}
Value bitcast(BitcastOp op, Scalar &s, ArrayRef<Value> x) {
  return s.bitcast(x[0], getElementTypeOrSelf(op.getType()));
}

} // namespace

void attachElementwiseModels(MLIRContext *context) {
#define GENSYN_UNARY(Stem, name, Types, Cost)                                  \
  Stem##Op::attachInterface<ScalarModel<Stem##Op, unary<&Scalar::name>>>(      \
      *context);
#define GENSYN_BINARY(Stem, name, Types, Cost)                                 \
  Stem##Op::attachInterface<ScalarModel<Stem##Op, binary<&Scalar::name>>>(     \
      *context);
#include "gensyn/Dialect/Repro/IR/Elementwise.def"
#define GENSYN_FUNCTION(Stem, name)                                            \
  Stem##Op::attachInterface<Stem##Model>(*context);
#include "gensyn/Numerics/Functions.def"
  PowOp::attachInterface<PowModel>(*context);
  FmaOp::attachInterface<ScalarModel<FmaOp, fma>>(*context);
  RoundOp::attachInterface<ScalarModel<RoundOp, round>>(*context);
  CompareOp::attachInterface<ScalarModel<CompareOp, compare>>(*context);
  SelectOp::attachInterface<ScalarModel<SelectOp, select, 1>>(*context);
  ConvertOp::attachInterface<ScalarModel<ConvertOp, convert>>(*context);
  BitcastOp::attachInterface<ScalarModel<BitcastOp, bitcast>>(*context);
}

} // namespace gensyn::emit
