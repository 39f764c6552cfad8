// The parameters of the exported module that initializers hold, and how.
#pragma once

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/StringRef.h"

#include <set>
#include <string>
#include <vector>

namespace gensyn {

namespace onnx::names {
/// Module: initializers that are not each a parameter of the exported module
/// under its own name, an array of dictionaries. `initializer` is the name in
/// the file (empty: none), `names` an array with, for each parameter in it, an
/// array of its name and of what is tied to it, and `form` how it is held, a
/// word of `stringify`.
inline constexpr llvm::StringLiteral moduleParameters =
    "gensyn.module_parameters";
/// Module: what training warns of (array of strings).
inline constexpr llvm::StringLiteral suspicions = "gensyn.suspicions";
/// Module: initializers of which the file does not tell whether they are
/// parameters or buffers (array of strings).
inline constexpr llvm::StringLiteral unknownKinds = "gensyn.unknown_kinds";
/// Module: where the module's derivatives are not those of the file (array of
/// strings).
inline constexpr llvm::StringLiteral lostGradients = "gensyn.lost_gradients";
} // namespace onnx::names

/// What training an initializer is to training the module's parameters. The
/// first five hold each element of the parameters that the graph reads once, so
/// that steps which go element by element do the same.
enum class ParameterForm {
  Exact,
  Transposed,
  /// The same elements in the same order.
  Reshaped,
  /// The same elements in another order, perhaps those of several parameters.
  Rearranged,
  /// Some rows of a matrix, each once. Nothing in the graph reads the others.
  Selected,
  /// As it is, with a row of zeros that the module may not train, as that of an
  /// embedding's padding_idx.
  Padded,
  /// Made of parameters by arithmetic, or with some elements only.
  Computed,
  /// No initializer holds the parameter.
  Lost,
  /// Nothing in the graph depends on the parameter.
  Unused
};

/// The word that stands for a form in attributes.
llvm::StringRef stringify(ParameterForm form);

/// An initializer, and the parameters of the module in it.
struct ModuleParameter {
  /// Empty for Lost and Unused.
  std::string initializer;
  /// For each parameter its name and the other names of the same tensor.
  std::vector<std::vector<std::string>> names;
  ParameterForm form = ParameterForm::Exact;
};

struct ParameterTable {
  /// True if the file says which parameters the module has; then nothing else
  /// in it is one.
  bool isComplete = false;
  /// Those that are more than an initializer with the parameter's own name.
  std::vector<ModuleParameter> parameters;
  /// Float initializers that hold no parameter.
  std::set<std::string> constants;
  /// What only looks as if training differed from the module's; a sentence
  /// each.
  std::vector<std::string> suspicions;

  /// Where the module's derivatives are not those of the file; a phrase each.
  std::vector<std::string> lostGradients;
  /// Float initializers that are trained and may be buffers of the module.
  std::vector<std::string> unknownKinds;

  /// As the module attributes of `onnx::names` have it; null where there is
  /// nothing to say.
  mlir::ArrayAttr parametersAttribute(mlir::MLIRContext *context) const;
  mlir::ArrayAttr suspicionsAttribute(mlir::MLIRContext *context) const;
  mlir::ArrayAttr unknownKindsAttribute(mlir::MLIRContext *context) const;
  mlir::ArrayAttr lostGradientsAttribute(mlir::MLIRContext *context) const;
};

} // namespace gensyn
