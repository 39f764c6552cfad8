// The ONNX library's exceptions as messages for users.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <exception>
#include <string>

namespace gensyn::onnx {
/// The first line of a message of the ONNX library without what only its
/// developers can read: of a failed assertion the explanation behind it, and no
/// place in a source file. Never empty. Every message of the library goes
/// through this on its way to a user.
std::string describeLibraryError(llvm::StringRef text);
inline std::string describeLibraryError(const std::exception &error) {
  return describeLibraryError(error.what());
}
} // namespace gensyn::onnx
