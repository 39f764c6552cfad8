// The interface of files of tensors, and the detection of their format.

#include "gensyn/Runtime/TensorFile.h"

#include "NumpyFiles.h"
#include "gensyn/Executable/Error.h"
#include "gensyn/Executable/Files.h"
#include "gensyn/Runtime/SafeTensors.h"

#include <cstring>
#include <fstream>
#include <string_view>

namespace gensyn::runtime {

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

Tensor TensorFile::tensor(const std::string &name) const {
  const TensorEntry &entry = tensors.at(name);
  if (entry.type == ElementType::I1)
    for (size_t i = 0; i < entry.size; ++i)
      if (entry.data[i] > 1)
        failBadInput(place.string() + ": " + quote(name) + ": element " +
                     std::to_string(i) + " is " +
                     std::to_string(entry.data[i]) + "; a boolean is 0 or 1");
  Tensor copy(entry.type, entry.shape);
  if (entry.size)
    std::memcpy(copy.data(), entry.data, entry.size);
  return copy;
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

/// Refuses what people save tensors as that is no file of tensors, by its first
/// bytes; each is said with what to do.
static void refuseOthers(const std::string &where, std::string_view start) {
  const std::string note =
      "write tensors with safetensors.torch.save_file, or numpy.savez";
  // As the length of a safetensors header these would be large ones.
  if (start.size() > 2 && start[0] == '\x80' && start[1] >= 2 &&
      start[1] <= 5 && start.back() != '{')
    failBadInput(where + "is a Python pickle, such as torch.save writes, and "
                         "no file of tensors",
                 note);
  if (start.starts_with("\x89HDF"))
    failBadInput(where + "is an HDF5 file, such as Keras writes, and none of "
                         "the formats that are read",
                 note);
}

TensorFile openTensors(const std::filesystem::path &path) {
  char start[9] = {};
  size_t size = 0;
  std::error_code ignored;
  // A pipe must not be read from; who opens the file says what is wrong.
  if (std::filesystem::is_regular_file(path, ignored)) {
    std::ifstream file(path, std::ios::binary);
    file.read(start, sizeof start);
    size = size_t(file.gcount());
  }
  if (size >= 6 && std::memcmp(start, "\x93NUMPY", 6) == 0)
    return NumpyFile(path);
  // "PK" and two small numbers; as the length of a safetensors header, which a
  // brace follows, they would be a large one.
  if (size == 9 && std::memcmp(start, "PK", 2) == 0 && start[8] != '{' &&
      start[2] < 9 && start[3] < 9)
    return NpzFile(path);
  refuseOthers(path.string() + ": ", {start, size});
  return SafeTensors(path);
}

} // namespace gensyn::runtime
