// Converts exceptions of the ONNX library to messages for users.
#ifndef GENSYN_DIALECT_ONNX_IR_LIBRARYERROR_H
#define GENSYN_DIALECT_ONNX_IR_LIBRARYERROR_H

#include "llvm/ADT/StringRef.h"

#include <exception>
#include <string>

namespace gensyn::onnx {
/// Returns the first line of a message of the ONNX library without details for
/// its developers: of a failed assertion only the explanation, and no source
/// location. Never empty. Every message of the library goes through this
/// function on its way to a user.
std::string describeLibraryError(llvm::StringRef text);
inline std::string describeLibraryError(const std::exception &error) {
  return describeLibraryError(error.what());
}
} // namespace gensyn::onnx

#endif
