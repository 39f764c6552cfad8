// Maps the parameters of a call to operands of its nodes.
#ifndef GENSYN_LIB_TRANSLATION_ONNX_PARAMETERS_PARAMETERROLES_H
#define GENSYN_LIB_TRANSLATION_ONNX_PARAMETERS_PARAMETERROLES_H

#include "ModuleNotes.h"
#include "ParameterTable.h"
#include "onnx/onnx_pb.h"

#include <optional>

namespace gensyn {

/// The form in which operand `operand` of `node` holds the call's argument
/// number `argument` (or of that name), if the node computes the call or a part
/// of it. Nothing if the operand is not known to hold that argument.
std::optional<ParameterForm> findRole(const ModuleCall &call, size_t argument,
                                      const ::onnx::NodeProto &node,
                                      int operand);

/// True if the operands of the call's operator are known. For any other
/// operator only calls that are a single node allow conclusions.
bool hasRoles(const ModuleCall &call);

/// The operand for the argument if a node has one and the exporter drops it
/// when it is all zeros: a bias. Nothing for other arguments.
std::optional<int> findZeroOperand(const ModuleCall &call, size_t argument,
                                   const ::onnx::NodeProto &node);

} // namespace gensyn

#endif
