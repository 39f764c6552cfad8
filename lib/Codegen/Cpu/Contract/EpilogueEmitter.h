// Elements of a contraction's epilogue, in vectors along its result.

#ifndef GENSYN_LIB_CODEGEN_CPU_CONTRACT_EPILOGUEEMITTER_H
#define GENSYN_LIB_CODEGEN_CPU_CONTRACT_EPILOGUEEMITTER_H

#include "InPlaceEmitter.h"

namespace gensyn::cpu {

/// Returns the type of an element of the tensor's buffer.
mlir::Type elementInMemory(mlir::Value tensor);

/// Emits elements of vectors along columns of C, several vectors at once.
class EpilogueEmitter final : public InPlaceEmitter {
public:
  using Value = mlir::Value;
  using Values = CpuBuilder::Values;
  /// A vector's addresses of the values in memory, at its first lane; the other
  /// values are computed.
  struct Memory {
    Values addresses;    ///< for each vector
    bool isUniform;      ///< the same for all lanes of a vector
    Values seconds = {}; ///< of the lanes of second masks
  };

  /// `masks`: for each vector, null if all its lanes are valid. Lanes in
  /// `seconds`, if there are any, are at addresses of their own.
  EpilogueEmitter(CpuBuilder &code, llvm::ArrayRef<Value> masks,
                  llvm::ArrayRef<Value> seconds = {})
      : InPlaceEmitter(code, code.lanes * int64_t(masks.size())), code(code),
        masks(masks), seconds(seconds) {}

  void place(Value tensor, Memory memory) {
    memories.try_emplace(tensor, std::move(memory));
  }
  /// Defines the element of each vector of a tensor.
  void provide(Value tensor, llvm::ArrayRef<Value> vectors);

  Value element(Value tensor, llvm::ArrayRef<Value> indices) override;
  void storeVectors(Value value, llvm::ArrayRef<Value> addresses,
                    llvm::ArrayRef<Value> ofSeconds = {});

private:
  Value loadVectors(Value tensor, const Memory &memory);
  Value loadVector(mlir::Type type, const Memory &memory, size_t part);
  Value loadScalar(mlir::Type type, Value address);
  Value append(Value first, Value second);

  CpuBuilder &code;
  llvm::ArrayRef<Value> masks, seconds;
  llvm::DenseMap<Value, Memory> memories;
};

} // namespace gensyn::cpu

#endif
