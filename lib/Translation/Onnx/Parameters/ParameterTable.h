// The parameters of the exported module, with the initializers that hold them
// and the form in which they do.
#ifndef GENSYN_LIB_TRANSLATION_ONNX_PARAMETERS_PARAMETERTABLE_H
#define GENSYN_LIB_TRANSLATION_ONNX_PARAMETERS_PARAMETERTABLE_H

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/StringRef.h"

#include <set>
#include <string>
#include <vector>

namespace gensyn {

/// The relation between training an initializer and training the module's
/// parameters. The first five forms hold each element of the parameters that
/// the graph reads exactly once, so optimizers that work element by element
/// take the same steps.
enum class ParameterForm {
  Exact,
  Transposed,
  /// The same elements in the same order.
  Reshaped,
  /// The same elements in another order, perhaps those of several parameters.
  Rearranged,
  /// Some rows of a matrix, each once. Nothing in the graph reads the others.
  Selected,
  /// Unchanged, with a row of zeros that the module may not train, such as the
  /// row of an embedding's padding_idx.
  Padded,
  /// Computed from parameters by arithmetic, or with some elements only.
  Computed,
  /// No initializer holds the parameter.
  Lost,
  /// Nothing in the graph depends on the parameter.
  Unused
};

/// The keyword of a form in attributes.
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
  /// True if the file lists the module's parameters; then no other tensor in it
  /// is one.
  bool isComplete = false;
  /// Entries other than an initializer under the parameter's own name.
  std::vector<ModuleParameter> parameters;
  /// Float initializers that hold no parameter.
  std::set<std::string> constants;
  /// Suspicions that training differs from the module's; a sentence each.
  std::vector<std::string> suspicions;

  /// Differences between the module's derivatives and the file's; a phrase
  /// each.
  std::vector<std::string> lostGradients;
  /// Float initializers that are trained and may be buffers of the module.
  std::vector<std::string> unknownKinds;

  /// The module attributes of `onnx::names`; null if there is nothing to
  /// record.
  mlir::ArrayAttr parametersAttribute(mlir::MLIRContext *context) const;
  mlir::ArrayAttr suspicionsAttribute(mlir::MLIRContext *context) const;
  mlir::ArrayAttr unknownKindsAttribute(mlir::MLIRContext *context) const;
  mlir::ArrayAttr lostGradientsAttribute(mlir::MLIRContext *context) const;
};

} // namespace gensyn

#endif
