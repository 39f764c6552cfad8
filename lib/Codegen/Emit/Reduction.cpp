// Emits one element of contract, reduce and arg_reduce: loops over its points
// in the order of the op (lib/Numerics/Reduce.h and ExactSum.h define the
// orders).

#include "Models.h"
#include "Points.h"
#include "gensyn/Codegen/Emit/ReduceKinds.h"
#include "gensyn/Codegen/Emit/Scalar.h"
#include "gensyn/Numerics/ExactSum.h"
#include "gensyn/Numerics/Reduce.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace gensyn::repro;

namespace gensyn::emit {
namespace {

/// Calls `reduce` under the condition of being reached, else yields `identity`.
Points::Carried
whereReached(ElementEmitter &emitter, Value reached, Points::Carried identity,
             function_ref<Points::Carried(Points::Carried)> reduce) {
  if (!reached)
    return reduce(identity);
  OpBuilder &builder = emitter.builder;
  auto branch = scf::IfOp::create(builder, emitter.location,
                                  ValueRange(identity).getTypes(), reached,
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(builder, emitter.location, identity);
  builder.setInsertionPointToStart(branch.thenBlock());
  emitter.inNestedRegion([&] {
    scf::YieldOp::create(builder, emitter.location, reduce(identity));
  });
  return Points::Carried(branch.getResults());
}

/// Combines all points by `step`, which adds the current point of `points` to
/// an accumulator, and combines partial results; neither may fail.
Value reduceInOrder(ElementEmitter &emitter, Points &points, DomainAttr domain,
                    std::optional<Order> order, Value identity,
                    function_ref<Value(Value)> step,
                    function_ref<Value(Value, Value)> join) {
  auto reduce = [&](Points::Carried start) -> Points::Carried {
    if (domain.getNumPoints() == 0)
      return start;
    // One accumulator needs no indices of points: nested loops are equivalent.
    if (!order || order->isSequential())
      return points.forEach(start, [&](const Points::Carried &carried) {
        return Points::Carried{step(carried[0])};
      });
    Emit emit(emitter, start[0].getType());
    return {reduceOrdered(
        emit, *order, emit.index(domain.getNumPoints()), start[0],
        [&](Value accumulator, Emit::Index i) {
          points.setPoint(i.value);
          return step(accumulator);
        },
        join)};
  };
  return whereReached(emitter, points.getReached(), {identity}, reduce)[0];
}

/// Returns the sum of the points' terms, rounded once (order_r4). `terms`
/// returns the element of the current point, or its two factors; zeros if the
/// point is skipped.
template <Kind kind>
Value sumExactly(ElementEmitter &emitter, Points &points, DomainAttr domain,
                 Value zero, function_ref<SmallVector<Value, 2>()> terms,
                 bool isProduct) {
  Emit emit(emitter, zero.getType());
  auto typed = [&](Value value) {
    return Typed<kind>{&emitter.builder, value};
  };
  const int64_t count = domain.getNumPoints();
  auto at = [&](Emit::Index i) {
    points.setPoint(i.value);
    return terms();
  };
  if (isProduct)
    return exactDot(emit, count,
                    [&](Emit::Index i) {
                      SmallVector<Value, 2> factors = at(i);
                      return std::pair(typed(factors[0]), typed(factors[1]));
                    })
        .value;
  return exactSum(emit, count, [&](Emit::Index i) { return typed(at(i)[0]); })
      .value;
}

Value reduceExactly(ElementEmitter &emitter, Points &points, DomainAttr domain,
                    Value zero, function_ref<SmallVector<Value, 2>()> terms,
                    bool isProduct) {
  if (isa<VectorType>(zero.getType()))
    llvm::report_fatal_error("an exact sum is emitted for scalars");
  auto reduce = [&](const Points::Carried &) -> Points::Carried {
    return {zero.getType().isF64()
                ? sumExactly<Kind::F64>(emitter, points, domain, zero, terms,
                                        isProduct)
                : sumExactly<Kind::F32>(emitter, points, domain, zero, terms,
                                        isProduct)};
  };
  return whereReached(emitter, points.getReached(), {zero}, reduce)[0];
}

std::optional<Order> orderOf(std::optional<OrderAttr> attribute) {
  if (!attribute || !*attribute)
    return std::nullopt;
  return attribute->getOrder();
}

struct ContractModel
    : ElementOpInterface::ExternalModel<ContractModel, ContractOp> {
  Value emitElement(Operation *op, ElementEmitter &emitter, unsigned,
                    ArrayRef<Value> indices) const {
    auto contract = cast<ContractOp>(op);
    OpBuilder &builder = emitter.builder;
    auto type = cast<RankedTensorType>(contract.getType());
    Scalar scalar(emitter, type.getElementType());
    Points points(emitter, contract.getDomain());
    points.locate(contract.getMap(2), type.getShape(), indices);
    Value zero = emitter.splat(scalar.number(0));
    bool failed = false;
    auto factor = [&](unsigned number, Value &skipped) -> Value {
      Value operand = op->getOperand(number), inside;
      const bool empty =
          llvm::is_contained(cast<ShapedType>(operand.getType()).getShape(), 0);
      Value x = points.read(operand, contract.getMap(number), inside);
      if (!x) {
        failed = failed || !empty;
        // No element is in bounds: all are +0, or all points are skipped.
        if (contract.getBound(number) == Bound::Skip)
          skipped = arith::ConstantOp::create(builder, emitter.location,
                                              builder.getBoolAttr(false));
        return zero;
      }
      if (getElementTypeOrSelf(operand) != type.getElementType())
        x = Scalar(emitter, getElementTypeOrSelf(operand))
                .convert(x, type.getElementType());
      if (!inside)
        return x;
      if (contract.getBound(number) == Bound::Zero)
        return arith::SelectOp::create(builder, emitter.location, inside, x,
                                       zero);
      skipped = skipped ? builder.createOrFold<arith::AndIOp>(emitter.location,
                                                              skipped, inside)
                        : inside;
      return x;
    };
    auto step = [&](Value accumulator) -> Value {
      Value skipped;
      Value a = factor(0, skipped), b = factor(1, skipped);
      Value next = isa<FloatType>(type.getElementType())
                       ? scalar.fma(a, b, accumulator)
                       : scalar.add(accumulator, scalar.mul(a, b));
      return skipped ? builder.createOrFold<arith::SelectOp>(
                           emitter.location, skipped, next, accumulator)
                     : next;
    };
    std::optional<Order> order = orderOf(contract.getOrder());
    if (order && order->isExact()) {
      Value sum = reduceExactly(
          emitter, points, contract.getDomain(), zero,
          [&]() -> SmallVector<Value, 2> {
            Value taken;
            Value a = factor(0, taken), b = factor(1, taken);
            if (!taken)
              return {a, b};
            auto orZero = [&](Value x) -> Value {
              return arith::SelectOp::create(builder, emitter.location, taken,
                                             x, zero);
            };
            return {orZero(a), orZero(b)};
          },
          /*isProduct=*/true);
      return failed ? Value() : emitter.markComputed(sum);
    }
    Value sum =
        reduceInOrder(emitter, points, contract.getDomain(), order, zero, step,
                      [&](Value x, Value y) { return scalar.add(x, y); });
    if (failed)
      return {};
    // A zero result is +0 (contract_r3).
    return isa<FloatType>(type.getElementType()) ? scalar.add(sum, zero) : sum;
  }
};

struct ReduceModel : ElementOpInterface::ExternalModel<ReduceModel, ReduceOp> {
  Value emitElement(Operation *op, ElementEmitter &emitter, unsigned,
                    ArrayRef<Value> indices) const {
    auto reduce = cast<ReduceOp>(op);
    OpBuilder &builder = emitter.builder;
    auto type = cast<RankedTensorType>(reduce.getType());
    if (isStorageOnly(*getElementType(type.getElementType()))) {
      op->emitOpError("is computed in f32 or f64, not in ")
          << type.getElementType();
      return {};
    }
    Scalar scalar(emitter, type.getElementType());
    Points points(emitter, reduce.getDomain());
    points.locate(reduce.getMap(1), type.getShape(), indices);
    Value identity = emitter.splat(
        emitIdentity(scalar, reduce.getKind(), type.getElementType()));
    if (llvm::is_contained(
            cast<ShapedType>(reduce.getOperand().getType()).getShape(), 0))
      return identity;
    bool failed = false;
    // Extrema compare keys: one instruction in the chain of the points.
    const ReduceKind kind = reduce.getKind();
    const bool hasKeys = isa<FloatType>(type.getElementType()) &&
                         (kind == ReduceKind::Max || kind == ReduceKind::Min);
    auto keyOf = [&](Value x) {
      return scalar.orderKey(x, /*nanIsLeast=*/kind == ReduceKind::Min);
    };
    Scalar combined(emitter,
                    hasKeys ? builder.getIntegerType(
                                  type.getElementType().getIntOrFloatBitWidth())
                            : type.getElementType());
    auto step = [&](Value accumulator) -> Value {
      Value inside;
      Value x = points.read(reduce.getOperand(), reduce.getMap(0), inside);
      if (!x) {
        failed = true;
        return accumulator;
      }
      Value next =
          emitCombine(combined, kind, accumulator, hasKeys ? keyOf(x) : x);
      return inside ? builder.createOrFold<arith::SelectOp>(
                          emitter.location, inside, next, accumulator)
                    : next;
    };
    std::optional<Order> order = orderOf(reduce.getOrder());
    if (order && order->isExact()) {
      Value sum = reduceExactly(
          emitter, points, reduce.getDomain(), identity,
          [&]() -> SmallVector<Value, 2> {
            Value inside;
            Value x =
                points.read(reduce.getOperand(), reduce.getMap(0), inside);
            failed = failed || !x;
            if (!x || !inside)
              return {x ? x : identity};
            return {arith::SelectOp::create(builder, emitter.location, inside,
                                            x, identity)};
          },
          /*isProduct=*/false);
      return failed ? Value() : emitter.markComputed(sum);
    }
    Value result = reduceInOrder(
        emitter, points, reduce.getDomain(), order,
        hasKeys ? keyOf(identity) : identity, step,
        [&](Value x, Value y) { return emitCombine(combined, kind, x, y); });
    if (failed)
      return {};
    if (hasKeys)
      return scalar.fromOrderKey(result);
    const bool computed =
        kind == ReduceKind::Sum || kind == ReduceKind::Product;
    return computed ? emitter.markComputed(result) : result;
  }
};

struct ArgReduceModel
    : ElementOpInterface::ExternalModel<ArgReduceModel, ArgReduceOp> {
  // Carries the key of the best point and its index, -1 before the first.
  Value emitElement(Operation *op, ElementEmitter &emitter, unsigned,
                    ArrayRef<Value> indices) const {
    auto reduce = cast<ArgReduceOp>(op);
    OpBuilder &builder = emitter.builder;
    Location location = emitter.location;
    Type element = getElementTypeOrSelf(reduce.getOperand());
    if (isStorageOnly(*getElementType(element))) {
      op->emitOpError("is computed in f32 or f64, not in ") << element;
      return {};
    }
    const bool isMax = reduce.getKind() == ArgKind::Max;
    Scalar scalar(emitter, element);
    Scalar number(emitter, builder.getI32Type());
    Points points(emitter, reduce.getDomain());
    points.locate(reduce.getMap(1),
                  cast<ShapedType>(reduce.getType()).getShape(), indices);
    Value none = emitter.splat(number.scalarBits(~0ull));
    if (reduce.getDomain().getNumPoints() == 0 ||
        llvm::is_contained(
            cast<ShapedType>(reduce.getOperand().getType()).getShape(), 0))
      return none;
    Type word = builder.getIntegerType(element.getIntOrFloatBitWidth());
    Value start = emitter.splat(
        Scalar(emitter, word).scalarBits(0)); // never read: the initial index
                                              // is -1
    const bool isUnsigned = element.isUnsignedInteger() || element.isInteger(1);
    using CmpI = arith::CmpIPredicate;
    CmpI beats = isMax ? (isUnsigned ? CmpI::ugt : CmpI::sgt)
                       : (isUnsigned ? CmpI::ult : CmpI::slt);
    if (reduce.getLast())
      beats = isMax ? (isUnsigned ? CmpI::uge : CmpI::sge)
                    : (isUnsigned ? CmpI::ule : CmpI::sle);
    bool failed = false;
    auto step = [&](const Points::Carried &best) -> Points::Carried {
      Value inside;
      Value x = points.read(reduce.getOperand(), reduce.getMap(0), inside);
      if (!x) {
        failed = true;
        return best;
      }
      Value key = scalar.orderKey(x, /*nanIsLeast=*/!isMax);
      Value wins =
          arith::CmpIOp::create(builder, location, beats, key, best[0]);
      Value first =
          arith::CmpIOp::create(builder, location, CmpI::eq, best[1], none);
      wins = arith::OrIOp::create(builder, location, wins, first);
      if (inside)
        wins = arith::AndIOp::create(builder, location, wins, inside);
      Value at = emitter.splat(arith::IndexCastOp::create(
          builder, location, builder.getI32Type(), points.pointNumber()));
      return {arith::SelectOp::create(builder, location, wins, key, best[0]),
              arith::SelectOp::create(builder, location, wins, at, best[1])};
    };
    Points::Carried result =
        whereReached(emitter, points.getReached(), {start, none},
                     [&](Points::Carried initial) {
                       return points.forEach(std::move(initial), step);
                     });
    return failed ? Value() : result[1];
  }
};

} // namespace

void attachReductionModels(MLIRContext *context) {
  ContractOp::attachInterface<ContractModel>(*context);
  ReduceOp::attachInterface<ReduceModel>(*context);
  ArgReduceOp::attachInterface<ArgReduceModel>(*context);
}

} // namespace gensyn::emit
