// From a model's forward function to the program of a recipe.

#ifndef GENSYN_DIALECT_TRAIN_TRANSFORMS_TRAININGSTEP_H
#define GENSYN_DIALECT_TRAIN_TRANSFORMS_TRAININGSTEP_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/JSON.h"

#include <optional>
#include <string>
#include <vector>

namespace gensyn::train {

/// The kind of program made of a model; see the description of
/// train-build-step.
enum class StepKind { Infer, Eval, Grad, Train };

/// A recipe's options for one step.
struct TrainingOptions {
  StepKind kind = StepKind::Train;
  /// The recipe's objects. What they may hold is up to the losses, optimizers
  /// and schedules of the registry; all but the loss matter to StepKind::Train
  /// only.
  llvm::json::Object loss, optimizer;
  std::optional<llvm::json::Object> schedule, clip, ema, precision;
  /// Patterns of `*` (any run) and `?` (any character): parameters that are not
  /// trained.
  std::vector<std::string> frozen;
  /// How many microbatches the recipe has in a step, and how many this program
  /// has, which is of the samples that are left in the end.
  int64_t accumulate = 1, microbatches = 1;
  /// True if batch normalizations train that the model has for inference. That
  /// is done before operators become ops of repro.
  bool trainsBatchNorm = false;
  /// True if initializers are trained although the exporter made them of the
  /// module's parameters, or left some out.
  bool ignoresLost = false;

  /// True if a pattern matches the parameter's name.
  bool freezes(llvm::StringRef name) const;
};

/// Reads options from a recipe's JSON text; `microbatches` is what `accumulate`
/// says. Keys that are not named above are not looked at: they are the
/// runtime's. Fails after emitting one error at `location`.
llvm::FailureOr<TrainingOptions> parseTrainingOptions(llvm::StringRef kind,
                                                      llvm::StringRef recipe,
                                                      mlir::Location location);

/// Checks what can be checked without a model: the kinds, and the keys of
/// optimizer, groups and schedule. Fails after emitting one error, the one that
/// buildTrainingStep would come to.
llvm::LogicalResult checkTrainingOptions(const TrainingOptions &options,
                                         mlir::Location location);

/// Makes `@main` of `module` the program of the options, as the description of
/// train-build-step says. The func, repro and train dialects must be loaded.
/// Fails after emitting one error; then the module is of no further use.
llvm::LogicalResult buildTrainingStep(mlir::ModuleOp module,
                                      const TrainingOptions &options);

} // namespace gensyn::train

#endif
