// Finds the first pass that changes a bit.

#ifndef GENSYN_CHECKBITS_CHECKBITS_H
#define GENSYN_CHECKBITS_CHECKBITS_H

#include "mlir/Pass/PassManager.h"

namespace gensyn::checkbits {

struct CheckOptions {
  /// Of the inputs.
  uint64_t seed = 1;
  /// Inputs of each function; two rounds of the mixes (see Inputs.h).
  unsigned trials = 10;
  /// Elements and floating-point operations that may be computed in all, so
  /// that a check of large tensors ends; what would take more is not compared,
  /// and a warning says so. 0: any number.
  int64_t work = int64_t{1} << 34;
  /// Also where the module does not carry the stamp of the freeze. Without it
  /// passes may change bits there, and some are there to do so.
  bool everything = false;
};

/// The findings; shared by the tool and the instrumentation.
struct CheckResult {
  /// True if a pass changed a bit. Nothing is checked after it.
  bool found = false;
  /// The number of passes that were compared.
  unsigned compared = 0;
};

/// Adds an instrumentation to `passes` that compares the module before and
/// after each pass on generated inputs. Functions of repro ops, grouped into
/// kernels or not, are interpreted; further down the rest of the way is
/// completed from both sides, and run on this processor or, from gpu.module on,
/// on the simulator. On the first difference it emits one error that names
/// pass, function, element and bits, and prints to `out` the smallest module it
/// can cut out on which the pass still changes a bit, with the inputs as
/// `gensyn.input` attributes of the arguments, where it finds them again when
/// the module is fed to it.
///
/// Numerics keep their promise from the freeze on: see CheckOptions. The
/// context must not be multithreaded, since functions are read while passes on
/// others run. At the end of the pipeline a pass is added that fails where a
/// difference was found, so that the tool's exit code is 1.
void checkBits(mlir::PassManager &passes, const CheckOptions &options,
               CheckResult &result, llvm::raw_ostream &out);

} // namespace gensyn::checkbits

#endif
