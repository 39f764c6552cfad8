// Writes safetensors files.

#include "SafeTensorsTypes.h"
#include "gensyn/Executable/Formats/SafeTensors.h"
#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/Support/Json.h"

#include <algorithm>

namespace gensyn {

/// Returns the number of bytes of a tensor in the file.
static uint64_t fileBytes(const TensorHeader &tensor,
                          const std::string &where) {
  const ElementType type = tensor.type;
  if (!dtypeOfType(type))
    failUnsupported(where + "safetensors files have no " + longName(type));
  const auto elements = uint64_t(countElements(tensor.shape).value_or(0));
  if (!isPackedInFiles(type))
    return elements * uint64_t(byteWidth(type));
  const uint64_t bits = elements * uint64_t(bitWidth(type));
  if (bits % 8 != 0)
    failUnsupported(where + std::to_string(elements) + " elements of " +
                    longName(type) + " do not fill whole bytes");
  return bits / 8;
}

TensorHeaders headersOf(const TensorMap &tensors) {
  TensorHeaders headers;
  for (const auto &[name, tensor] : tensors)
    headers.emplace(name, TensorHeader{tensor.elementType(), tensor.shape()});
  return headers;
}

TensorHeaders headersOf(const TensorFile &file) {
  TensorHeaders headers;
  for (const auto &[name, entry] : file.entries())
    headers.emplace(name, TensorHeader{entry.type, entry.shape});
  return headers;
}

std::vector<std::string> orderInSafeTensors(const TensorHeaders &tensors) {
  std::vector<std::string> order;
  for (const auto &[name, tensor] : tensors)
    order.push_back(name);
  std::stable_sort(order.begin(), order.end(),
                   [&](const std::string &a, const std::string &b) {
                     return byteWidth(tensors.at(a).type) >
                            byteWidth(tensors.at(b).type);
                   });
  return order;
}

SafeTensorsLayout layOutSafeTensors(const std::filesystem::path &path,
                                    const TensorHeaders &tensors) {
  if (tensors.contains("__metadata__"))
    failBadInput(path.string() + ": a tensor cannot be called '__metadata__', "
                                 "which means something else in the file");
  SafeTensorsLayout layout;
  OrderedJson header = OrderedJson::object();
  uint64_t offset = 0;
  for (const std::string &name : orderInSafeTensors(tensors)) {
    const TensorHeader &tensor = tensors.at(name);
    uint64_t end =
        offset + fileBytes(tensor, path.string() + ": " + quote(name) + ": ");
    header[name] = {{"dtype", *dtypeOfType(tensor.type)},
                    {"shape", tensor.shape},
                    {"data_offsets", {offset, end}}};
    layout.offsets.emplace(name, offset);
    layout.isPacked |= isPackedInFiles(tensor.type);
    offset = end;
  }
  std::string text;
  try {
    text = header.dump();
  } catch (const nlohmann::json::exception &) {
    failBadInput(path.string() +
                 ": the name of a tensor is not UTF-8, which the file needs");
  }
  text.append((8 - text.size() % 8) % 8, ' ');
  for (int i = 0; i < 8; ++i)
    layout.header += char(uint64_t(text.size()) >> (8 * i));
  layout.header += text;
  for (auto &[name, begin] : layout.offsets)
    begin += layout.header.size();
  layout.size = layout.header.size() + offset;
  return layout;
}

SafeTensorsWriter::SafeTensorsWriter(const std::filesystem::path &path,
                                     const TensorHeaders &tensors) {
  const SafeTensorsLayout layout = layOutSafeTensors(path, tensors);
  for (const std::string &name : orderInSafeTensors(tensors))
    headers.push_back(tensors.at(name));
  file.emplace(path);
  file->write(layout.header);
}

void SafeTensorsWriter::write(const Tensor &tensor) {
  const ElementType type = tensor.elementType();
  if (next >= headers.size() ||
      headers[next++] != TensorHeader{type, tensor.shape()})
    throw Failure(ExitCode::Bug, "a file gets another tensor than it has");
  if (!isPackedInFiles(type)) {
    file->write(tensor.data(), size_t(tensor.byteSize()));
    return;
  }
  const std::vector<uint8_t> packed =
      packElements(tensor.data(), bitWidth(type), size_t(tensor.numElements()));
  file->write(packed.data(), packed.size());
}

void SafeTensorsWriter::commit() {
  if (next != headers.size())
    throw Failure(ExitCode::Bug, "a file lacks tensors");
  file->commit();
}

void writeSafeTensors(const std::filesystem::path &path,
                      const TensorMap &tensors) {
  const TensorHeaders headers = headersOf(tensors);
  SafeTensorsWriter writer(path, headers);
  for (const std::string &name : orderInSafeTensors(headers))
    writer.write(tensors.at(name));
  writer.commit();
}

} // namespace gensyn
