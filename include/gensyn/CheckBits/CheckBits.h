// Finds the first pass that changes a bit.

#ifndef GENSYN_CHECKBITS_CHECKBITS_H
#define GENSYN_CHECKBITS_CHECKBITS_H

#include "gensyn/Reference/Work.h"
#include "mlir/Pass/PassManager.h"

namespace gensyn::checkbits {

struct CheckOptions {
  /// The seed of the inputs.
  uint64_t seed = 1;
  /// The number of inputs of each function: two rounds of the mixes (see
  /// Inputs.h).
  unsigned trials = 10;
  /// The total budget of elements and floating-point operations, so that a
  /// check of large tensors ends. Functions beyond it are not compared, and a
  /// warning says so. 0: no limit.
  int64_t work = reference::kDefaultWork;
  /// Also checks modules without the stamp of the freeze. Before the freeze
  /// passes may change bits, and some exist to do so.
  bool everything = false;
};

/// The findings; shared by the tool and the instrumentation.
struct CheckResult {
  /// True if a pass changed a bit. Nothing is checked after that.
  bool found = false;
  /// The number of passes that were compared.
  unsigned compared = 0;
};

/// Adds an instrumentation to `passes` that compares the module before and
/// after each pass on generated inputs. Functions of repro ops, grouped into
/// kernels or not, are interpreted. At lower levels both sides are lowered
/// completely and run, on this processor or, from gpu.module on, on the
/// simulator. On the first difference it emits one error that names pass,
/// function, element and bits. It then prints to `out` the smallest module it
/// can find on which the pass still changes a bit. The inputs are
/// `gensyn.input` attributes of the arguments, which a later run on that module
/// uses.
///
/// Passes must keep bits only after the freeze: see CheckOptions. The context
/// must not be multithreaded, since functions are read while passes run on
/// others. A pass at the end of the pipeline fails if a difference was found,
/// so that the tool's exit code is 1.
void checkBits(mlir::PassManager &passes, const CheckOptions &options,
               CheckResult &result, llvm::raw_ostream &out);

} // namespace gensyn::checkbits

#endif
