// The interface of files of tensors.

#include "gensyn/Executable/Formats/TensorFile.h"

#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/Support/Files.h"

#include <cstring>

namespace gensyn {

std::vector<std::string> TensorFile::names() const {
  std::vector<std::string> result;
  for (const auto &[name, entry] : tensors)
    result.push_back(name);
  return result;
}

const TensorEntry *TensorFile::find(const std::string &name) const {
  auto found = tensors.find(name);
  return found == tensors.end() ? nullptr : &found->second;
}

void TensorFile::requireValid(const std::string &name,
                              const TensorEntry &entry) const {
  if (entry.type == ElementType::I1)
    for (size_t i = 0; i < entry.size; ++i)
      if (entry.data[i] > 1)
        failBadInput(place.string() + ": " + quote(name) + ": element " +
                     std::to_string(i) + " is " +
                     std::to_string(entry.data[i]) + "; a boolean is 0 or 1");
}

Tensor TensorFile::tensor(const std::string &name) const {
  const TensorEntry &entry = tensors.at(name);
  requireValid(name, entry);
  Tensor copy(entry.type, entry.shape);
  if (entry.size)
    std::memcpy(copy.data(), entry.data, entry.size);
  return copy;
}

void TensorFile::read(const std::string &name, uint64_t offset,
                      std::span<std::byte> bytes) const {
  const TensorEntry &entry = tensors.at(name);
  requireValid(name, entry);
  if (bytes.empty())
    return;
  std::memcpy(bytes.data(), entry.data + offset, bytes.size());
  if (entry.isMapped)
    releaseMapped(entry.data + offset, bytes.size());
}

void TensorFile::release(const std::string &name) const {
  if (const TensorEntry &entry = tensors.at(name); entry.isMapped)
    releaseMapped(entry.data, entry.size);
}

void TensorFile::add(const TensorFile &other) {
  for (const auto &[name, entry] : other.tensors)
    if (!tensors.emplace(name, entry).second)
      failBadInput(other.place.string() + ": " + quote(name) + " is also in " +
                   place.string());
  owners.insert(owners.end(), other.owners.begin(), other.owners.end());
}

void TensorFile::rename(const std::string &name) {
  auto only = tensors.extract(tensors.begin());
  only.key() = name;
  tensors.insert(std::move(only));
}

} // namespace gensyn
