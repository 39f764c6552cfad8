// The runners of the levels.

#ifndef GENSYN_LIB_CHECKBITS_RUNNERS_H
#define GENSYN_LIB_CHECKBITS_RUNNERS_H

#include "Level.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace gensyn::checkbits {

/// True if the function is of repro ops alone, grouped or not.
bool isReproFunction(mlir::func::FuncOp function);

/// Functions of repro ops, and their kernels.
std::unique_ptr<Runner> makeInterpreter(mlir::ModuleOp module,
                                        RecordedFacts &known);

/// Functions over buffers, anywhere between linalg and LLVM's dialect, compiled
/// for this processor.
llvm::Expected<std::unique_ptr<Runner>> makeNativeRunner(mlir::ModuleOp module,
                                                         RecordedFacts &known);

/// Runs a gpu.module, of gpu.func or in LLVM's dialect, on the PTX simulator.
llvm::Expected<std::unique_ptr<Runner>> makePtxRunner(mlir::ModuleOp module,
                                                      RecordedFacts &known);

/// True if the module has all tasks of a machine's cores.
bool isMapped(mlir::ModuleOp module);

/// Runs "main" of such a module on the simulator of its machine, with values.
llvm::Expected<std::unique_ptr<Runner>> makeMachineRunner(mlir::ModuleOp module,
                                                          RecordedFacts &known);

/// The arguments of a function over buffers, from its type; nothing if one is
/// neither a static memref nor an index.
std::optional<std::vector<Argument>> argumentsOf(mlir::TypeRange types);

/// Callables of functions that `known` lists; those of one kernel are one
/// callable.
std::vector<Callable>
groupFunctions(llvm::ArrayRef<mlir::Operation *> functions,
               const RecordedFacts &known);

/// Memory for all arguments of a callable's functions, in their order: inputs,
/// outputs, then intermediate buffers.
class CallableMemory {
public:
  CallableMemory(const Callable &callable, const RecordedFacts &known,
                 llvm::ArrayRef<Tensor> inputs);
  uint8_t *get(size_t argument) { return blocks[argument].data(); }
  size_t bytes(size_t argument) const { return blocks[argument].size(); }
  size_t size() const { return blocks.size(); }
  std::vector<Tensor> takeOutputs(const Callable &callable) const;

private:
  /// Aligned like the runtime's buffers.
  class Block {
  public:
    Block(size_t bytes, uint8_t pattern) : memory(bytes + 64, pattern) {}
    uint8_t *data() {
      auto address = reinterpret_cast<uintptr_t>(memory.data());
      return memory.data() + ((64 - address % 64) % 64);
    }
    const uint8_t *data() const { return const_cast<Block *>(this)->data(); }
    size_t size() const { return memory.size() - 64; }

  private:
    std::vector<uint8_t> memory;
  };
  std::vector<Block> blocks;
};

} // namespace gensyn::checkbits

#endif
