// Writes safetensors files.

#include "SafeTensorsTypes.h"
#include "gensyn/Executable/Formats/SafeTensors.h"
#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/Support/Files.h"
#include "gensyn/Executable/Support/Json.h"

#include <algorithm>

namespace gensyn {

/// Returns the number of bytes of a tensor in the file.
static uint64_t fileBytes(const Tensor &tensor, const std::string &where) {
  const ElementType type = tensor.elementType();
  if (!dtypeOfType(type))
    failUnsupported(where + "safetensors files have no " + longName(type));
  if (!isPackedInFiles(type))
    return tensor.byteSize();
  const uint64_t bits =
      uint64_t(tensor.numElements()) * uint64_t(bitWidth(type));
  if (bits % 8 != 0)
    failUnsupported(where + std::to_string(tensor.numElements()) +
                    " elements of " + longName(type) +
                    " do not fill whole bytes");
  return bits / 8;
}

void writeSafeTensors(const std::filesystem::path &path,
                      const TensorMap &tensors) {
  std::vector<TensorMap::const_iterator> order;
  for (auto it = tensors.begin(); it != tensors.end(); ++it)
    order.push_back(it);
  std::sort(order.begin(), order.end(), [](auto a, auto b) {
    int first = byteWidth(a->second.elementType());
    int second = byteWidth(b->second.elementType());
    return first != second ? first > second : a->first < b->first;
  });

  if (tensors.contains("__metadata__"))
    failBadInput(path.string() + ": a tensor cannot be called '__metadata__', "
                                 "which means something else in the file");
  OrderedJson header = OrderedJson::object();
  uint64_t offset = 0;
  for (auto it : order) {
    const Tensor &tensor = it->second;
    uint64_t end = offset + fileBytes(tensor, path.string() + ": " +
                                                  quote(it->first) + ": ");
    header[it->first] = {{"dtype", *dtypeOfType(tensor.elementType())},
                         {"shape", tensor.shape()},
                         {"data_offsets", {offset, end}}};
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

  uint8_t size[8];
  for (int i = 0; i < 8; ++i)
    size[i] = static_cast<uint8_t>(uint64_t(text.size()) >> (8 * i));
  AtomicFile file(path);
  file.write(size, sizeof(size));
  file.write(text);
  for (auto it : order) {
    const Tensor &tensor = it->second;
    const int width = bitWidth(tensor.elementType());
    if (isPackedInFiles(tensor.elementType())) {
      std::vector<uint8_t> packed =
          packElements(tensor.data(), width, size_t(tensor.numElements()));
      file.write(packed.data(), packed.size());
    } else {
      file.write(tensor.data(), tensor.byteSize());
    }
  }
  file.commit();
}

} // namespace gensyn
