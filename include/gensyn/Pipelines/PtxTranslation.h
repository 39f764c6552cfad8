// The translations that end in PTX, for gensyn-translate.

#ifndef GENSYN_PIPELINES_PTXTRANSLATION_H
#define GENSYN_PIPELINES_PTXTRANSLATION_H

namespace gensyn {

/// Registers --onnx-to-ptx and --mlir-to-ptx with their options --sm, --kind,
/// --recipe, --batch-size and --plan. A translation that fails sets `exitCode`
/// to the code its error asks for.
void registerPtxTranslations(int &exitCode);

} // namespace gensyn

#endif
