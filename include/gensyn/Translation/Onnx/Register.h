// The translations of ONNX for gensyn-translate.
#pragma once

namespace gensyn {
/// Registers --onnx-to-mlir, --mlir-to-onnx and --onnx-round-trip with their
/// options. A translation that fails sets `exitCode` to the code its error asks
/// for.
void registerOnnxTranslations(int &exitCode);
} // namespace gensyn
