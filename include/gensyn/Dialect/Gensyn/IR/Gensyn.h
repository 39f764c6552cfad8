// The gensyn dialect: attributes of the arguments and results of programs.

#ifndef GENSYN_DIALECT_GENSYN_IR_GENSYN_H
#define GENSYN_DIALECT_GENSYN_IR_GENSYN_H

#include "mlir/IR/Dialect.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include <optional>

#include "gensyn/Dialect/Gensyn/IR/GensynDialect.h.inc"
#include "gensyn/Dialect/Gensyn/IR/GensynEnums.h.inc"

namespace gensyn::program {

inline constexpr llvm::StringLiteral kNameAttr = "gensyn.name";
inline constexpr llvm::StringLiteral kRoleAttr = "gensyn.role";

/// The role of an argument; none where it has none.
std::optional<Role> getRole(mlir::FunctionOpInterface function,
                            unsigned argument);

/// True if the argument has this role.
inline bool hasRole(mlir::FunctionOpInterface function, unsigned argument,
                    Role role) {
  return getRole(function, argument) == role;
}

/// The attribute's value for a role.
mlir::StringAttr getRoleAttr(mlir::MLIRContext *context, Role role);

} // namespace gensyn::program

#endif
