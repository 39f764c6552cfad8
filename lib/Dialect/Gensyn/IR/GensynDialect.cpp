// The verifiers of the gensyn dialect's attributes.

#include "gensyn/Dialect/Gensyn/IR/Gensyn.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::program;

#include "gensyn/Dialect/Gensyn/IR/GensynDialect.cpp.inc"

void GensynDialect::initialize() {}

static bool isPort(StringRef attribute) {
  return attribute == kNameAttr || attribute == kRoleAttr;
}

/// Verifies a name or role of an argument or result, which `what` names.
static LogicalResult verifyPort(Operation *op, const Twine &what,
                                NamedAttribute attribute) {
  if (!isPort(attribute.getName()))
    return success();
  auto text = dyn_cast<StringAttr>(attribute.getValue());
  if (!text)
    return op->emitError(what)
           << " has '" << attribute.getName().getValue()
           << "' = " << attribute.getValue() << ", expected a string";
  if (attribute.getName() == kNameAttr || roleFromName(text.getValue()))
    return success();
  InFlightDiagnostic error = op->emitError(what)
                             << " has the role " << text << ", expected ";
  for (auto [number, role] : llvm::enumerate(roleNames))
    error << (number == 0                      ? ""
              : number == roleNames.size() - 1 ? " or "
                                               : ", ")
          << StringRef(role);
  return error;
}

LogicalResult GensynDialect::verifyRegionArgAttribute(
    Operation *op, unsigned, unsigned argument, NamedAttribute attribute) {
  return verifyPort(op, "argument " + Twine(argument), attribute);
}

LogicalResult GensynDialect::verifyRegionResultAttribute(
    Operation *op, unsigned, unsigned result, NamedAttribute attribute) {
  return verifyPort(op, "result " + Twine(result), attribute);
}

LogicalResult
GensynDialect::verifyOperationAttribute(Operation *op,
                                        NamedAttribute attribute) {
  if (!isPort(attribute.getName()))
    return success();
  return op->emitOpError("has '")
         << attribute.getName().getValue()
         << "', which belongs on an argument or result of a function";
}

std::optional<Role> gensyn::program::getRole(FunctionOpInterface function,
                                             unsigned argument) {
  auto role = function.getArgAttrOfType<StringAttr>(argument, kRoleAttr);
  return role ? roleFromName(role.getValue()) : std::nullopt;
}

bool gensyn::program::isKept(FunctionOpInterface function, unsigned argument) {
  const std::optional<Role> role = getRole(function, argument);
  if (role != Role::Parameter && role != Role::State && role != Role::Average &&
      role != Role::Constant)
    return false;
  auto module = function->getParentOfType<ModuleOp>();
  auto donated = module ? module->getAttrOfType<DenseI64ArrayAttr>(kDonatedAttr)
                        : DenseI64ArrayAttr();
  return !donated ||
         !llvm::is_contained(donated.asArrayRef(), int64_t(argument));
}

StringAttr gensyn::program::getRoleAttr(MLIRContext *context, Role role) {
  return StringAttr::get(context, name(role));
}
