// See NvvmTarget.h. The PTX ISA and the CUDA C++ programming guide are the
// sources of instructions and limits.

#include "NvvmTarget.h"

#include "gensyn/Codegen/Gpu/Nvvm/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;

namespace gensyn::gpu {
namespace {

/// Returns the mask of a shuffle or barrier of all lanes.
Value allLanes(OpBuilder &b, Location loc) {
  return arith::ConstantIntOp::create(b, loc, -1, 32);
}

/// Returns the range from 0 to `count` - 1.
LLVM::ConstantRangeAttr rangeBelow(OpBuilder &b, int64_t count) {
  return LLVM::ConstantRangeAttr::get(b.getContext(), APInt(32, 0),
                                      APInt(32, static_cast<uint64_t>(count)));
}

NVVM::ShflKind shuffleModeOf(ShuffleKind kind) {
  switch (kind) {
  case ShuffleKind::Xor:
    return NVVM::ShflKind::bfly;
  case ShuffleKind::Index:
    return NVVM::ShflKind::idx;
  case ShuffleKind::Up:
    return NVVM::ShflKind::up;
  }
  llvm_unreachable("no kind of shuffle");
}

class NvvmTarget final : public GpuTarget {
public:
  explicit NvvmTarget(const machine::Gpu &gpu) : GpuTarget(gpu) {
    warpSize = 32;
    hasFloatExtrema = gpu.sm >= 80;
    staticSharedBytes = 48 << 10;
    // They fit into 4096 bytes of parameters, which every driver supports.
    mostBuffers = 512;
    mostBlocks = {2147483647, 65535, 65535};
  }

  void registerDialects(DialectRegistry &registry) const override {
    registry.insert<NVVM::NVVMDialect>();
  }

  void markEntry(LLVM::LLVMFuncOp entry, ArrayRef<int64_t> block,
                 int minBlocks) const override {
    Builder builder(entry.getContext());
    entry->setAttr(NVVM::NVVMDialect::getKernelFuncAttrName(),
                   builder.getUnitAttr());
    entry->setAttr(
        NVVM::NVVMDialect::getReqntidAttrName(),
        builder.getDenseI32ArrayAttr(llvm::to_vector_of<int32_t>(block)));
    if (minBlocks > 0)
      entry->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(),
                     builder.getI32IntegerAttr(minBlocks));
  }

  void addLoweringPasses(OpPassManager &modules) const override {
    modules.addPass(createLowerGpuToNvvmPass());
  }

  Value threadNumber(OpBuilder &b, Location loc, int64_t count) const override {
    return NVVM::ThreadIdXOp::create(b, loc, b.getI32Type(),
                                     rangeBelow(b, count));
  }
  Value blockNumber(OpBuilder &b, Location loc, int64_t count) const override {
    return NVVM::BlockIdXOp::create(b, loc, b.getI32Type(),
                                    rangeBelow(b, count));
  }

  void syncWarp(OpBuilder &b, Location loc) const override {
    NVVM::SyncWarpOp::create(b, loc, allLanes(b, loc));
  }

  Value permuteBytes(OpBuilder &b, Location loc, Value low, Value high,
                     int64_t selector) const override {
    Value chosen = arith::ConstantIntOp::create(b, loc, selector, 32);
    return NVVM::PermuteOp::create(b, loc, b.getI32Type(), low, high, chosen,
                                   NVVM::PermuteMode::DEFAULT);
  }

  void copyAsync(OpBuilder &b, Location loc, Value shared, Value global,
                 int64_t bytes, Value read) const override {
    // Copies of 16 bytes can bypass the L1 cache, since the data is kept in
    // shared memory.
    NVVM::CpAsyncOp::create(b, loc, shared, global,
                            static_cast<uint32_t>(bytes),
                            bytes == 16 ? NVVM::LoadCacheModifierKind::CG
                                        : NVVM::LoadCacheModifierKind::CA,
                            read);
  }
  void commitCopies(OpBuilder &b, Location loc) const override {
    NVVM::CpAsyncCommitGroupOp::create(b, loc);
  }
  void waitForCopies(OpBuilder &b, Location loc,
                     int64_t groups) const override {
    NVVM::CpAsyncWaitGroupOp::create(b, loc, static_cast<uint32_t>(groups));
  }

