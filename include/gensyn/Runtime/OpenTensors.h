// Files of tensors, in whichever format.
#ifndef GENSYN_RUNTIME_OPENTENSORS_H
#define GENSYN_RUNTIME_OPENTENSORS_H

#include "gensyn/Executable/TensorFile.h"

#include <filesystem>

namespace gensyn::runtime {

/// Opens a safetensors file, an .npz file, or an .npy file, whose tensor gets
/// the file's name without `.npy`. The contents say which it is. All that a
/// header says is checked. Throws a Failure: I/O, bad input, or unsupported.
TensorFile openTensors(const std::filesystem::path &path);

} // namespace gensyn::runtime

#endif
