// Parameters of the module that was exported, beside the initializers that hold
// them.

#ifndef GENSYN_LIB_DIALECT_TRAIN_TRANSFORMS_MODULEPARAMETERS_H
#define GENSYN_LIB_DIALECT_TRAIN_TRANSFORMS_MODULEPARAMETERS_H

#include "StepProgram.h"

namespace gensyn::train {

/// What the importer found out about a model's initializers, as its attribute
/// `gensyn.module_parameters` says it.
class ModuleParameters {
public:
  explicit ModuleParameters(mlir::ModuleOp module);

  /// How many of the parameters that an initializer holds the patterns fit. Its
  /// own name stands for all of them.
  enum class Fit { None, Some, All };
  Fit match(llvm::ArrayRef<std::string> patterns,
            llvm::StringRef initializer) const;

  /// True if the patterns fit all parameters of an initializer or none. Fails
  /// after an error that begins with `where`, where they fit some.
  llvm::FailureOr<bool> fits(mlir::Location location, const llvm::Twine &where,
                             llvm::ArrayRef<std::string> patterns,
                             llvm::StringRef initializer) const;

  /// Appends the names that patterns may fit beside those of initializers.
  void appendNames(std::vector<std::string> &names) const;
  /// Those of one initializer.
  void appendNames(llvm::StringRef initializer,
                   std::vector<std::string> &names) const;

  /// Fails, after an error that lists some, where training the arguments of
  /// `program` that are parameters would train another network than the
  /// module: where one is computed of parameters, a parameter of the module
  /// that the recipe does not freeze is nowhere, or the file has lost what the
  /// module's derivatives depend on.
  llvm::LogicalResult check(const StepProgram &program,
                            const TrainingOptions &options) const;

  /// Fails after an error where steps of a rule with this freedom would treat
  /// the parameters in an initializer otherwise than the module's, as the
  /// exporter stored them in another form.
  llvm::LogicalResult checkForm(mlir::Location location,
                                llvm::StringRef initializer,
                                StorageFreedom freedom,
                                const TrainingOptions &options) const;

private:
  struct Row {
    std::string initializer, form;
    /// For each parameter its name and what is tied to it.
    std::vector<std::vector<std::string>> names;
  };
  const Row *find(llvm::StringRef initializer) const;
  llvm::LogicalResult checkGradients() const;
  llvm::LogicalResult checkPadding(const StepProgram &program) const;

  mlir::ModuleOp module;
  std::vector<Row> rows;
};

} // namespace gensyn::train

#endif