  std::array<Value, 4> loadMatrices(OpBuilder &b, Location loc,
                                    Value shared) const override {
    auto words = LLVM::LLVMStructType::getLiteral(
        b.getContext(), SmallVector<Type>(4, b.getI32Type()));
    MLIRContext *context = b.getContext();
    Value loaded = NVVM::LdMatrixOp::create(
        b, loc, words, shared, b.getI32IntegerAttr(4),
        NVVM::MMALayoutAttr::get(context, NVVM::MMALayout::row),
        NVVM::LdStMatrixShapeAttr::get(context, 8, 8),
        NVVM::LdStMatrixEltTypeAttr::get(context,
                                         NVVM::LdStMatrixEltType::B16));
    std::array<Value, 4> result;
    for (auto [i, word] : llvm::enumerate(result))
      word =
          LLVM::ExtractValueOp::create(b, loc, loaded, static_cast<int64_t>(i));
    return result;
  }

  void multiplyMatrices(OpBuilder &b, Location loc, ArrayRef<Value> x,
                        ArrayRef<Value> y, bool isUnsigned,
                        std::array<Value, 4> &sums) const override {
    if (matrixPoints == 32) {
      multiply(b, loc, {16, 8, 32}, x, y, isUnsigned, sums);
      return;
    }
    // m8n8k16: both halves of the rows, and of the points.
    for (size_t half = 0; half < 2; ++half)
      for (size_t row = 0; row < 2; ++row)
        multiply(b, loc, {8, 8, 16}, x[2 * half + row], y[half], isUnsigned,
                 MutableArrayRef(sums).slice(2 * row, 2));
  }

private:
  /// Emits mma.sync of a shape: rows, columns, points.
  static void multiply(OpBuilder &b, Location loc, ArrayRef<int64_t> shape,
                       ValueRange x, ValueRange y, bool isUnsigned,
                       MutableArrayRef<Value> sums) {
    const NVVM::MMATypes type =
        isUnsigned ? NVVM::MMATypes::u8 : NVVM::MMATypes::s8;
    auto words = LLVM::LLVMStructType::getLiteral(
        b.getContext(), SmallVector<Type>(sums.size(), b.getI32Type()));
    Value added = NVVM::MmaOp::create(
        b, loc, words, x, y, ValueRange(ArrayRef<Value>(sums)), shape,
        /*b1Op=*/std::nullopt, NVVM::MMAIntOverflow::wrapped,
        std::array{type, type},
        std::array{NVVM::MMALayout::row, NVVM::MMALayout::col});
    for (auto [i, sum] : llvm::enumerate(sums))
      sum =
          LLVM::ExtractValueOp::create(b, loc, added, static_cast<int64_t>(i));
  }

  /// Emits shfl.sync. Bits 0 to 4 of its last operand are the last lane that
  /// may be read (for `up`, the first). Bits 8 to 12 are a mask of the lane
  /// index bits that a group of lanes has in common.
  Value shuffleWord(OpBuilder &b, Location loc, Value word, ShuffleKind kind,
                    Value lane, int64_t width) const override {
    const int64_t limit = kind == ShuffleKind::Up ? 0 : warpSize - 1;
    Value clamp = arith::ConstantIntOp::create(
        b, loc, (warpSize - width) << 8 | limit, 32);
    return NVVM::ShflOp::create(b, loc, b.getI32Type(), allLanes(b, loc), word,
                                lane, clamp, shuffleModeOf(kind), UnitAttr());
  }
};

} // namespace

std::unique_ptr<GpuTarget> createNvvmTarget(const machine::Gpu &gpu) {
  return std::make_unique<NvvmTarget>(gpu);
}

} // namespace gensyn::gpu
