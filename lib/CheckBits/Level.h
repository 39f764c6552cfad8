// The parts of a module that can be run, at any level of abstraction.

#ifndef GENSYN_LIB_CHECKBITS_LEVEL_H
#define GENSYN_LIB_CHECKBITS_LEVEL_H

#include "gensyn/CheckBits/Difference.h"
#include "gensyn/Numerics/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gensyn::checkbits {

/// A tensor in the signature of a callable.
struct TensorSpec {
  ElementType type;
  std::vector<int64_t> shape;
  bool operator==(const TensorSpec &) const = default;
};

/// A callable with results: a function of repro ops, a kernel, or the functions
/// into which a kernel was lowered. A kernel keeps its callable's name through
/// all levels.
struct Callable {
  std::string name;
  std::vector<TensorSpec> inputs, outputs;
  /// The op with its location, for the error.
  mlir::Operation *op = nullptr;
  /// Below repro: the functions that run one after another. For a function
  /// without a known kernel all buffers are inputs, and after the run outputs.
  std::vector<std::string> functions;
  bool inPlace = false;
  /// An upper bound of the bytes and of the work of one run; see
  /// reference::countWork.
  int64_t bytes = 0, work = 0;
};

/// Adds the tensors of the callable's signature to its bytes and its work:
/// inputs are generated, and results compared.
void addSpecs(Callable &callable, llvm::ArrayRef<TensorSpec> specs);

/// A module prepared for running.
class Runner {
public:
  virtual ~Runner() = default;
  virtual llvm::Expected<std::vector<Tensor>>
  run(const Callable &callable, llvm::ArrayRef<Tensor> inputs) = 0;
  /// Says where an element of the last run comes from; empty if unknown.
  virtual std::string describeWriter(const Difference &) const { return ""; }
  /// The same for an element of a fault slot.
  virtual std::string describeCounters(uint32_t, uint64_t) const { return ""; }
  /// The fault slots of the last run (g7), where the level has them.
  std::optional<std::vector<uint64_t>> faults;
  /// Its callables, in the order of the module.
  std::vector<Callable> callables;
  const Callable *find(llvm::StringRef name) const {
    for (const Callable &callable : callables)
      if (callable.name == name)
        return &callable;
    return nullptr;
  }
};

/// One argument of a function over buffers.
struct Argument {
  bool isBuffer = true;
  TensorSpec spec;
};

/// Facts recorded at higher levels, since types are gone in LLVM's dialect.
struct RecordedFacts {
  llvm::StringMap<Callable> kernels;
  llvm::StringMap<std::vector<Argument>> functions;
  /// For functions over a range of tiles: the number of tiles.
  llvm::StringMap<int64_t> tiles;
  /// For GPU functions: the blocks, and the threads of a block.
  llvm::StringMap<std::pair<int64_t, int64_t>> grids;
};

/// Returns the runner for the level of the module; null if nothing in it can be
/// run yet. Adds facts to `known`. Returns an error if the remaining lowering
/// fails. The runner may refer to the module.
llvm::Expected<std::unique_ptr<Runner>> makeRunner(mlir::ModuleOp module,
                                                   RecordedFacts &known);

} // namespace gensyn::checkbits

#endif
