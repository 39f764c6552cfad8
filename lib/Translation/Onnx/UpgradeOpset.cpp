// Raises older operator sets with ONNX's version converter.

#include "UpgradeOpset.h"
#include "CheckModel.h"
#include "gensyn/Dialect/Onnx/IR/LibraryError.h"
#include "gensyn/Dialect/Onnx/IR/Onnx.h"

#include "onnx/defs/schema.h"
#include "onnx/onnx_pb.h"
#include "onnx/version_converter/convert.h"

using namespace mlir;
using ::onnx::TensorProto;

namespace gensyn {
namespace {
using KnownFn = std::function<bool(StringRef, StringRef, int)>;

/// True if all operators of the default domain are supported at `opset` (0: the
/// model's own opset).
bool allKnown(const ::onnx::ModelProto &model, int opset,
              const KnownFn &isKnown) {
  bool known = true;
  forEachNode(model, [&](const ::onnx::NodeProto &node,
                         const std::map<std::string, int> &opsets) {
    if (!node.domain().empty() && node.domain() != "ai.onnx")
      return;
    auto it = opsets.find("");
    int version = opset ? opset : it == opsets.end() ? 0 : it->second;
    const auto *schema =
        ::onnx::OpSchemaRegistry::Schema(node.op_type(), version, "");
    known &= schema && !schema->Deprecated() &&
             isKnown("", node.op_type(), schema->SinceVersion());
  });
  return known;
}

std::string entry(const TensorProto &tensor, StringRef key) {
  for (const auto &pair : tensor.external_data())
    if (key == pair.key())
      return pair.value();
  return "";
}

/// Returns the name of an input or output whose rank differs between the
/// models; nothing if there is none. The adapter of Scan 8 removes the batch
/// from the interface.
std::string changedRank(const ::onnx::GraphProto &before,
                        const ::onnx::GraphProto &after) {
  std::map<std::string, int> ranks;
  auto record = [](const auto &values, auto visit) {
    for (const ::onnx::ValueInfoProto &value : values)
      if (value.type().tensor_type().has_shape())
        visit(value.name(), value.type().tensor_type().shape().dim_size());
  };
  auto remember = [&](const std::string &name, int rank) {
    ranks[name] = rank;
  };
  std::string changed;
  auto check = [&](const std::string &name, int rank) {
    auto it = ranks.find(name);
    if (it != ranks.end() && it->second != rank)
      changed = name;
  };
  record(before.input(), remember);
  record(before.output(), remember);
  record(after.input(), check);
  record(after.output(), check);
  return changed;
}
} // namespace

LogicalResult upgradeOpset(::onnx::ModelProto &model, ModelFolder &folder,
                           const KnownFn &isKnown, ImportError &error) {
  if (allKnown(model, 0, isKnown))
    return success();
  int from = 0;
  for (const auto &opset : model.opset_import())
    if (opset.domain().empty() || opset.domain() == "ai.onnx")
      from = int(opset.version());
  int newest = ::onnx::OpSchemaRegistry::DomainToVersionRange::Instance()
                   .Map()
                   .at("")
                   .second;
  int to = from + 1;
  while (to <= newest && !allKnown(model, to, isKnown))
    ++to;
  if (!from || to > newest) // the conversion reports unknown ones
    return success();

  // Adapters read small tensors (sizes, scales), so those are copied into the
  // message.
  std::map<std::string, TensorProto> places;
  for (auto &tensor : *model.mutable_graph()->mutable_initializer()) {
    uint64_t offset, length;
    if (tensor.data_location() != TensorProto::EXTERNAL ||
        StringRef(entry(tensor, "offset")).getAsInteger(10, offset) ||
        StringRef(entry(tensor, "length")).getAsInteger(10, length) ||
        length > uint64_t(onnx::maxConstantBytes))
      continue;
    auto bytes = folder.read(entry(tensor, "location"), offset, length, error);
    if (failed(bytes)) {
      error.message = "initializer '" + tensor.name() + "': " + error.message;
      return failure();
    }
    places[tensor.name()] = tensor;
    tensor.clear_external_data();
    tensor.clear_data_location();
    tensor.set_raw_data(*bytes);
  }
  // The converter's own checks require initializers to be inputs below IR
  // version 4.
  model.set_ir_version(std::max<int64_t>(model.ir_version(), 4));
  try {
    ::onnx::ModelProto converted =
        ::onnx::version_conversion::ConvertVersion(model, to);
    const std::string changed = changedRank(model.graph(), converted.graph());
    if (!changed.empty()) {
      error = {ImportError::Kind::Unsupported,
               "opset " + std::to_string(from) + " cannot be raised to " +
                   std::to_string(to) + ": the rank of '" + changed +
                   "' would be another"};
      return failure();
    }
    model.Swap(&converted);
  } catch (const std::exception &e) {
    error = {ImportError::Kind::Unsupported,
             "opset " + std::to_string(from) + " cannot be raised to " +
                 std::to_string(to) + ": " + onnx::describeLibraryError(e)};
    return failure();
  }
  for (auto &tensor : *model.mutable_graph()->mutable_initializer()) {
    auto it = places.find(tensor.name());
    if (it == places.end() || tensor.data_type() != it->second.data_type())
      continue;
    // An adapter may have changed the value; then it stays in the message.
    ImportError ignored;
    auto bytes = folder.read(entry(it->second, "location"),
                             std::stoull(entry(it->second, "offset")),
                             std::stoull(entry(it->second, "length")), ignored);
    if (succeeded(bytes) && tensor.raw_data() == *bytes)
      tensor = it->second;
  }
  return success();
}
} // namespace gensyn
