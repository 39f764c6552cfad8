// Registers the translations of ONNX for gensyn-translate.
#ifndef GENSYN_TRANSLATION_ONNX_REGISTER_H
#define GENSYN_TRANSLATION_ONNX_REGISTER_H

#include "gensyn/Executable/Support/Failure.h"
#include "llvm/Support/raw_ostream.h"

#include <string>
#include <vector>

namespace gensyn {
/// Registers --onnx-to-mlir, --mlir-to-onnx and --onnx-round-trip with their
/// options. If a translation fails it sets `exitCode` to the error's exit code,
/// and prints the error to `errors`.
void registerOnnxTranslations(ExitCode &exitCode, llvm::raw_ostream &errors);

/// The values of --dim, "name=size" each, for other translations of ONNX
/// models.
std::vector<std::string> getDimensionTexts();
} // namespace gensyn

#endif
