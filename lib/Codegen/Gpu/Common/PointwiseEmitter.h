// Elements of a kernel for threads that have several that lie side by side.

#ifndef GENSYN_LIB_CODEGEN_GPU_COMMON_POINTWISEEMITTER_H
#define GENSYN_LIB_CODEGEN_GPU_COMMON_POINTWISEEMITTER_H

#include "PointerEmitter.h"

#include <map>
#include <optional>
#include <vector>

namespace gensyn::gpu {

/// Scalars, one lane after another, of the elements first + offset + lane of
/// the results, lane = 0, 1, ..., width - 1; `first` and all offsets are
/// multiples of `width`, a power of two.
///
/// Indices that the models ask for through `apply` are known as sums of parts
/// of the element's number and of other values. So loads of lanes that follow
/// one another in memory are found to be one vector, whatever reshapes, slices
/// and gathers lie between, and what is the same for all lanes is had once.
class PointwiseEmitter : public PointerEmitter {
public:
  /// coefficient * (number floordiv divisor mod modulus), where number is the
  /// lane's element and a modulus of 0 is none; or coefficient * other.
  struct Term {
    int64_t coefficient = 1, divisor = 1, modulus = 0;
    mlir::Value other;
  };
  struct Form {
    llvm::SmallVector<Term> terms;
    int64_t constant = 0;
  };

  /// `elements`: of each result.
  PointwiseEmitter(mlir::OpBuilder &builder, repro::KernelOp kernel,
                   const KernelFunction &function, const Target &target,
                   mlir::Value first, int64_t elements, int64_t width);

  /// The elements emitted from now on belong to that lane. Lanes ascend.
  void setLane(int64_t offset, int64_t lane);

  /// The lane's element of a value that has as many elements as the results;
  /// its NaN is canonical. Null after an error.
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

  /// The row-major number of an element of a tensor of type `type`.
  Form linearForm(mlir::RankedTensorType type,
                  llvm::ArrayRef<mlir::Value> indices);
  /// True if what is emitted now is in a region inside, which may not run.
  bool isNested() const { return depth != 0; }

private:
  /// base + constant + lane * stride; `base` (null: 0) is the same for all
  /// lanes of one offset where `stride` is not, and a multiple of `alignment`.
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
  /// The number plus `ahead`, its quotient and remainder.
  mlir::Value partAt(const Term &term, int64_t ahead);
  /// The first of the values that are computed as `value` is, at this level.
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
  /// The places of the last fault of each op under each condition.
  std::map<std::pair<void *, void *>, Place> faulted;
};

} // namespace gensyn::gpu

#endif
