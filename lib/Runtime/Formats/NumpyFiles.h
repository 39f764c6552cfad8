// NumPy's file formats: an array (.npy), and a zip file of them (.npz).
#ifndef GENSYN_LIB_RUNTIME_NUMPYFILES_H
#define GENSYN_LIB_RUNTIME_NUMPYFILES_H

#include "gensyn/Executable/Files.h"
#include "gensyn/Executable/TensorFile.h"

#include <memory>
#include <string>

namespace gensyn::runtime {

/// An .npy file of version 1 to 3: one tensor, named as the file without
/// `.npy`.
class NumpyFile : public TensorFile {
public:
  explicit NumpyFile(const std::filesystem::path &path);
};

/// An .npz file: a tensor for each member, named as that without `.npy`. Stored
/// members stay where they are; deflated ones are unpacked into a temporary
/// file, which is gone when the process ends, and their checksum is verified.
class NpzFile : public TensorFile {
public:
  explicit NpzFile(const std::filesystem::path &path);
};

/// The array in all of the bytes. `where` begins messages, and ends with ": ".
/// Throws a Failure: bad input; unsupported for types that tensors do not have,
/// other byte orders, and columns before rows.
TensorEntry readNumpy(const uint8_t *bytes, size_t size,
                      const std::string &where);

/// A temporary file with what `size` deflated bytes unpack to, which are
/// `unpackedSize` bytes with the given CRC-32. Throws a Failure.
std::shared_ptr<MappedFile> unpackDeflated(const uint8_t *bytes, size_t size,
                                           uint64_t unpackedSize,
                                           uint32_t checksum,
                                           const std::string &where);

} // namespace gensyn::runtime

#endif
