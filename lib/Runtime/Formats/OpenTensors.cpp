// Detects the format of a file.

#include "gensyn/Runtime/Formats/OpenTensors.h"

#include "NumpyFiles.h"
#include "gensyn/Executable/Formats/SafeTensors.h"
#include "gensyn/Executable/Support/Error.h"

#include <cstring>
#include <fstream>
#include <string_view>

namespace gensyn::runtime {

/// Rejects other formats that tensors are saved in, recognized by their first
/// bytes; the message says how to convert them.
static void refuseOthers(const std::string &where, std::string_view start) {
  const std::string note =
      "write tensors with safetensors.torch.save_file, or numpy.savez";
  // The length of a safetensors header cannot be this large.
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
  // Reading from a pipe would consume it; opening the file reports the error.
  if (std::filesystem::is_regular_file(path, ignored)) {
    std::ifstream file(path, std::ios::binary);
    file.read(start, sizeof start);
    size = size_t(file.gcount());
  }
  if (size >= 6 && std::memcmp(start, "\x93NUMPY", 6) == 0)
    return NumpyFile(path);
  // A zip file begins with "PK" and two small numbers. As the length of a
  // safetensors header, which a brace follows, this would be too large.
  if (size == 9 && std::memcmp(start, "PK", 2) == 0 && start[8] != '{' &&
      start[2] < 9 && start[3] < 9)
    return NpzFile(path);
  refuseOthers(path.string() + ": ", {start, size});
  return SafeTensors(path);
}

} // namespace gensyn::runtime
