// The gensyn dialect: attributes of the arguments and results of programs.

#ifndef GENSYN_DIALECT_GENSYN_IR_GENSYN_H
#define GENSYN_DIALECT_GENSYN_IR_GENSYN_H

#include "gensyn/Executable/Role.h"
#include "mlir/IR/Dialect.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include <optional>

#include "gensyn/Dialect/Gensyn/IR/GensynDialect.h.inc"

namespace gensyn::program {

/// Argument and result: the name by which users know the value (string).
inline constexpr llvm::StringLiteral kNameAttr = "gensyn.name";
/// Argument and result: the value's Role (string).
inline constexpr llvm::StringLiteral kRoleAttr = "gensyn.role";
/// Argument: its initial value: elements of its type, a dictionary {fill}, or
/// one of a file's range {file, offset, length, hash, type}.
inline constexpr llvm::StringLiteral kInitialAttr = "gensyn.initial";
/// Module: for each result of `@main` the argument that receives it in the next
/// step, or -1 (array of i64).
inline constexpr llvm::StringLiteral kDonatedAttr = "gensyn.donated";

/// Module: float initializers that are constants in `@main` and not arguments
/// (array of strings); a recipe may list them as frozen.
inline constexpr llvm::StringLiteral kConstantsAttr = "gensyn.constants";
/// Op, argument and result of `@train_algorithm`: it belongs to the algorithm
/// of the model's training_info and not to the main graph (unit).
inline constexpr llvm::StringLiteral kAlgorithmAttr = "gensyn.algorithm";
/// Result of `@train_algorithm` and `@train_initialization`: the initializers
/// to which it is assigned (array of strings).
inline constexpr llvm::StringLiteral kUpdatesAttr = "gensyn.updates";
/// `@main`: it was the model's `@train_algorithm` (unit).
inline constexpr llvm::StringLiteral kTrainingInfoAttr = "gensyn.training_info";

/// Module: initializers that are not each a parameter of the exported module
/// under its own name, an array of dictionaries. `initializer` is the name in
/// the file (empty: none), `names` an array with, for each parameter in it, an
/// array of its name and of what is tied to it, and `form` the word of the
/// importer's ParameterForm.
inline constexpr llvm::StringLiteral kModuleParametersAttr =
    "gensyn.module_parameters";
/// Module: warnings for training (array of strings).
inline constexpr llvm::StringLiteral kSuspicionsAttr = "gensyn.suspicions";
/// Module: initializers that may be parameters or buffers; the file does not
/// tell (array of strings).
inline constexpr llvm::StringLiteral kUnknownKindsAttr = "gensyn.unknown_kinds";
/// Module: differences between the module's derivatives and the file's (array
/// of strings).
inline constexpr llvm::StringLiteral kLostGradientsAttr =
    "gensyn.lost_gradients";

/// Argument and result: the elements with which `gensyn-translate --interpret`
/// runs the function, and those that it expects.
inline constexpr llvm::StringLiteral kInputAttr = "gensyn.input";
inline constexpr llvm::StringLiteral kExpectedAttr = "gensyn.expected";

/// The role of an argument; none where it has none.
std::optional<Role> getRole(mlir::FunctionOpInterface function,
                            unsigned argument);

/// True if the argument has this role.
inline bool hasRole(mlir::FunctionOpInterface function, unsigned argument,
                    Role role) {
  return getRole(function, argument) == role;
}

/// True if the argument keeps its value between runs: its role is one of
/// those that do, and no result of a run replaces it.
bool isKept(mlir::FunctionOpInterface function, unsigned argument);

/// The attribute's value for a role.
mlir::StringAttr getRoleAttr(mlir::MLIRContext *context, Role role);

} // namespace gensyn::program

#endif
