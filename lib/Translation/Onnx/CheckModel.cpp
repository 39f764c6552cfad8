// Checks versions, operator sets, operators, and types of inputs.

#include "CheckModel.h"
#include "gensyn/Dialect/Onnx/IR/Types.h"

#include "onnx/defs/schema.h"
#include "onnx/onnx_pb.h"

#include <map>
#include <set>

using namespace mlir;
using Kind = gensyn::ImportError::Kind;

namespace gensyn {
namespace {
using Opsets = std::map<std::string, int>;

std::string domainOf(const std::string &domain) {
  return domain == "ai.onnx" ? "" : domain;
}

std::string shownDomain(const std::string &domain) {
  return domain.empty() ? "ai.onnx" : domain;
}

Opsets
opsetsOf(const google::protobuf::RepeatedPtrField<::onnx::OperatorSetIdProto>
             &imports) {
  Opsets opsets;
  for (const auto &opset : imports)
    opsets[domainOf(opset.domain())] =
        int(std::min<int64_t>(opset.version(), INT_MAX));
  return opsets;
}

LogicalResult checkVersions(const ::onnx::ModelProto &model,
                            ImportError &error) {
  if (model.ir_version() < 1) {
    error = {Kind::BadModel, "the model has no IR version"};
    return failure();
  }
  if (model.ir_version() > ::onnx::Version::IR_VERSION) {
    error = {Kind::Unsupported,
             "IR version " + std::to_string(model.ir_version()) +
                 " is newer than " +
                 std::to_string(::onnx::Version::IR_VERSION) +
                 ", the newest known one"};
    return failure();
  }
  if (model.opset_import().empty()) {
    error = {Kind::BadModel, "the model imports no operator set"};
    return failure();
  }
  std::map<std::string, int64_t> seen;
  auto &ranges =
      ::onnx::OpSchemaRegistry::DomainToVersionRange::Instance().Map();
  for (const auto &opset : model.opset_import()) {
    std::string domain = domainOf(opset.domain());
    std::string text = "opset " + std::to_string(opset.version()) + " of " +
                       shownDomain(domain);
    // Some exporters write an import twice.
    auto [known, isNew] = seen.try_emplace(domain, opset.version());
    if (known->second != opset.version()) {
      error = {Kind::BadModel, "operator set " + shownDomain(domain) +
                                   " is imported as version " +
                                   std::to_string(known->second) + " and as " +
                                   std::to_string(opset.version())};
      return failure();
    }
    if (opset.version() < 1) {
      error = {Kind::BadModel, text + " does not exist"};
      return failure();
    }
    auto range = ranges.find(domain);
    if (range != ranges.end() && opset.version() > range->second.second) {
      error = {Kind::Unsupported, text + " is newer than " +
                                      std::to_string(range->second.second) +
                                      ", the newest known one"};
      return failure();
    }
  }
  return success();
}

/// Reports all unknown operators at once, so that a user sees how much is
/// missing.
LogicalResult checkOperators(const ::onnx::ModelProto &model,
                             ImportError &error) {
  std::set<std::string> functions;
  for (const auto &function : model.functions())
    functions.insert(domainOf(function.domain()) + ":" + function.name());
  auto &ranges =
      ::onnx::OpSchemaRegistry::DomainToVersionRange::Instance().Map();
  std::set<std::string> seen;
  std::string all;
  forEachNode(model, [&](const ::onnx::NodeProto &node, const Opsets &opsets) {
    std::string domain = domainOf(node.domain());
    if (functions.count(domain + ":" + node.op_type()))
      return;
    auto opset = opsets.find(domain);
    const ::onnx::OpSchema *schema =
        opset == opsets.end() ? nullptr
                              : ::onnx::OpSchemaRegistry::Schema(
                                    node.op_type(), opset->second, domain);
    if ((schema && !schema->Deprecated()) ||
        !seen.insert(domain + ":" + node.op_type()).second)
      return;
    all += all.empty() ? "" : "; ";
    std::string known = opset == opsets.end()
                            ? ", which the model does not import"
                            : " at opset " + std::to_string(opset->second);
    if (schema)
      known += " (deprecated)";
    if (!ranges.count(domain))
      all += "operator " + node.op_type() + " of domain " + domain +
             " is not known";
    else
      all += shownDomain(domain) + " has no operator " + node.op_type() + known;
    std::string name = node.name().empty() && node.output_size()
                           ? node.output(0)
                           : node.name();
    all += " (node '" + name + "')";
  });
  if (all.empty())
    return success();
  error = {Kind::Unsupported, all};
  return failure();
}

/// Checks only the types of graph inputs and outputs: those of other values are
/// hints.
LogicalResult checkValue(const ::onnx::ValueInfoProto &info,
                         const std::string &what, bool isInput,
                         MLIRContext *context, ImportError &error) {
  auto fail = [&](const std::string &text) {
    error = {Kind::BadModel, what + " '" + info.name() + "' " + text};
    return failure();
  };
  if (info.type().value_case() == ::onnx::TypeProto::VALUE_NOT_SET)
    return isInput ? fail("has no type") : success();
  if (!info.type().has_tensor_type())
    return success();
  const auto &tensor = info.type().tensor_type();
  Type element = onnx::elementTypeOf(context, tensor.elem_type());
  if (!element)
    return fail("has no known element type");
  SmallVector<int64_t> shape;
  for (const auto &dim : tensor.shape().dim())
    if (dim.has_dim_value()) {
      if (dim.dim_value() < 0)
        return fail("has the negative dimension " +
                    std::to_string(dim.dim_value()));
      shape.push_back(dim.dim_value());
    }
  if (!onnx::fileBytes(shape, element))
    return fail("has a size that overflows");
  return success();
}

void visitNodes(
    const google::protobuf::RepeatedPtrField<::onnx::NodeProto> &nodes,
    const Opsets &opsets,
    function_ref<void(const ::onnx::NodeProto &, const Opsets &)> visit) {
  for (const auto &node : nodes) {
    visit(node, opsets);
    for (const auto &attribute : node.attribute())
      if (attribute.has_g())
        visitNodes(attribute.g().node(), opsets, visit);
  }
}
} // namespace

std::string describeNode(const ::onnx::NodeProto &node) {
  std::string name =
      node.name().empty() && node.output_size() ? node.output(0) : node.name();
  return "node '" + name + "' (" + node.op_type() + ")";
}

void forEachNode(
    const ::onnx::ModelProto &model,
    function_ref<void(const ::onnx::NodeProto &, const Opsets &)> visit) {
  visitNodes(model.graph().node(), opsetsOf(model.opset_import()), visit);
  for (const auto &function : model.functions())
    visitNodes(function.node(), opsetsOf(function.opset_import()), visit);
}

LogicalResult checkModel(const ::onnx::ModelProto &model, MLIRContext *context,
                         bool keepUnknown, ImportError &error) {
  if (failed(checkVersions(model, error)) ||
      (!keepUnknown && failed(checkOperators(model, error))))
    return failure();
  for (const auto &input : model.graph().input())
    if (failed(checkValue(input, "graph input", true, context, error)))
      return failure();
  for (const auto &output : model.graph().output())
    if (failed(checkValue(output, "graph output", false, context, error)))
      return failure();
  return success();
}
} // namespace gensyn
