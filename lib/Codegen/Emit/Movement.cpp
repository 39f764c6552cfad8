// Emits one element of a movement op: an operand's element at other indices.

#include "ElementIndex.h"
#include "Models.h"
#include "gensyn/Codegen/Emit/Scalar.h"
#include "gensyn/Dialect/Repro/IR/ReshapeGroups.h"
#include "gensyn/Dialect/Repro/IR/TensorTypes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace gensyn::repro;

namespace gensyn::emit {
namespace {

using CmpI = arith::CmpIPredicate;

/// Returns `index` if it is less than `extent`, else 0; `inside` gets the
/// comparison.
Value clampIndex(ElementEmitter &emitter, Value index, int64_t extent,
                 Value &inside) {
  // Compared as unsigned, so that a negative index is out of bounds too.
  const ElementIndex numbers(emitter);
  Value fits = numbers.less(index, extent);
  inside = numbers.both(inside, fits);
  return numbers.select(fits, index, numbers(0));
}

struct ConstantModel
    : ElementOpInterface::ExternalModel<ConstantModel, ConstantOp> {
  Value emitElement(Operation *op, ElementEmitter &emitter, unsigned,
                    ArrayRef<Value> indices) const {
    auto elements =
        dyn_cast<DenseElementsAttr>(cast<ConstantOp>(op).getValue());
    if (!elements || !elements.isSplat()) {
      op->emitOpError(
          "with several values is an input of a kernel, not a part");
      return {};
    }
    APInt bits = isa<FloatType>(elements.getElementType())
                     ? elements.getSplatValue<APFloat>().bitcastToAPInt()
                     : elements.getSplatValue<APInt>();
    return emitter.splat(Scalar(emitter, elements.getElementType())
                             .scalarBits(bits.getZExtValue()));
  }
};

struct IotaModel : ElementOpInterface::ExternalModel<IotaModel, IotaOp> {
  Value emitElement(Operation *op, ElementEmitter &emitter, unsigned,
                    ArrayRef<Value> indices) const {
    auto iota = cast<IotaOp>(op);
    auto type = cast<IntegerType>(iota.getType().getElementType());
    return emitter.splat(emitter.builder.createOrFold<arith::IndexCastOp>(
        emitter.location, emitter.builder.getIntegerType(type.getWidth()),
        indices[static_cast<size_t>(iota.getDim())]));
  }
};

/// Returns the index of the row-major element `linear` along each dimension.
SmallVector<AffineExpr> delinearize(AffineExpr linear,
                                    ArrayRef<int64_t> shape) {
  SmallVector<AffineExpr> result(shape.size());
  for (size_t dim = shape.size(); dim-- > 0;) {
    if (dim == 0)
      result[dim] = linear;
    else {
      result[dim] = linear % shape[dim];
      linear = linear.floorDiv(shape[dim]);
    }
  }
  return result;
}

struct ReshapeModel
    : ElementOpInterface::ExternalModel<ReshapeModel, ReshapeOp> {
  // Dimensions that a reshape keeps need no division.
  Value emitElement(Operation *op, ElementEmitter &emitter, unsigned,
                    ArrayRef<Value> indices) const {
    MLIRContext *context = op->getContext();
    Value operand = op->getOperand(0);
    ArrayRef<int64_t> from = shapeOf(op->getResult(0)), to = shapeOf(operand);
    // The tensor is empty; a loop that does not execute may read any value.
    if (llvm::is_contained(from, 0)) {
      Scalar scalar(emitter, cast<ReshapeOp>(op).getType().getElementType());
      return emitter.splat(scalar.scalarBits(0));
    }
    SmallVector<Value> mapped;
    auto mapUnits = [&](size_t end) {
      while (mapped.size() < end)
        mapped.push_back(
            emitter.apply(getAffineConstantExpr(0, context), indices));
    };
    for (const ReshapeGroup &group :
         getReshapeGroups(from, to, UnitExtents::Skip)) {
      mapUnits(group.to);
      AffineExpr linear = getAffineConstantExpr(0, context);
      for (size_t k = group.from; k < group.fromEnd; ++k) {
        linear = linear * from[k];
        if (from[k] != 1)
          linear = linear + getAffineDimExpr(static_cast<unsigned>(k), context);
      }
      for (AffineExpr expr :
           delinearize(linear, to.slice(group.to, group.toEnd - group.to)))
        mapped.push_back(emitter.apply(expr, indices));
    }
    mapUnits(to.size());
    return emitter.element(operand, mapped);
  }
};

struct TransposeModel
    : ElementOpInterface::ExternalModel<TransposeModel, TransposeOp> {
  Value emitElement(Operation *op, ElementEmitter &emitter, unsigned,
                    ArrayRef<Value> indices) const {
    SmallVector<Value> mapped(indices.size());
    for (auto [k, from] :
         llvm::enumerate(cast<TransposeOp>(op).getPermutation()))
      mapped[static_cast<size_t>(from)] = indices[k];
    return emitter.element(op->getOperand(0), mapped);
  }
};

struct BroadcastModel
    : ElementOpInterface::ExternalModel<BroadcastModel, BroadcastOp> {
  Value emitElement(Operation *op, ElementEmitter &emitter, unsigned,
                    ArrayRef<Value> indices) const {
    SmallVector<Value> mapped;
    for (int64_t dim : cast<BroadcastOp>(op).getDims())
      mapped.push_back(indices[static_cast<size_t>(dim)]);
    return emitter.element(op->getOperand(0), mapped);
  }
};

struct SliceModel : ElementOpInterface::ExternalModel<SliceModel, SliceOp> {
  Value emitElement(Operation *op, ElementEmitter &emitter, unsigned,
                    ArrayRef<Value> indices) const {
    auto slice = cast<SliceOp>(op);
    SmallVector<Value> mapped;
    for (unsigned k = 0; k < indices.size(); ++k) {
      AffineExpr at = getAffineDimExpr(k, op->getContext());
      mapped.push_back(emitter.apply(
          at * slice.getStride()[k] + slice.getStart()[k], indices));
    }
    return emitter.element(slice.getOperand(), mapped);
  }
};

struct PadModel : ElementOpInterface::ExternalModel<PadModel, PadOp> {
  // Reads the operand at a clamped index and selects, without a branch.
  Value emitElement(Operation *op, ElementEmitter &emitter, unsigned,
                    ArrayRef<Value> indices) const {
    auto pad = cast<PadOp>(op);
    Value value = emitter.element(pad.getValue(), {});
    ArrayRef<int64_t> shape = shapeOf(pad.getOperand());
    if (!value || llvm::is_contained(shape, 0))
      return value;
    SmallVector<Value> mapped;
    Value inside;
    for (unsigned k = 0; k < indices.size(); ++k) {
      const int64_t low = pad.getLow()[k], step = pad.getInterior()[k] + 1;
      AffineExpr dim = getAffineDimExpr(k, op->getContext());
      if (low == 0 && pad.getHigh()[k] == 0 && step == 1) {
        mapped.push_back(indices[k]);
        continue;
      }
      Value position = emitter.apply(dim - low, indices);
      Value at =
          clampIndex(emitter, position, (shape[k] - 1) * step + 1, inside);
      if (step > 1) {
        AffineExpr d0 = getAffineDimExpr(0, op->getContext());
        Value gap = emitter.apply(d0 % step, at);
        const ElementIndex index(emitter);
        inside = index.both(inside, index.compare(CmpI::eq, gap, 0));
        at = emitter.apply(d0.floorDiv(step), at);
      }
      mapped.push_back(at);
    }
    Value element = emitter.element(pad.getOperand(), mapped);
    if (!element || !inside)
      return element;
    return Scalar(emitter, pad.getType().getElementType())
        .select(inside, element, value);
  }
};

/// An operand of a concat and the index of its first element.
struct Part {
  Value operand;
  int64_t begin;
};

/// Emits the element of the part that contains `indices`, by branches; null if
/// there is none.
Value emitPart(ElementEmitter &emitter, unsigned dim, ArrayRef<Part> parts,
               Type type, ArrayRef<Value> indices) {
  AffineExpr along = getAffineDimExpr(dim, emitter.builder.getContext());
  if (parts.size() == 1) {
    SmallVector<Value> mapped(indices);
    mapped[dim] = emitter.apply(along - parts.front().begin, indices);
    Value element = emitter.element(parts.front().operand, mapped);
    return element ? emitter.canonical(element) : element;
  }
  const size_t half = parts.size() / 2;
  Value isBefore = ElementIndex(emitter).less(indices[dim], parts[half].begin);
  OpBuilder &builder = emitter.builder;
  auto branch = scf::IfOp::create(builder, emitter.location, type, isBefore,
                                  /*withElseRegion=*/true);
  bool complete = true;
  auto fill = [&](Block *block, ArrayRef<Part> of) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(block);
    emitter.inNestedRegion([&] {
      Value element = emitPart(emitter, dim, of, type, indices);
      complete = complete && element;
      if (element)
        scf::YieldOp::create(builder, emitter.location, element);
    });
  };
  fill(branch.thenBlock(), parts.take_front(half));
  fill(branch.elseBlock(), parts.drop_front(half));
  return complete ? branch.getResult(0) : Value();
}

struct ConcatModel : ElementOpInterface::ExternalModel<ConcatModel, ConcatOp> {
  // Reads every operand at a clamped index and selects, without a branch,
  // unless a branch costs less.
  Value emitElement(Operation *op, ElementEmitter &emitter, unsigned,
                    ArrayRef<Value> indices) const {
    auto concat = cast<ConcatOp>(op);
    if (emitter.hasUniformBranches())
      return emitBranches(concat, emitter, indices);
    const auto dim = static_cast<unsigned>(concat.getDim());
    Scalar scalar(emitter, concat.getType().getElementType());
    AffineExpr along = getAffineDimExpr(dim, op->getContext());
    Value result;
    int64_t offset = 0;
    for (Value operand : concat.getOperands()) {
      const int64_t extent = shapeOf(operand)[dim];
      if (extent == 0)
        continue;
      SmallVector<Value> mapped(indices);
      Value inside;
      mapped[dim] = clampIndex(emitter, emitter.apply(along - offset, indices),
                               extent, inside);
      Value element = emitter.element(operand, mapped);
      if (!element)
        return {};
      result = result ? scalar.select(inside, element, result) : element;
      offset += extent;
    }
    // A concatenation of empty tensors is empty; a loop that does not execute
    // may read any value.
    return result ? result : emitter.splat(scalar.scalarBits(0));
  }

private:
  static Value emitBranches(ConcatOp op, ElementEmitter &emitter,
                            ArrayRef<Value> indices) {
    const auto dim = static_cast<unsigned>(op.getDim());
    SmallVector<Part> parts;
    int64_t begin = 0;
    for (Value operand : op.getOperands()) {
      const int64_t extent = shapeOf(operand)[dim];
      if (extent > 0)
        parts.push_back({operand, begin});
      begin += extent;
    }
    Scalar scalar(emitter, op.getType().getElementType());
    Value zero = emitter.splat(scalar.scalarBits(0));
    return parts.empty()
               ? zero
               : emitPart(emitter, dim, parts, zero.getType(), indices);
  }
};

struct ReverseModel
    : ElementOpInterface::ExternalModel<ReverseModel, ReverseOp> {
  Value emitElement(Operation *op, ElementEmitter &emitter, unsigned,
                    ArrayRef<Value> indices) const {
    ArrayRef<int64_t> shape = shapeOf(op->getResult(0));
    SmallVector<Value> mapped(indices);
    for (int64_t dim : cast<ReverseOp>(op).getDims()) {
      AffineExpr at =
          getAffineDimExpr(static_cast<unsigned>(dim), op->getContext());
      mapped[static_cast<size_t>(dim)] =
          emitter.apply(-at + (shape[static_cast<size_t>(dim)] - 1), indices);
    }
    return emitter.element(op->getOperand(0), mapped);
  }
};

} // namespace

void attachMovementModels(MLIRContext *context) {
  ConstantOp::attachInterface<ConstantModel>(*context);
  IotaOp::attachInterface<IotaModel>(*context);
  ReshapeOp::attachInterface<ReshapeModel>(*context);
  TransposeOp::attachInterface<TransposeModel>(*context);
  BroadcastOp::attachInterface<BroadcastModel>(*context);
  SliceOp::attachInterface<SliceModel>(*context);
  PadOp::attachInterface<PadModel>(*context);
  ConcatOp::attachInterface<ConcatModel>(*context);
  ReverseOp::attachInterface<ReverseModel>(*context);
}

} // namespace gensyn::emit
