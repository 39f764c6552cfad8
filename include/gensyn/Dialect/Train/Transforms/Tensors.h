// Tensor parallelism: several ranks compute each segment of a microbatch
// together.

#ifndef GENSYN_DIALECT_TRAIN_TRANSFORMS_TENSORS_H
#define GENSYN_DIALECT_TRAIN_TRANSFORMS_TENSORS_H

#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <vector>

namespace gensyn::train {

/// Segment: its rank among those of its stage (i64).
inline constexpr llvm::StringLiteral kTensorAttr = "train.tensor";
/// Segment: the segment of the pipeline that it is a phase of (i64).
inline constexpr llvm::StringLiteral kPhaseOfAttr = "train.segment";
/// Argument or result of a segment: the part of a sum that it is. The first
/// index and the number of indices in each dimension of the whole (array of
/// i64).
inline constexpr llvm::StringLiteral kTileAttr = "train.tile";

/// What a value that travels costs in addition to its bytes, in bytes: a
/// network that sends some 10^9 bytes in a second delays each by some
/// microseconds.
inline constexpr int64_t kExchangeBytes = 8192;

/// What a rank of a stage computes, holds and gets for a microbatch.
struct PlaceFacts {
  int64_t stage = 0, rank = 0;
  int64_t phases = 0, ops = 0, operations = 0;
  int64_t parameterBytes = 0;
  int64_t receivedBytes = 0; ///< from other ranks
  int64_t values = 0;        ///< that it gets
};

/// Why ranks do not divide an op.
enum class WholeReason {
  NoPieces,   ///< it has none
  FewIndices, ///< no free dimension has an index for each rank
  Price,      ///< dividing it costs more than it saves
  View,       ///< each rank computes what it reads of it
};

/// An order of a sum, and the parts into which it lets a dimension be cut that
/// the sum reduces.
struct SumOrder {
  std::string text; ///< empty: none
  int64_t parts = 0;
  std::string accuracy; ///< the policy that chooses it
};

/// The ops of a kind that are not divided for one reason.
struct WholeOps {
  std::string operation; ///< "contract"
  WholeReason reason = WholeReason::NoPieces;
  int64_t count = 0, operations = 0;
  /// If they are sums in an order: that of the longest one, and if it permits
  /// fewer parts than there are ranks, one that permits more, if there is one.
  int64_t points = 0;
  SumOrder order, better;
};

/// How the ranks of each stage divide a microbatch.
struct TensorReport {
  std::vector<PlaceFacts> places;
  int64_t operations = 0;      ///< of the microbatch
  int64_t divided = 0;         ///< of ops that are divided
  std::vector<WholeOps> whole; ///< those with most operations first
};

/// Chooses one of the cuts of an op, of which number 0 computes it whole.
using TensorChooser =
    llvm::function_ref<unsigned(mlir::Operation *op, unsigned cuts)>;

/// Divides the segments that cutStages has made over `ranks` ranks for each
/// stage, as the description of train-cut-tensors says. Fails after emitting
/// one error; the module is then invalid. With `choose` cuts are not those that
/// cost least. Fills `report` unless it is null.
llvm::LogicalResult cutTensors(mlir::ModuleOp module, int64_t ranks,
                               int64_t exchangeBytes = kExchangeBytes,
                               TensorChooser choose = {},
                               TensorReport *report = nullptr);

} // namespace gensyn::train

#endif
