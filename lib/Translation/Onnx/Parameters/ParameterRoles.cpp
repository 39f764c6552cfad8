// Maps operators of torch.export's graph with parameters to ONNX operands.

#include "ParameterRoles.h"

#include "onnx/onnx_pb.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

using llvm::StringRef;

namespace gensyn {
namespace {
using Form = ParameterForm;

struct Role {
  StringRef op;
  size_t argument;
  /// The argument's name, for keyword arguments.
  StringRef key;
  StringRef node;
  /// -1: any.
  int operand;
  Form form;
  /// True if the exporter drops the operand when it is zero.
  bool isLeftOut = false;
};
} // namespace

// For the second operand of a Gemm, `form` is that for transB = 0.
static constexpr Role roles[] = {
    {"linear", 1, "weight", "Gemm", 1, Form::Transposed},
    {"linear", 1, "weight", "MatMul", 1, Form::Transposed},
    {"linear", 2, "bias", "Gemm", 2, Form::Exact, true},
    {"linear", 2, "bias", "Add", -1, Form::Exact},
    {"addmm", 0, "input", "Gemm", 2, Form::Exact, true},
    {"addmm", 0, "input", "Add", -1, Form::Exact},
    {"addmm", 2, "mat2", "Gemm", 1, Form::Exact},
    {"addmm", 2, "mat2", "MatMul", 1, Form::Exact},
    {"mm", 0, "input", "MatMul", 0, Form::Exact},
    {"mm", 1, "mat2", "MatMul", 1, Form::Exact},
    {"matmul", 0, "input", "MatMul", 0, Form::Exact},
    {"matmul", 1, "other", "MatMul", 1, Form::Exact},
    {"bmm", 0, "input", "MatMul", 0, Form::Exact},
    {"bmm", 1, "mat2", "MatMul", 1, Form::Exact},
    {"embedding", 0, "weight", "Gather", 0, Form::Exact},
    {"prelu", 1, "weight", "PRelu", 1, Form::Reshaped},
    {"_prelu_kernel", 1, "weight", "PRelu", 1, Form::Reshaped},
    {"layer_norm", 2, "weight", "LayerNormalization", 1, Form::Exact},
    {"layer_norm", 3, "bias", "LayerNormalization", 2, Form::Exact, true},
    {"native_layer_norm", 2, "weight", "LayerNormalization", 1, Form::Exact},
    {"native_layer_norm", 3, "bias", "LayerNormalization", 2, Form::Exact,
     true},
    {"rms_norm", 2, "weight", "RMSNormalization", 1, Form::Exact},
    {"rms_norm", 2, "weight", "SimplifiedLayerNormalization", 1, Form::Exact},
    {"rms_norm", 2, "weight", "Mul", -1, Form::Exact},
    {"group_norm", 2, "weight", "GroupNormalization", 1, Form::Exact},
    {"group_norm", 3, "bias", "GroupNormalization", 2, Form::Exact},
    {"group_norm", 2, "weight", "Mul", -1, Form::Reshaped},
    {"group_norm", 3, "bias", "Add", -1, Form::Reshaped},
    {"instance_norm", 1, "weight", "InstanceNormalization", 1, Form::Exact},
    {"instance_norm", 2, "bias", "InstanceNormalization", 2, Form::Exact},
};

/// Families of operators that use their parameters alike.
static constexpr StringRef convolutions[] = {
    "conv1d",           "conv2d",           "conv3d",     "conv_transpose1d",
    "conv_transpose2d", "conv_transpose3d", "convolution"};
static constexpr StringRef batchNorms[] = {
    "batch_norm", "native_batch_norm", "cudnn_batch_norm",
    "_native_batch_norm_legit", "_native_batch_norm_legit_no_training"};
static constexpr StringRef recurrences[] = {"lstm", "gru", "rnn_tanh",
                                            "rnn_relu"};

static bool isTransposedB(const ::onnx::NodeProto &node) {
  for (const auto &attribute : node.attribute())
    if (attribute.name() == "transB")
      return attribute.i() != 0;
  return false;
}

static bool isArgument(const ModuleCall &call, size_t argument,
                       const Role &role) {
  const std::string &key = call.arguments[argument].key;
  return role.op == call.op &&
         (key.empty() ? role.argument == argument : role.key == key);
}

bool hasRoles(const ModuleCall &call) {
  return llvm::is_contained(convolutions, call.op) ||
         llvm::is_contained(batchNorms, call.op) ||
         llvm::is_contained(recurrences, call.op) ||
         llvm::any_of(roles,
                      [&](const Role &role) { return role.op == call.op; });
}

/// Arguments 1, 2, ... are operands 1, 2, ..., unless they are given by name.
static bool isSameOperand(const ModuleCall &call, size_t argument, int operand,
                          llvm::ArrayRef<StringRef> keys) {
  const std::string &key = call.arguments[argument].key;
  if (operand < 1 || operand > int(keys.size()))
    return false;
  return key.empty() ? int(argument) == operand : keys[operand - 1] == key;
}

std::optional<ParameterForm> findRole(const ModuleCall &call, size_t argument,
                                      const ::onnx::NodeProto &node,
                                      int operand) {
  const StringRef type = node.op_type();
  if (llvm::is_contained(convolutions, call.op))
    return (type == "Conv" || type == "ConvTranspose") &&
                   isSameOperand(call, argument, operand, {"weight", "bias"})
               ? std::optional(Form::Exact)
               : std::nullopt;
  if (llvm::is_contained(batchNorms, call.op))
    return type == "BatchNormalization" &&
                   isSameOperand(
                       call, argument, operand,
                       {"weight", "bias", "running_mean", "running_var"})
               ? std::optional(Form::Exact)
               : std::nullopt;
  // Gates are reordered, and the biases of a cell are joined.
  if (llvm::is_contained(recurrences, call.op))
    return (type == "LSTM" || type == "GRU" || type == "RNN") && operand >= 1 &&
                   operand <= 3
               ? std::optional(Form::Rearranged)
               : std::nullopt;
  for (const Role &role : roles) {
    if (!isArgument(call, argument, role) || role.node != type ||
        (role.operand >= 0 && role.operand != operand))
      continue;
    if (type != "Gemm" || operand != 1 || !isTransposedB(node))
      return role.form;
    return role.form == Form::Exact ? Form::Transposed : Form::Exact;
  }
  return std::nullopt;
}

std::optional<int> findZeroOperand(const ModuleCall &call, size_t argument,
                                   const ::onnx::NodeProto &node) {
  const StringRef type = node.op_type();
  if (llvm::is_contained(convolutions, call.op))
    return (type == "Conv" || type == "ConvTranspose") &&
                   isSameOperand(call, argument, 2, {"weight", "bias"})
               ? std::optional(2)
               : std::nullopt;
  for (const Role &role : roles)
    if (role.isLeftOut && role.node == type && isArgument(call, argument, role))
      return role.operand;
  return std::nullopt;
}

} // namespace gensyn
