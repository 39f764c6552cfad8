// The ops of a microbatch along one line, which stages cut.

#ifndef GENSYN_LIB_DIALECT_TRAIN_TRANSFORMS_STAGES_STEPFOLD_H
#define GENSYN_LIB_DIALECT_TRAIN_TRANSFORMS_STAGES_STEPFOLD_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <optional>
#include <vector>

namespace gensyn::train {

/// Folds a microbatch: each forward op has a place of its own, and each
/// backward op the place of a forward op, so that a cut between two places cuts
/// both. Along a use, places of forward ops rise and those of backward ops do
/// not. So for any cuts, values flow from the first stage's forward ops to
/// those of the last, and on to the backward ops of the last and of the first
/// stage.
///
/// - Copied ops have no place. They depend on inputs alone, on parameters
///   alone, or on nothing, and computing their result takes less than sending
///   it. Each segment that reads them computes them.
/// - Forward ops are those that the loss depends on.
/// - Backward ops are all others. One that reads forward values or parameters
///   has the last place that these have, as far as the backward values that it
///   reads and the gradients that depend on it allow. Others are with the ops
///   whose results they read or with those that read theirs, as fewer bytes go
///   from one to the other.
class StepFold {
public:
  /// Fails after an error if the results of `update` tell no loss.
  llvm::LogicalResult build(mlir::func::FuncOp microbatch,
                            mlir::func::FuncOp update);

  /// The number of places.
  unsigned length() const { return static_cast<unsigned>(costs.size()); }
  /// The operations of each place's ops.
  llvm::ArrayRef<int64_t> getCosts() const { return costs; }
  /// The bytes of the values that cross a cut in front of each place.
  llvm::ArrayRef<int64_t> getCrossing() const { return crossing; }

  /// For each place, and for the end, the first place from which on stages up
  /// to there read parameters of at most `most` bytes.
  std::vector<unsigned> earliestStarts(int64_t most) const;

  bool isCopied(mlir::Operation *op) const {
    return infos[numberOf(op)].kind == Kind::Copied;
  }
  bool isForward(mlir::Operation *op) const {
    return infos[numberOf(op)].kind == Kind::Forward;
  }
  /// Of an op that is not copied.
  unsigned placeOf(mlir::Operation *op) const {
    return infos[numberOf(op)].place;
  }
  /// The op's number in the program.
  unsigned numberOf(mlir::Operation *op) const { return numbers.at(op); }

private:
  enum class Kind : uint8_t { Copied, Forward, Backward };
  struct Info {
    Kind kind = Kind::Backward;
    uint8_t origin = 0; ///< a set of Origin
    /// It reads a forward value or a parameter.
    bool isAnchored = false;
    unsigned place = 0; ///< of a backward op first the last possible one
    /// The place of the last parameter among whose gradients' ops it is.
    std::optional<unsigned> floor;
    /// The lowest place of the backward ops that read it, as far as known.
    unsigned lowestReader = ~0U;
    int64_t smallest = 0; ///< the least bytes from which it can be had
    int64_t work = 0;     ///< operations of it and what it depends on
    /// The largest parameter that a copied op depends on.
    mlir::Value parameter;
  };

  void findCopied();
  bool findForward(mlir::func::FuncOp update);
  void orderForward();
  void findReaders();
  void findFloors(mlir::func::FuncOp update);
  void placeReaders();
  void findSmallestSources();
  std::optional<int64_t> bytesTo(unsigned number, unsigned first) const;
  void noteReader(unsigned number);
  void moveToReaders();
  void measure();

  /// The number of the op that defines a value that is not copied; none for
  /// others.
  std::optional<unsigned> definition(mlir::Value value) const;
  mlir::Value parameterOf(mlir::Value value) const;
  /// Calls `call` with the numbers of the ops that read results of an op.
  template <class Call> void forEachReader(unsigned number, Call call) const;

  mlir::func::FuncOp microbatch;
  std::vector<mlir::Operation *> ops;
  llvm::DenseMap<mlir::Operation *, unsigned> numbers;
  std::vector<Info> infos;
  /// For each place its forward op.
  std::vector<unsigned> forward;
  /// For each parameter the places of the forward ops that read it, rising.
  llvm::DenseMap<mlir::Value, std::vector<unsigned>> readers;
  std::vector<int64_t> costs, crossing;
};

} // namespace gensyn::train

#endif
