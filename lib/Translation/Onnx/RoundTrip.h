// A translation for tests: sends many models through the dialect and back in
// one process.
#ifndef GENSYN_LIB_TRANSLATION_ONNX_ROUNDTRIP_H
#define GENSYN_LIB_TRANSLATION_ONNX_ROUNDTRIP_H

#include "mlir/Support/LLVM.h"
#include "llvm/Support/raw_ostream.h"

namespace gensyn {
/// For each line "input<TAB>output" of `list`: imports the model, verifies,
/// prints and parses its text, compares, and writes it back. Prints
/// "input<TAB>ok" or the error.
mlir::LogicalResult roundTripAll(llvm::StringRef list, llvm::raw_ostream &os);
} // namespace gensyn

#endif
