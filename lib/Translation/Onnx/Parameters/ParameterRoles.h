// Maps the parameters of a call to operands of its nodes.
#pragma once

#include "ModuleNotes.h"
#include "ParameterTable.h"

#include <optional>

namespace gensyn {

/// The form in which operand `operand` of `node` has the call's argument number
/// `argument` (or of that name), where the node computes the call or a part of
/// it. Nothing where the operand is not known to have that argument.
std::optional<ParameterForm> findRole(const ModuleCall &call, size_t argument,
                                      const ::onnx::NodeProto &node,
                                      int operand);

/// True if it is known where the parameters of the call's operator go. Of
/// another one nothing follows but for calls that are a single node.
bool hasRoles(const ModuleCall &call);

/// The operand that has the argument where a node has one, and that the
/// exporter leaves out where it is all zeros: a bias. Nothing for other
/// arguments.
std::optional<int> findZeroOperand(const ModuleCall &call, size_t argument,
                                   const ::onnx::NodeProto &node);

} // namespace gensyn
