// The epilogue of a contraction on a CPU: computes a kernel's results from
// final values of C. A short one does so in the micro-kernel, where these are
// in registers; a long one right after the micro-kernel has stored them, while
// they are in the L1 cache.

#ifndef GENSYN_LIB_CODEGEN_CPU_CONTRACT_EPILOGUE_H
#define GENSYN_LIB_CODEGEN_CPU_CONTRACT_EPILOGUE_H

#include "../Common/CpuBuilder.h"
#include "EpilogueReads.h"

#include "gensyn/Codegen/Cpu/Schedule.h"

namespace gensyn::cpu {

/// Addresses of the elements that an epilogue reads and writes, for one view of
/// the contraction.
struct EpiloguePlan {
  /// A tensor of the kernel, by the number of its argument or result.
  struct Tensor {
    bool isResult;
    unsigned number;
    EpilogueStrides strides;
  };
  llvm::SmallVector<Tensor> tensors;
};

/// Returns the plan; std::nullopt if vectors of C's columns do not suffice to
/// compute the epilogue, or would waste many operations in lanes beyond the
/// ends of runs, so that a loop of its own is faster.
std::optional<EpiloguePlan> planEpilogue(repro::KernelOp kernel,
                                         repro::ContractOp contraction,
                                         const codegen::GemmView &view,
                                         int64_t lanes);

/// Returns the number of i64 that the epilogue needs in the table of columns,
/// for each vector of columns: offsets that are neither 0 nor those in C.
int64_t countEntries(const EpiloguePlan &plan, const codegen::GemmView &view);

/// Returns the result whose buffer holds C: the contraction's own value, or one
/// of its type, which the epilogue overwrites; std::nullopt if there is none.
std::optional<unsigned> findBufferOfC(repro::KernelOp kernel,
                                      repro::ContractOp contraction);

/// True if micro-kernels compute the results from their registers, of sums of
/// type `sum`: the epilogue is short. C is then stored only between blocks.
bool isInRegisters(repro::KernelOp kernel, repro::ContractOp contraction,
                   mlir::Type sum);

/// i64 entries of a column vector in the table: number of valid lanes, offset
/// in C, and unless B is packed without fetching ahead its offset in B and the
/// offset in B of the elements to fetch ahead.
/// After them, offsets of the sides of B's prologue.
constexpr int64_t kTableEntries = 4;
/// Or, of a vector of a joined run: the number of its lanes in the first piece,
/// and the offset in C of the second one as if it had all lanes.
constexpr int64_t kJoinedEntries = 2;

/// The lanes of a vector of columns in memory: those in `mask` (null: all), and
/// of a joined run those in `second`, `shift` elements further.
struct ColumnLanesInC {
  mlir::Value mask, second, shift;
};

/// Those of a joined run: the first `first` are in a piece, the other valid
/// ones in the next.
ColumnLanesInC lanesOfJoined(CpuBuilder &code, mlir::Value valid,
                             mlir::Value first, mlir::Value shift);

/// Emits the epilogue of a view.
class GemmEpilogue {
public:
  using Values = CpuBuilder::Values;

  /// `atOnce`: the most vectors of a long epilogue to compute at once, a power
  /// of two.
  GemmEpilogue(CpuBuilder &code, repro::KernelOp kernel,
               repro::ContractOp contraction, const codegen::GemmView &view,
               const EpiloguePlan &plan, const KernelFunction &function,
               unsigned number, int64_t atOnce);

  size_t numTensors() const { return plan.tensors.size(); }
  int64_t numEntries() const { return countEntries(plan, view); }
  /// Writes those of vector `vector` of a tile, at `position` of the run.
  void storeEntries(int64_t vector, llvm::ArrayRef<mlir::Value> columns,
                    mlir::Value position, mlir::Value table);

  /// Returns the addresses of the tensors at a batch.
  Values locateBatch(llvm::ArrayRef<mlir::Value> batch);

  /// Rows of C whose values are final, in some vectors of columns.
  struct Block {
    Values tensors;        ///< from locateBatch
    mlir::Value c;         ///< address of the batch
    mlir::Value table;     ///< i64: valid lanes and offset in C of each vector
    mlir::Value entries;   ///< from storeEntries, numEntries() for each vector
    mlir::Value row, rows; ///< the first one and their number
    int64_t vectors = 0;
    int64_t tableStep = 0; ///< i64 from one vector to the next
  };
  /// True if micro-kernels call `computeVector`; else `call` follows them.
  bool isInRegisters() const {
    return cpu::isInRegisters(kernel, contraction, code.element);
  }
  /// Computes the results of vector `vector` of row `row` from the vector of C.
  void computeVector(const Block &block, mlir::Value row, int64_t vector,
                     const ColumnLanesInC &lanes, mlir::Value ofC);
  /// Calls a function that computes the results of the block.
  void call(const Block &block);
  /// True if the epilogue reads tensors along C, each element once. They were
  /// written long before C is, so that they are far away.
  bool readsAlongC() const;
  /// Calls a function that fetches the block's elements of these tensors.
  void fetch(const Block &block);

  /// True if an op of the epilogue could not be emitted; it has an error.
  bool hasFailed() const { return failed; }

private:
  /// Calls the private function `suffix`, whose body `emit` writes.
  void callFunction(const Block &block, llvm::StringRef suffix,
                    llvm::function_ref<void(const Block &)> emit);
  void emitBody(const Block &block);
  void emitFetch(const Block &block);
  /// Vectors of a row; `ofC` is empty if those of C are in memory.
  struct Vectors {
    mlir::Value row;
    Values numbers, ofC = {};
    llvm::SmallVector<ColumnLanesInC, 1> lanes = {};
  };
  /// Returns the lanes of a vector by its entries in the table.
  ColumnLanesInC lanesOf(const Block &block, mlir::Value vector);
  void emitVectors(const Block &block, const Vectors &vectors);
  /// An entry of a vector in the table of columns.
  mlir::Value entryOf(const Block &block, mlir::Value vector, int64_t entry);
  mlir::Value tensorOf(size_t tensor) const;
  /// Returns the address of an element of a tensor.
  mlir::Value move(size_t tensor, mlir::Value base, mlir::Value offset);
  /// The element at a row of a tensor whose row axes have these strides.
  mlir::Value offsetOfRow(llvm::ArrayRef<int64_t> strides, mlir::Value row);
  mlir::Value offsetOfColumn(size_t tensor, mlir::Value inC,
                             mlir::Value entries);

  CpuBuilder &code;
  repro::KernelOp kernel;
  repro::ContractOp contraction;
  const codegen::GemmView &view;
  const EpiloguePlan &plan;
  const KernelFunction &kernelFunction;
  unsigned number;
  int64_t atOnce;
  bool failed = false;
};

} // namespace gensyn::cpu

#endif
