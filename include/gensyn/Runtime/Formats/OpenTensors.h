// Opens tensor files of any supported format.
#ifndef GENSYN_RUNTIME_FORMATS_OPENTENSORS_H
#define GENSYN_RUNTIME_FORMATS_OPENTENSORS_H

#include "gensyn/Executable/Formats/TensorFile.h"

#include <filesystem>

namespace gensyn::runtime {

/// Opens a safetensors file, an .npz file, or an .npy file, whose tensor gets
/// the file's name without `.npy`. The format is detected from the contents,
/// and the whole header is validated. Throws a Failure: I/O, bad input, or
/// unsupported.
TensorFile openTensors(const std::filesystem::path &path);

} // namespace gensyn::runtime

#endif
