// Elements of a kernel for threads that have several that lie side by side.

#ifndef GENSYN_LIB_CODEGEN_GPU_COMMON_POINTWISEEMITTER_H
#define GENSYN_LIB_CODEGEN_GPU_COMMON_POINTWISEEMITTER_H

#include "PointerEmitter.h"

#include <map>
#include <optional>
#include <vector>

namespace gensyn::gpu {

/// Emits elements as scalars, one lane after another: the elements first +
/// offset + lane of the results, lane = 0, 1, ..., width - 1. `first` and all
/// offsets are multiples of `width`, a power of two.
///
/// Indices that the models compute through `apply` are tracked as sums of parts
/// of the linear index and of other values. So loads of lanes that are adjacent
/// in memory become one vector load, even through reshapes, slices and gathers,
/// and values that are equal in all lanes are computed once.
class PointwiseEmitter : public PointerEmitter {
public:
  /// coefficient * (number floordiv divisor mod modulus), where number is the
  /// linear index of the lane's element and modulus 0 means no reduction; or
  /// coefficient * other.
  struct Term {
    int64_t coefficient = 1, divisor = 1, modulus = 0;
    mlir::Value other;
  };
  struct Form {
    llvm::SmallVector<Term> terms;
    int64_t constant = 0;
  };

  /// `elements` is the number of elements of each result.
  PointwiseEmitter(mlir::OpBuilder &builder, repro::KernelOp kernel,
                   const KernelFunction &function, const Target &target,
                   mlir::Value first, int64_t elements, int64_t width);

  /// Sets the lane of the elements that are emitted next. Lanes ascend.
  void setLane(int64_t offset, int64_t lane);

  /// Returns the lane's element, with canonical NaN, of a value that has as
  /// many elements as the results. Null after an error.
  mlir::Value result(mlir::Value tensor);

  /// Writes elements of lanes 0 ... width - 1 at `offset`.
  void storeLanes(llvm::ArrayRef<mlir::Value> lanes, mlir::Value pointer,
                  int64_t offset);

  mlir::Value apply(mlir::AffineExpr expr,
                    llvm::ArrayRef<mlir::Value> dims) override;
  mlir::Value element(mlir::Value tensor,
                      llvm::ArrayRef<mlir::Value> indices) override;
  void inNestedRegion(llvm::function_ref<void()> emit) override;
  void fault(mlir::Operation *op, mlir::Value condition,
             mlir::Value position) override;

protected:
  mlir::Value load(mlir::Value tensor, mlir::Value buffer,
                   llvm::ArrayRef<mlir::Value> indices) override;

  /// Returns the row-major index of an element of a tensor of type `type`.
  Form linearForm(mlir::RankedTensorType type,
                  llvm::ArrayRef<mlir::Value> indices);
  /// True if code is being emitted into a nested region, which may not run.
  bool isNested() const { return depth != 0; }

private:
  /// The index base + constant + lane * stride. `base` (null: 0) is a multiple
  /// of `alignment`. If `stride` is not 0, it is the same for all lanes of an
  /// offset.
  struct Place {
    mlir::Value base;
    int64_t constant = 0, stride = 0, alignment = 0;
  };

  Form formOf(mlir::Value index);
  Form evaluate(mlir::AffineExpr expr, llvm::ArrayRef<mlir::Value> dims);
  static bool join(Term &a, const Term &b);
  static Form add(Form a, const Form &b);
  static Form scale(Form a, int64_t factor);
  std::optional<Form> divide(const Form &form, int64_t by, bool remainder);
  Form part(int64_t divisor, int64_t modulus);

  Place placeOf(const Form &form);
  mlir::Value materialize(const Form &form);
  mlir::Value sum(mlir::Value base, mlir::Value value, int64_t coefficient);
  mlir::Value constant(int64_t value);
  /// Returns a term for the linear index plus `ahead`: its quotient and
  /// remainder.
  mlir::Value partAt(const Term &term, int64_t ahead);
  /// Returns the first value at this nesting level that is computed like
  /// `value`.
  mlir::Value canonicalIndex(mlir::Value value);
  mlir::Value loadLane(mlir::Type type, mlir::Value pointer,
                       const Place &place);

  mlir::Value first;
  const int64_t elements, width;
  int64_t offset = 0, lane = 0;
  unsigned depth = 0;
  llvm::DenseMap<mlir::Value, Form> forms; ///< of the lane's index values
  llvm::DenseMap<mlir::Value, mlir::Value> known;
  std::map<std::vector<const void *>, mlir::Value> sameAs;
  using VectorKey = std::tuple<void *, void *, int64_t, int64_t>;
  std::map<VectorKey, mlir::Value> vectors;
  std::map<std::tuple<void *, void *, int64_t>, llvm::SmallVector<mlir::Value>>
      drawn;
  /// The last fault of each op under each condition.
  std::map<std::pair<void *, void *>, Place> faulted;
};

} // namespace gensyn::gpu

#endif
