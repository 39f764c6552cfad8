// Fusion of kernels: attempts, and their limits.

#ifndef GENSYN_LIB_DIALECT_REPRO_TRANSFORMS_FUSEKERNELS_H
#define GENSYN_LIB_DIALECT_REPRO_TRANSFORMS_FUSEKERNELS_H

#include "gensyn/Dialect/Repro/Analysis/KernelForm.h"
#include "gensyn/Dialect/Repro/IR/TensorTypes.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"

#include <limits>

namespace gensyn::repro {

/// Limits on the size of a fused kernel, for every form of fusion. They bound
/// registers, compile time, and the idle part of a device.
struct FusionLimits {
  /// Ops in a kernel, and buffers that one thread handles.
  size_t operations = 256, buffers = 32;
  /// The same for kernels that the form `nearby` merges, and the number of ops
  /// to look back for another kernel. This form runs for every target.
  size_t nearbyOperations = 64, nearbyBuffers = 16, nearbyReach = 64;
  /// Pointers of a horizontal kernel: 4 KiB of kernel parameters hold 512.
  size_t horizontalBuffers = 480;
  /// Elements of a row: a block of 1024 threads takes 64 steps for it.
  int64_t rowLength = 65536;
  /// With fewer rows than this, one block per row leaves most of a GPU idle, so
  /// a row may have `lonelyRowLength` elements at most.
  int64_t enoughRows = 32, lonelyRowLength = 4096;
  /// Number of kernels that may have to run later for a fusion, which extends
  /// the lifetimes of their operands.
  size_t moved = 24;
  /// Elements of a small kernel, whose launch costs more than its work.
  int64_t smallElements = 65536;
  /// Bodies of a horizontal kernel whose components differ, and number of
  /// kernels that may be between two of them.
  size_t differentBodies = 8, distance = 16;
  /// Bytes of a matrix of scores from which on it is not stored between its
  /// contractions; smaller ones stay in caches.
  int64_t contractedBytes = 4 << 20;
  /// Points of a score, and elements of a result for each row or column, that
  /// a thread's registers and shared memory have room for; 0: any number. With
  /// a limit, orders have to fit tiles: sums of rows in equally many lanes, 16
  /// to 128, and blocks of whole tiles of 128 positions.
  int64_t contractedWidth = 0;
  /// Largest cost of recomputing a value: operations per element in any case,
  /// or for each byte that is neither stored nor read, all readers together.
  int64_t recomputedFlops = 4, recomputedFlopsPerByte = 0;
  /// True if operands of contractions may be computed where they are read.
  bool prologues = false;
  /// Contractions of operands of these types stay kernels of their own: units
  /// that do nothing else compute them.
  llvm::SmallVector<std::string> apart;
};

/// Merges pointwise kernels of one shape if the second reads the first's
/// results element by element, or both read one tensor of that shape.
void mergeNearbyKernels(mlir::Block &block, const FusionLimits &limits);

/// Fuses contractions with the rows that they compute, and with contractions
/// that read these rows. Rows that other kernels read too are computed again
/// for them, if these become one such kernel with the computation.
void fuseContractedRows(mlir::Block &block, const FusionLimits &limits);

/// Fuses kernels that compute an operand of one contraction, element by element
/// and from fewer bytes, into the contraction.
void fusePrologues(mlir::Block &block, FusionLimits limits);

/// Recomputes results of kernels at their readers by elementwise ops instead of
/// storing them, if that saves at least half of their bytes, net of the bytes
/// that the readers read instead, and takes no more operations than the limits
/// allow.
void recomputeCheapValues(mlir::Block &block, const FusionLimits &limits);

/// The kernels that read the memory of a value; if there are more than `most`,
/// the first `most` that are found.
llvm::SmallSetVector<mlir::Operation *, 4>
getReaders(mlir::Value value, size_t most = std::numeric_limits<size_t>::max());

/// The kernels of a block whose memory `kernel` reads.
llvm::SmallSetVector<mlir::Operation *, 4> getProducers(KernelOp kernel);

/// Erases ops of a kernel that nothing reads, except for those that may fault.
void eraseDeadOps(KernelOp kernel);

/// An attempt to fuse kernels of one block. The joined kernel exists beside its
/// parts until `commit` replaces them; otherwise the destructor erases it.
class FusionAttempt {
public:
  FusionAttempt(llvm::ArrayRef<KernelOp> parts, const FusionLimits &limits);
  ~FusionAttempt();
  FusionAttempt(const FusionAttempt &) = delete;
  FusionAttempt &operator=(const FusionAttempt &) = delete;

  /// Builds the joined kernel and checks its form. Returns the reason against
  /// the fusion; empty if there is none.
  std::string refuse();

  llvm::ArrayRef<KernelOp> getParts() const { return parts; }
  /// The form of the joined kernel; valid after `refuse` built it.
  const KernelForm &getForm() const { return form; }
  /// True if a part computes a value that another reads, or two read one tensor
  /// in place.
  bool isRelated() const { return related; }
  /// Bytes that the parts read and write, less those of the joined kernel.
  int64_t getSavedBytes();
  /// True if a result of a part is not a result of the joined kernel.
  bool hasFewerResults() const { return kept < stored; }

  /// Replaces the parts, after `refuse` has allowed it.
  KernelOp commit();

private:
  std::string findMoved();
  void build();
  mlir::Value importInput(mlir::Value input, bool isPlain,
                          mlir::OpBuilder &builder);
  void cloneBody(KernelOp part, mlir::OpBuilder &builder);
  llvm::SmallPtrSet<mlir::Operation *, 8> findPrologueOps();
  std::string checkForm();
  bool joinsApart();
  std::string checkLimits();
  std::string checkFaults();
  void alignResults();

  llvm::SmallVector<KernelOp> parts;
  const FusionLimits &limits;
  llvm::SmallVector<mlir::Operation *> moved;
  KernelOp joined;
  KernelForm form;
  /// Results of parts that are results of the joined kernel, in its order.
  llvm::SmallVector<mlir::Value> results;
  /// Values inside the joined kernel: `inner` by memory that a part reads or
  /// writes; `named` by the inputs of parts, in their shapes.
  llvm::DenseMap<mlir::Value, mlir::Value> inner, named;
  /// Values of the joined kernel that one part computes and another reads.
  llvm::SmallSetVector<mlir::Value, 4> passed;
  llvm::SmallVector<mlir::Value> inputs;
  size_t kept = 0, stored = 0;
  bool related = false;
};

/// Replaces the parts of an attempt that is allowed, with a remark.
KernelOp commitFusion(FusionAttempt &attempt);

/// The reason why a reader of the kernel's results is not part of it.
std::string explainBoundary(KernelOp kernel, mlir::Operation *reader);

} // namespace gensyn::repro

#endif
