// The builder for the conversion of one node: the node's operands and
// attributes on one side, arithmetic with broadcasting on the other.

#ifndef GENSYN_LIB_CONVERSION_ONNXTOREPRO_NODEBUILDER_H
#define GENSYN_LIB_CONVERSION_ONNXTOREPRO_NODEBUILDER_H

#include "Extents.h"

#include "gensyn/Dialect/Onnx/IR/NodeOp.h"
#include "gensyn/Dialect/Repro/IR/Repro.h"

#include <optional>
#include <string>

namespace gensyn::onnx_to_repro {

using Values = llvm::SmallVector<mlir::Value>;

/// The type of a value. Throws a ShapeError if it is null, as it is after a
/// refusal.
inline mlir::RankedTensorType typeOf(mlir::Value value) {
  auto type = value ? llvm::dyn_cast<mlir::RankedTensorType>(value.getType())
                    : mlir::RankedTensorType();
  if (!type)
    throw ShapeError();
  return type;
}
/// The static shape of a tensor value.
inline ShapeView shapeOf(mlir::Value value) { return typeOf(value).getShape(); }
inline int64_t rankOf(mlir::Value value) { return shapeOf(value).size(); }
inline mlir::Type elementOf(mlir::Value value) {
  return typeOf(value).getElementType();
}
inline bool isFloat(mlir::Value value) {
  return llvm::isa<mlir::FloatType>(elementOf(value));
}

/// The product of extents; the largest integer on overflow.
int64_t product(llvm::ArrayRef<int64_t> extents);

/// first, first + 1, ..., limit - 1.
Extents range(int64_t first, int64_t limit);

class NodeBuilder {
public:
  NodeBuilder(onnx::NodeOp node, mlir::OpBuilder &builder)
      : node(node), builder(builder), location(node->getLoc()) {}

  onnx::NodeOp node;
  mlir::OpBuilder &builder;
  mlir::Location location;

  // ---- The node.

  int since() const { return node.since(); }
  /// The operand unchanged, null if absent: for ops that only move it.
  mlir::Value raw(llvm::StringRef formal) const { return node.input(formal); }
  /// The operand for arithmetic, null if absent. Narrow floats are widened to
  /// f32, so that a node rounds to them only once.
  mlir::Value operand(llvm::StringRef formal) {
    return raw(formal) ? widen(raw(formal)) : mlir::Value();
  }
  /// The first operand, whose name differs between operators.
  mlir::Value firstRaw() const { return node->getOperand(0); }
  mlir::Value first() { return widen(firstRaw()); }
  /// The operands of a variadic input.
  Values raws(llvm::StringRef formal) const;
  Values operands(llvm::StringRef formal);
  /// True if result `i` is present and used.
  bool isWanted(unsigned i) const;
  /// The type of result `i`, as inferred.
  mlir::RankedTensorType resultType(unsigned i = 0) const;
  ShapeView resultShape(unsigned i = 0) const {
    return resultType(i).getShape();
  }

  /// Attributes that are required or have a default in the schema.
  int64_t integer(llvm::StringRef name) const { return *node.integer(name); }
  double real(llvm::StringRef name) const { return *node.real(name); }
  llvm::StringRef string(llvm::StringRef name) const {
    return *node.string(name);
  }
  /// An attribute of integers, or an empty list.
  Extents integers(llvm::StringRef name) const;
  /// A dimension number in ONNX's convention, where negative ones count from
  /// the end.
  static int64_t normalized(int64_t axis, int64_t rank) {
    return axis < 0 ? axis + rank : axis;
  }
  int64_t axis(llvm::StringRef name, int64_t rank) const {
    return normalized(integer(name), rank);
  }

  /// True if all are dimensions of a tensor of `rank`; refuses otherwise.
  bool checkDimensions(llvm::ArrayRef<int64_t> axes, int64_t rank);

