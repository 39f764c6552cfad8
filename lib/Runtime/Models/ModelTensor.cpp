// See ModelTensor.h.

#include "gensyn/Runtime/Models/ModelTensor.h"

#include "gensyn/Executable/Formats/TensorFile.h"
#include "gensyn/Executable/Support/Error.h"

#include <nlohmann/json.hpp>

namespace gensyn::runtime {

std::string ModelTensor::describeShape() const {
  std::string text = "[";
  for (const Dimension &dimension : shape) {
    if (text.size() > 1)
      text += ",";
    text += !dimension.isOpen        ? std::to_string(dimension.size)
            : dimension.name.empty() ? "?"
                                     : dimension.name;
  }
  return text + "]";
}

/// A tensor of the facts about a model; see CompilerApi.h.
static ModelTensor readTensor(const nlohmann::json &json,
                              const std::map<std::string, int64_t> &dims) {
  ModelTensor tensor;
  tensor.name = json.at("name").get<std::string>();
  const auto type = elementTypeFromName(json.at("type").get<std::string>());
  if (!type)
    failUnsupported(quote(tensor.name) + " is not a tensor of a known type");
  tensor.type = *type;
  for (const nlohmann::json &extent : json.at("shape")) {
    ModelTensor::Dimension &dimension = tensor.shape.emplace_back();
    if (extent.is_number_integer()) {
      dimension.size = extent.get<int64_t>();
      continue;
    }
    dimension.isOpen = true;
    dimension.name = extent.is_string() ? extent.get<std::string>() : "";
    if (auto bound = dims.find(dimension.name); bound != dims.end())
      dimension = {bound->second, false, ""};
  }
  return tensor;
}

ModelTensors readModelTensors(const std::string &facts,
                              const std::map<std::string, int64_t> &dims,
                              const std::string &model) {
  ModelTensors tensors;
  try {
    const nlohmann::json json = nlohmann::json::parse(facts);
    for (const nlohmann::json &input : json.at("inputs"))
      tensors.inputs.push_back(readTensor(input, dims));
    for (const nlohmann::json &output : json.at("outputs"))
      tensors.outputs.push_back(readTensor(output, dims));
  } catch (const nlohmann::json::exception &) {
    failBadInput(model + ": its inputs and outputs are not known");
  }
  return tensors;
}

} // namespace gensyn::runtime
