// The detection of a file's format.

#include "gensyn/Runtime/OpenTensors.h"

#include "NumpyFiles.h"
#include "gensyn/Executable/Error.h"
#include "gensyn/Executable/SafeTensors.h"

#include <cstring>
#include <fstream>
#include <string_view>

namespace gensyn::runtime {

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
