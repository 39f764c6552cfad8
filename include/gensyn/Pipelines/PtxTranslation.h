// The translations that end in PTX, for gensyn-translate.

#ifndef GENSYN_PIPELINES_PTXTRANSLATION_H
#define GENSYN_PIPELINES_PTXTRANSLATION_H

#include "gensyn/Runtime/OutputFiles.h"
#include "llvm/Support/raw_ostream.h"

namespace gensyn {

/// Registers --onnx-to-ptx and --mlir-to-ptx with their options --sm, --kind,
/// --recipe, --batch-size, --plan and --header; the files of the last two are
/// added to `outputs`. A translation that fails sets `exitCode` to the code its
/// error asks for, and says on `errors` what is wrong.
void registerPtxTranslations(runtime::OutputFiles &outputs, int &exitCode,
                             llvm::raw_ostream &errors);

/// Notes the models and their data that were read (InputFiles.h).
void noteModelInputs();

} // namespace gensyn

#endif
