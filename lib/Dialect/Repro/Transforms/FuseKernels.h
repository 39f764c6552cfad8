// Joining kernels: one attempt, and what it may cost.

#ifndef GENSYN_LIB_DIALECT_REPRO_TRANSFORMS_FUSEKERNELS_H
#define GENSYN_LIB_DIALECT_REPRO_TRANSFORMS_FUSEKERNELS_H

#include "gensyn/Dialect/Repro/Analysis/KernelForm.h"
#include "gensyn/Dialect/Repro/IR/TensorTypes.h"
#include "llvm/ADT/SetVector.h"

#include <limits>

namespace gensyn::repro {

/// The size that a fused kernel may reach, for every form of fusion. Bounds on
/// registers, on compile time, and on how little of a device may be busy.
struct FusionLimits {
  /// Ops in a kernel, and buffers that one thread handles.
  size_t operations = 256, buffers = 32;
  /// The same for kernels that the form `nearby` merges, and the ops back to
  /// which it looks for another kernel. It runs for every target.
  size_t nearbyOperations = 64, nearbyBuffers = 16, nearbyReach = 64;
  /// Pointers of a horizontal kernel: 4 KiB of parameters hold 512.
  size_t horizontalBuffers = 480;
  /// Elements of a row: what a block of 1024 threads walks over in 64 steps.
  int64_t rowLength = 65536;
  /// With fewer rows than this, one block per row leaves most of a GPU idle, so
  /// a row may have `lonelyRowLength` elements at most.
  int64_t enoughRows = 32, lonelyRowLength = 4096;
  /// Kernels that may have to run later for two to become one: what they read
  /// lives longer.
  size_t moved = 24;
  /// Elements of a kernel so small that its launch costs more than its work.
  int64_t smallElements = 65536;
  /// Bodies of a horizontal kernel whose components differ, and kernels that
  /// may stand between two of them.
  size_t differentBodies = 8, distance = 16;
  /// Operations an element that it costs at most to compute a value again.
  int64_t recomputedFlops = 4;
};

/// Merges pointwise kernels of one shape where the second reads the first's
/// results element by element, or both read one tensor of that shape.
void mergeNearbyKernels(mlir::Block &block, const FusionLimits &limits);

/// Computes results of kernels again where they are read, by a few elementwise
/// ops, instead of storing them: where that saves at least half of their bytes,
/// counting what readers have to read instead.
void recomputeCheapValues(mlir::Block &block, const FusionLimits &limits);

/// The kernels that read the memory of a value; where there are more than
/// `most`, the first so many that are found.
llvm::SmallSetVector<mlir::Operation *, 4>
getReaders(mlir::Value value, size_t most = std::numeric_limits<size_t>::max());

/// The kernels of a block whose memory `kernel` reads.
llvm::SmallSetVector<mlir::Operation *, 4> getProducers(KernelOp kernel);

/// Erases ops of a kernel that nothing reads, but for those that may fault.
void eraseDeadOps(KernelOp kernel);

/// One try to make a kernel of several in one block. The joined kernel stands
/// beside its parts until `commit` puts it in their place; the destructor takes
/// it away again.
class FusionAttempt {
public:
  FusionAttempt(llvm::ArrayRef<KernelOp> parts, const FusionLimits &limits);
  ~FusionAttempt();
  FusionAttempt(const FusionAttempt &) = delete;
  FusionAttempt &operator=(const FusionAttempt &) = delete;

  /// Builds the joined kernel, looks at its form, and says why it must not be;
  /// empty where it may.
  std::string refuse();

  llvm::ArrayRef<KernelOp> getParts() const { return parts; }
  /// The form of the joined kernel; valid after `refuse` built it.
  const KernelForm &getForm() const { return form; }
  /// True if a part computes what another reads, or two read one tensor in
  /// place.
  bool isRelated() const { return related; }
  /// Bytes that the parts read and write together, but not the whole.
  int64_t getSavedBytes();
  /// True if a result of a part is none of the whole.
  bool hasFewerResults() const { return kept < stored; }

  /// Replaces the parts, which `refuse` has allowed.
  KernelOp commit();

private:
  std::string findMoved();
  void build();
  mlir::Value importInput(mlir::Value input, bool isPlain,
                          mlir::OpBuilder &builder);
  void cloneBody(KernelOp part, mlir::OpBuilder &builder);
  std::string checkForm();
  std::string checkLimits();
  std::string checkFaults();
  void alignResults();

  llvm::SmallVector<KernelOp> parts;
  const FusionLimits &limits;
  llvm::SmallVector<mlir::Operation *> moved;
  KernelOp joined;
  KernelForm form;
  /// Results of parts that are results of the whole, in its order.
  llvm::SmallVector<mlir::Value> results;
  /// Inside the joined kernel: the memory that a part reads, or what a part
  /// computes; and inputs by their names, reshapes of those.
  llvm::DenseMap<mlir::Value, mlir::Value> inner, named;
  /// Values inside that one part computes and another reads.
  llvm::SmallSetVector<mlir::Value, 4> passed;
  llvm::SmallVector<mlir::Value> inputs;
  size_t kept = 0, stored = 0;
  bool related = false;
};

/// The reason why a reader of the kernel's results is not part of it.
std::string explainBoundary(KernelOp kernel, mlir::Operation *reader);

} // namespace gensyn::repro

#endif
