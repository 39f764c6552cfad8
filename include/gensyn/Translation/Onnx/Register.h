// The translations of ONNX for gensyn-translate.
#pragma once

#include "llvm/Support/raw_ostream.h"

#include <string>
#include <vector>

namespace gensyn {
/// Registers --onnx-to-mlir, --mlir-to-onnx and --onnx-round-trip with their
/// options. A translation that fails sets `exitCode` to the code its error asks
/// for, and says on `errors` what is wrong.
void registerOnnxTranslations(int &exitCode, llvm::raw_ostream &errors);

/// What the user gave as --dim, "name=size" each, for other translations of
/// ONNX models.
std::vector<std::string> getDimensionTexts();
} // namespace gensyn
