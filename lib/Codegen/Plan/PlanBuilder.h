// Traverses a function of kernels and builds its plan.

#ifndef GENSYN_LIB_CODEGEN_PLAN_PLANBUILDER_H
#define GENSYN_LIB_CODEGEN_PLAN_PLANBUILDER_H

#include "PreparedKernels.h"
#include "PreparedValues.h"
#include "gensyn/Codegen/Plan/Arena.h"
#include "gensyn/Codegen/Plan/InPlace.h"
#include "gensyn/Codegen/Plan/Plan.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace gensyn::codegen {

using LaunchesOf =
    llvm::function_ref<llvm::FailureOr<KernelLaunches>(repro::KernelOp)>;

/// Cached pairs of each kernel op; see findInPlacePairs.
using PairCache =
    llvm::DenseMap<mlir::Operation *, llvm::SmallVector<InPlacePair>>;

/// Lifetimes of the blocks in the arena of a function.
struct Timeline {
  std::vector<ArenaBlock> blocks;
  /// The block of a value that is in the arena.
  llvm::DenseMap<mlir::Value, size_t> blockOf;
  /// The begin times of ops, ascending.
  std::vector<std::pair<int64_t, mlir::Operation *>> begins;

  /// Returns the innermost op that runs at a time; null before the first.
  mlir::Operation *opAt(int64_t time) const;
};

/// Results that are not outputs are in the arena; a result reuses the memory of
/// an operand that has its last use there if the kernel permits it.
///
/// Time is counted in steps, in the order of the text. A value from before a
/// loop that is used in the loop is live until the loop ends, since the next
/// iteration reads it again.
class PlanBuilder {
public:
  PlanBuilder(plan::Plan &plan, LaunchesOf launchesOf,
              const PlanOptions &options)
      : plan(plan), launchesOf(launchesOf), options(options) {}

  llvm::LogicalResult build(mlir::func::FuncOp function);

  /// Returns the blocks that build would pack, without packing them. A builder
  /// calls one of the two, once. `known` has the pairs that earlier builders
  /// found, and receives those of this one.
  llvm::FailureOr<Timeline> findTimeline(mlir::func::FuncOp function,
                                         PairCache &known);

private:
  using Steps = google::protobuf::RepeatedPtrField<plan::Step>;
  struct LoopScope {
    int64_t begin;
    llvm::SetVector<uint32_t> buffers; // defined before the loop, used in it
  };

  uint32_t addBuffer(plan::Buffer buffer, uint64_t bytes);
  uint32_t addArena(uint64_t bytes);
  uint32_t addPrepared(uint64_t bytes);
  uint32_t emptyBuffer();
  uint32_t faultBuffer(mlir::Operation *op);
  uint32_t bufferOf(mlir::Value value);
  llvm::FailureOr<KernelLaunches> findLaunches(repro::KernelOp kernel);
  bool isReadInPlace(mlir::Value storage, repro::KernelOp kernel,
                     unsigned result);
  std::optional<uint32_t> findOperandToOverwrite(repro::KernelOp kernel,
                                                 unsigned result);
  void use(uint32_t buffer);
  void addPreparing(repro::KernelOp kernel, plan::Launch launch,
                    llvm::ArrayRef<uint32_t> used);
  llvm::LogicalResult bindYielded(mlir::Operation *terminator,
                                  llvm::ArrayRef<uint32_t> places);

  llvm::LogicalResult visitBlock(mlir::Block &block, Steps &steps);
  llvm::LogicalResult visit(mlir::Operation *op, Steps &steps);
  llvm::LogicalResult visit(repro::ConstantOp constant);
  llvm::LogicalResult visit(repro::KernelOp kernel, Steps &steps);
  llvm::LogicalResult visit(repro::CheckOp check, Steps &steps);
  llvm::LogicalResult visit(repro::IfOp branch, Steps &steps);
  llvm::LogicalResult visit(repro::LoopOp loop, Steps &steps);
  bool isUpdatedInPlace(mlir::BlockArgument current, mlir::Value next);
  plan::Step::Carry addCarry(mlir::Value init, mlir::BlockArgument current,
                             mlir::Value next, Steps &steps);
  llvm::LogicalResult visitFunction(mlir::func::FuncOp function);
  void setInPlace(mlir::func::FuncOp function);
  void joinCarries();
  void finishArena();
  void describeArena();

  plan::Plan &plan;
  LaunchesOf launchesOf;
  const PlanOptions &options;
  std::optional<PreparedKernels> preparedKernels;
  PreparedValues prepared;
  llvm::DenseMap<mlir::Value, uint32_t> buffers;
  std::optional<uint32_t> empty;
  llvm::MapVector<uint32_t, size_t> blockOf;
  std::vector<ArenaBlock> blocks;
  llvm::MapVector<mlir::Operation *, unsigned> faultSlots;
  llvm::DenseMap<unsigned, uint32_t> faultBuffers;
  llvm::SmallVector<LoopScope> loops;
  llvm::SmallVector<std::pair<uint32_t, uint32_t>> carries;
  /// Results of a kernel that may share the memory of an operand; computed
  /// once.
  PairCache pairs;
  llvm::DenseMap<mlir::Operation *, KernelLaunches> launches;
  /// Kernels with several launches: the later ones may read what the first
  /// wrote.
  llvm::DenseSet<mlir::Operation *> splitKernels;
  /// The begin time of each op, see Timeline.
  std::vector<std::pair<int64_t, mlir::Operation *>> begins;
  /// The time of each launch.
  std::vector<int64_t> timeOfLaunch;
  uint32_t writtenInPlace = 0;
  int64_t now = 0;
  bool hasControl = false;
};

} // namespace gensyn::codegen

#endif
