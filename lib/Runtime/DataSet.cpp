// Gathers rows of mapped tensors.

#include "gensyn/Runtime/DataSet.h"

#include "gensyn/Runtime/Error.h"

#include <cstring>

namespace gensyn::runtime {

DataSet::DataSet(const std::filesystem::path &path) : tensors(path) {
  std::string where = path.string() + ": ", first;
  for (const auto &[name, entry] : tensors.entries()) {
    if (entry.shape.empty())
      failBadInput(where + quote(name) +
                   " is a scalar; samples lie along the "
                   "first dimension");
    if (first.empty()) {
      first = name;
      count = entry.shape[0];
    } else if (entry.shape[0] != count) {
      failBadInput(where + quote(first) + " has " + std::to_string(count) +
                   " samples, " + quote(name) + " has " +
                   std::to_string(entry.shape[0]));
    }
  }
  if (count == 0)
    failBadInput(where + "there are no samples");
}

TensorMap DataSet::batch(const Signature &signature,
                         std::span<const int64_t> indices) const {
  TensorMap result;
  for (const Port &port : signature.inputs) {
    if (port.role != Role::Input && port.role != Role::Target)
      continue;
    if (port.shape.empty() || port.shape[0] != int64_t(indices.size()))
      throw Failure(ExitCode::Bug, quote(port.name) + " does not hold " +
                                       std::to_string(indices.size()) +
                                       " samples");
    const TensorEntry &entry = *tensors.find(port.name);
    Tensor rows(port.type, port.shape);
    std::byte *next = rows.data();
    size_t rowBytes = entry.size / size_t(count);
    for (int64_t index : indices) {
      if (rowBytes)
        std::memcpy(next, entry.data + size_t(index) * rowBytes, rowBytes);
      next += rowBytes;
    }
    if (port.type == ElementType::I1)
      for (uint8_t byte : std::span(
               reinterpret_cast<const uint8_t *>(std::as_const(rows).data()),
               size_t(rows.byteSize())))
        if (byte > 1)
          failBadInput(tensors.path().string() + ": " + quote(port.name) +
                       " has a boolean that is neither 0 nor 1");
    result.emplace(port.name, std::move(rows));
  }
  return result;
}

} // namespace gensyn::runtime