  /// The elements of an operand that is constant at compile time; null
  /// otherwise.
  mlir::DenseElementsAttr constant(mlir::Value value) const;
  /// The same as integers, row major; nothing if it is unknown or not integral.
  std::optional<Extents> constantIntegers(mlir::Value value) const;
  /// The common value of all elements, if it is known.
  std::optional<double> constantScalar(mlir::Value value) const;

  /// Records the reason why the node cannot be converted; the first one is
  /// kept.
  std::nullptr_t refuse(const llvm::Twine &reason);
  const std::string &refusal() const { return reason; }
  /// Reports the refusal.
  mlir::InFlightDiagnostic emitRefusal();

  /// True if a compile-time table of this many elements, the product of
  /// `factors`, is allowed; refuses otherwise. Call it before building the
  /// table.
  bool canTabulate(llvm::ArrayRef<int64_t> factors);

  // ---- Values.

  mlir::Value widen(mlir::Value value);
  /// Converts to `element`. `how` applies to narrow floats; its parts that
  /// `element` does not use are dropped.
  mlir::Value convert(mlir::Value value, mlir::Type element,
                      Narrowing how = {});
  /// The conversion that the attributes `saturate` and `round_mode` select, if
  /// the node's operator has them.
  Narrowing narrowing() const;
  /// A tensor of `like`'s type, or of `element` and `shape`, filled with a
  /// value that is rounded to the element type.
  mlir::Value fill(double value, mlir::Value like);
  mlir::Value fill(double value, mlir::Type element,
                   llvm::ArrayRef<int64_t> shape = {});
  mlir::Value elements(mlir::DenseElementsAttr value);
  /// The index along `dim`, as integers of type `element`.
  mlir::Value iota(int64_t dim, ShapeView shape, mlir::Type element);

  // Elementwise, with numpy's broadcasting of the operands.
  mlir::Value add(mlir::Value a, mlir::Value b);
  mlir::Value sub(mlir::Value a, mlir::Value b);
  mlir::Value mul(mlir::Value a, mlir::Value b);
  mlir::Value div(mlir::Value a, mlir::Value b);
  mlir::Value compare(repro::CompareKind kind, mlir::Value a, mlir::Value b);
  mlir::Value select(mlir::Value predicate, mlir::Value a, mlir::Value b);
  template <class Op> mlir::Value binary(mlir::Value a, mlir::Value b) {
    unify({&a, &b});
    return Op::create(builder, location, a.getType(), a, b);
  }
  template <class Op> mlir::Value unary(mlir::Value x) {
    return Op::create(builder, location, typeOf(x), x);
  }
  mlir::Value round(repro::RoundKind kind, mlir::Value x);
  /// Comparison with a number.
  mlir::Value compare(repro::CompareKind kind, mlir::Value a, double b) {
    return compare(kind, a, fill(b, a));
  }

  /// Broadcasts to a shape by numpy's rule: dimensions align at the end,
  /// extents of 1 stretch. Null after `refuse` if that is impossible.
  mlir::Value broadcastTo(mlir::Value value, llvm::ArrayRef<int64_t> shape);
  /// Broadcasts values to their common shape.
  void unify(std::initializer_list<mlir::Value *> values);
  /// A rank-1 value placed along `dim` of a shape of rank `rank` whose other
  /// extents are 1.
  mlir::Value along(mlir::Value value, int64_t dim, int64_t rank);

  /// The square root of a sum, with derivative 0 at 0: a select replaces an
  /// argument of 0 by 1.
  mlir::Value rootOfSum(mlir::Value sum);

  // Movement.
  mlir::Value reshape(mlir::Value value, llvm::ArrayRef<int64_t> shape);
  mlir::Value transpose(mlir::Value value, llvm::ArrayRef<int64_t> order);
  mlir::Value slice(mlir::Value value, llvm::ArrayRef<int64_t> start,
                    llvm::ArrayRef<int64_t> limit,
                    llvm::ArrayRef<int64_t> stride);
  /// A slice of one dimension.
  mlir::Value sliceDim(mlir::Value value, int64_t dim, int64_t start,
                       int64_t limit, int64_t stride = 1);
  mlir::Value concat(llvm::ArrayRef<mlir::Value> values, int64_t dim);
  mlir::Value reverse(mlir::Value value, llvm::ArrayRef<int64_t> dims);

