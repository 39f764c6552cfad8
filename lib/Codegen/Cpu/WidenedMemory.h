// Accesses of a loop's body to memory for the lanes of a vector.

#ifndef GENSYN_LIB_CODEGEN_CPU_WIDENEDMEMORY_H
#define GENSYN_LIB_CODEGEN_CPU_WIDENEDMEMORY_H

#include "WidenedValues.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace gensyn::cpu {

/// Loads and stores adjacent elements, and those a few elements apart, by
/// vectors in memory, others by gathers and scatters.
class WidenedMemory : public WidenedValues {
public:
  using WidenedValues::WidenedValues;

  mlir::Value load(mlir::memref::LoadOp op);
  void store(mlir::memref::StoreOp op);
  /// Updates memory lane after lane; faults are rare.
  void update(mlir::memref::AtomicRMWOp op);

private:
  struct Address {
    mlir::Value pointer; ///< of the buffer, or of the first lane
    mlir::Value offsets; ///< of each lane, in elements; null: `step` apart
    int64_t step = 1;    ///< from 1 to kMostStride
    mlir::Value
        inside; ///< lanes outside of it have their element at `fallback`
    mlir::Value fallback;
    mlir::Value
        row; ///< with `inside`: first lane's index among `extent` elements
    int64_t extent = 0;
    unsigned bytes;
  };

  mlir::Type pointerType() {
    return mlir::LLVM::LLVMPointerType::get(b.getContext());
  }
  mlir::Value elementAt(mlir::Value base, mlir::Type element,
                        mlir::Value offset);
  /// `mayClamp`: the lanes outside of a mask may be returned apart.
  Address addressOf(mlir::Value buffer, mlir::ValueRange indices,
                    bool mayClamp);
  mlir::Value add(mlir::Value sum, mlir::Value part, int64_t stride);
  mlir::Value toI64(mlir::Value x);
  /// True if parts of a vector in memory can be accessed by one instruction.
  bool canMask(const Address &address);
  /// Returns the offset of each lane from the pointer.
  mlir::Value offsetsOf(const Address &address);
  /// Loads the part of a row of elements that begins `offset` elements after
  /// the first lane's.
  mlir::Value loadPart(const Address &address, mlir::VectorType type,
                       int64_t offset);
  void storePart(const Address &address, mlir::Value value, int64_t offset,
                 llvm::ArrayRef<bool> lanes);
};

} // namespace gensyn::cpu

#endif
