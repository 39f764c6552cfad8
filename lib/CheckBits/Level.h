// The parts of a module that can be run, at any level of abstraction.

#ifndef GENSYN_LIB_CHECKBITS_LEVEL_H
#define GENSYN_LIB_CHECKBITS_LEVEL_H

#include "gensyn/Numerics/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <vector>

namespace gensyn::checkbits {

/// A tensor at the border of a unit.
struct Port {
  ElementType type;
  std::vector<int64_t> shape;
  bool operator==(const Port &) const = default;
};

/// Something with results: a function of repro ops, a kernel, or what a kernel
/// became. A kernel keeps its unit's name all the way down.
struct Unit {
  std::string name;
  std::vector<Port> inputs, outputs;
  /// The op with its location, for the error.
  mlir::Operation *op = nullptr;
  /// Below repro: the functions that run one after another. Of a function that
  /// came from no known kernel all buffers are inputs and, when it has run,
  /// outputs.
  std::vector<std::string> functions;
  bool inPlace = false;
  /// What one run of it holds at most, in bytes, and computes: see countWork.
  int64_t bytes = 0, work = 0;
};

/// Bytes of all tensors that are results of `op` or of ops inside.
int64_t countResultBytes(mlir::Operation *op);

/// Elements of the results of `op` and of ops inside, and their floating-point
/// operations (CostOpInterface), as often as loops run them at most.
int64_t countWork(mlir::Operation *op);

/// Adds tensors at the border of the unit to its bytes and its work: inputs are
/// made, and results compared.
void addPorts(Unit &unit, llvm::ArrayRef<Port> ports);

/// A module made ready to run.
class Runner {
public:
  virtual ~Runner() = default;
  virtual llvm::Expected<std::vector<Tensor>>
  run(const Unit &unit, llvm::ArrayRef<Tensor> inputs) = 0;
  /// Its units, in the order of the module.
  std::vector<Unit> units;
  const Unit *find(llvm::StringRef name) const {
    for (const Unit &unit : units)
      if (unit.name == name)
        return &unit;
    return nullptr;
  }
};

/// One argument of a function over buffers.
struct Argument {
  bool isBuffer = true;
  Port port;
};

/// Facts seen at higher levels. In LLVM's dialect types are gone.
struct Known {
  llvm::StringMap<Unit> kernels;
  llvm::StringMap<std::vector<Argument>> functions;
  /// Of functions over a range of tiles: how many there are.
  llvm::StringMap<int64_t> tiles;
  /// Of GPU functions: blocks and threads of a block.
  llvm::StringMap<std::pair<int64_t, int64_t>> grids;
};

/// The runner for the level of the module; null where nothing in it can be run
/// yet. Adds to `known`. An error where the rest of the way fails. The runner
/// may refer to the module.
llvm::Expected<std::unique_ptr<Runner>> makeRunner(mlir::ModuleOp module,
                                                   Known &known);

} // namespace gensyn::checkbits

#endif