  // Reductions; with `keep` the reduced dimensions stay with extent 1.
  mlir::Value reduce(repro::ReduceKind kind, mlir::Value value,
                     llvm::ArrayRef<int64_t> dims, bool keep);
  /// A reduced value with the dropped `dims` of `shape` restored with extent 1.
  mlir::Value withOnes(mlir::Value reduced, llvm::ArrayRef<int64_t> shape,
                       llvm::ArrayRef<int64_t> dims);
  mlir::Value sum(mlir::Value value, llvm::ArrayRef<int64_t> dims) {
    return reduce(repro::ReduceKind::Sum, value, dims, /*keep=*/true);
  }
  /// The mean over `dims`, which stay with extent 1.
  mlir::Value mean(mlir::Value value, llvm::ArrayRef<int64_t> dims);

  /// Iterator `dim` out of `rank`.
  mlir::AffineExpr iterator(unsigned dim) const {
    return mlir::getAffineDimExpr(dim, builder.getContext());
  }
  /// Sum of products. `maps` map the iterators to elements of a and b; the
  /// result is indexed by the iterators that are not reduced, in order.
  mlir::Value contract(mlir::Value a, mlir::Value b,
                       llvm::ArrayRef<int64_t> extents,
                       llvm::ArrayRef<int64_t> reduced,
                       llvm::ArrayRef<llvm::SmallVector<mlir::AffineExpr>> maps,
                       repro::Bound boundA = repro::Bound::In);
  /// The same with a third map, to elements of a result of `shape`.
  mlir::Value
  contractTo(llvm::ArrayRef<int64_t> shape, mlir::Value a, mlir::Value b,
             llvm::ArrayRef<int64_t> extents, llvm::ArrayRef<int64_t> reduced,
             llvm::ArrayRef<llvm::SmallVector<mlir::AffineExpr>> maps,
             repro::Bound boundA, repro::Bound boundB);
  /// A reduction over windows. `operandMap` may leave the operand's range; the
  /// iterators that are not reduced index the result, in order.
  mlir::Value reduceWindows(repro::ReduceKind kind, mlir::Value value,
                            llvm::ArrayRef<int64_t> extents,
                            llvm::ArrayRef<int64_t> reduced,
                            llvm::ArrayRef<mlir::AffineExpr> operandMap);
  /// The same with a second map, to elements of a result of `shape`.
  mlir::Value
  reduceTo(llvm::ArrayRef<int64_t> shape, repro::ReduceKind kind,
           mlir::Value value, llvm::ArrayRef<int64_t> extents,
           llvm::ArrayRef<int64_t> reduced,
           llvm::ArrayRef<llvm::SmallVector<mlir::AffineExpr>> maps);
  /// The index of the maximum or minimum of each window.
  mlir::Value argWindows(repro::ArgKind kind, bool last, mlir::Value value,
                         llvm::ArrayRef<int64_t> extents,
                         llvm::ArrayRef<int64_t> reduced,
                         llvm::ArrayRef<mlir::AffineExpr> operandMap);

  /// The product of two matrices, each transposed first if so requested.
  mlir::Value matrixProduct(mlir::Value x, mlir::Value y, bool transposeX,
                            bool transposeY);
  /// The product of matrices by numpy's rules for ranks and batches, with the
  /// shape of result 0.
  mlir::Value matmul(mlir::Value x, mlir::Value y);

  /// The value, with no gradient through it.
  mlir::Value stopGradient(mlir::Value value);

private:
  std::string reason;
  bool isTooLarge = false;
};

} // namespace gensyn::onnx_to_repro

#endif
