// NumPy's file formats: an array (.npy), and a zip file of them (.npz).
#ifndef GENSYN_LIB_RUNTIME_NUMPYFILES_H
#define GENSYN_LIB_RUNTIME_NUMPYFILES_H

#include "gensyn/Executable/Formats/TensorFile.h"
#include "gensyn/Executable/Support/Files.h"

#include <memory>
#include <string>

namespace gensyn::runtime {

/// An .npy file of version 1 to 3: one tensor, named after the file without
/// `.npy`.
class NumpyFile : public TensorFile {
public:
  explicit NumpyFile(const std::filesystem::path &path);
};

/// An .npz file: a tensor for each member, named after it without `.npy`.
/// Stored members are read in place; deflated ones are decompressed into a
/// temporary file and their checksum is verified.
class NpzFile : public TensorFile {
public:
  explicit NpzFile(const std::filesystem::path &path);
};

/// Parses an array that takes up all of the bytes. Messages begin with `where`,
/// which ends with ": ". Throws a Failure: bad input; unsupported for other
/// element types, other byte orders, and column-major arrays.
TensorEntry readNumpy(const uint8_t *bytes, size_t size,
                      const std::string &where);

/// Decompresses `size` deflated bytes into a temporary file of `unpackedSize`
/// bytes with the given CRC-32. Throws a Failure.
std::shared_ptr<MappedFile> unpackDeflated(const uint8_t *bytes, size_t size,
                                           uint64_t unpackedSize,
                                           uint32_t checksum,
                                           const std::string &where);

} // namespace gensyn::runtime

#endif
