// Compares two sides of a pass and reports a difference.

#ifndef GENSYN_LIB_CHECKBITS_REPORT_H
#define GENSYN_LIB_CHECKBITS_REPORT_H

#include "Level.h"
#include "gensyn/CheckBits/CheckBits.h"
#include "gensyn/CheckBits/Difference.h"

namespace gensyn::checkbits {

/// A pass that broke its guarantee: the bits differ, or the result cannot be
/// run.
struct Finding {
  std::string callable;
  unsigned trial = 0;
  std::vector<Tensor> inputs;
  std::optional<Difference> difference;
  /// The task that stored the differing element; empty if the level has none.
  std::string writer;
  /// Without a difference: the first fault slot that differs.
  std::string fault;
  /// Without a difference: the reason why the module after the pass cannot be
  /// run.
  std::string error;
};

/// Runs both sides of passes on inputs.
class Comparison {
public:
  Comparison(const CheckOptions &options, RecordedFacts &known)
      : options(options), known(known), workLeft(options.work) {}

  /// The first difference of any callable in both modules; nothing if there is
  /// none, or if neither side can be run.
  std::optional<Finding> compare(mlir::ModuleOp before, mlir::ModuleOp after);

  /// The number of callables that the last `compare` ran on both sides.
  unsigned getNumCompared() const { return compared; }

  /// The first callable that the last `compare` skipped as too large, with the
  /// reason; empty if it skipped none.
  llvm::StringRef getLeftOut() const { return leftOut; }

  /// The same for one callable on these inputs.
  std::optional<Finding> compareOn(mlir::ModuleOp before, mlir::ModuleOp after,
                                   llvm::StringRef callable,
                                   llvm::ArrayRef<Tensor> inputs);

private:
  bool isAffordable(const Callable &callable, const Callable &other);
  std::optional<Finding> compareCallable(Runner &before, Runner &after,
                                         const Callable &callable,
                                         const Callable &other);
  std::optional<Finding> compareTrial(Runner &before, Runner &after,
                                      const Callable &callable,
                                      const Callable &other, unsigned trial,
                                      std::vector<Tensor> inputs);

  CheckOptions options;
  RecordedFacts &known;
  unsigned compared = 0;
  /// The remaining budget of the options, for all calls of `compare`.
  int64_t workLeft;
  std::string leftOut;
};

/// The pass's flag, or its class if it has none.
std::string nameOf(mlir::Pass &pass);

/// Emits the error and prints the smallest module on which `pass`, run on an op
/// like `anchor`, still changes a bit.
void report(const Finding &finding, mlir::ModuleOp before, mlir::Pass &pass,
            mlir::Operation *anchor, const CheckOptions &options,
            RecordedFacts &known, llvm::raw_ostream &out);

} // namespace gensyn::checkbits

#endif
