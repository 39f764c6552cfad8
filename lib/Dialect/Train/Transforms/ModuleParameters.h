// Parameters of the exported PyTorch module, and the initializers that hold
// them.

#ifndef GENSYN_LIB_DIALECT_TRAIN_TRANSFORMS_MODULEPARAMETERS_H
#define GENSYN_LIB_DIALECT_TRAIN_TRANSFORMS_MODULEPARAMETERS_H

#include "StepProgram.h"

namespace gensyn::train {

/// The importer's analysis of a model's initializers, from its attribute
/// `gensyn.module_parameters`.
class ModuleParameters {
public:
  explicit ModuleParameters(mlir::ModuleOp module);

  /// The part of an initializer's parameters that the patterns match. Its own
  /// name stands for all of them.
  enum class Fit { None, Some, All };
  Fit match(llvm::ArrayRef<std::string> patterns,
            llvm::StringRef initializer) const;

  /// True if the patterns match all parameters of an initializer, false if
  /// none. Fails after an error that begins with `where` if they match some.
  llvm::FailureOr<bool> fits(mlir::Location location, const llvm::Twine &where,
                             llvm::ArrayRef<std::string> patterns,
                             llvm::StringRef initializer) const;

  /// Appends the names that patterns may match in addition to those of
  /// initializers.
  void appendNames(std::vector<std::string> &names) const;
  /// The same for one initializer.
  void appendNames(llvm::StringRef initializer,
                   std::vector<std::string> &names) const;

  /// Fails if training the parameter arguments of `program` would not train the
  /// same network as the module, after an error that lists some: one is
  /// computed from parameters, a parameter of the module that the recipe does
  /// not freeze is missing, or the file lacks something that the module's
  /// derivatives depend on.
  llvm::LogicalResult check(const StepProgram &program,
                            const TrainingOptions &options) const;

  /// Fails after an error if steps of a rule with this freedom would treat the
  /// parameters in an initializer differently than the module's, because the
  /// exporter stored them in another form.
  llvm::LogicalResult checkForm(mlir::Location location,
                                llvm::StringRef initializer,
                                StorageFreedom freedom,
                                const TrainingOptions &options) const;

private:
  struct Row {
    std::string initializer, form;
    /// For each parameter its name and the names of tied parameters.
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
