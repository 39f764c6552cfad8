// The translations to PTX, for gensyn-translate.

#ifndef GENSYN_PIPELINES_PTXTRANSLATION_H
#define GENSYN_PIPELINES_PTXTRANSLATION_H

#include "gensyn/Executable/Support/Failure.h"
#include "gensyn/Executable/Support/OutputFiles.h"
#include "llvm/Support/raw_ostream.h"

namespace gensyn {

/// Registers --onnx-to-ptx and --mlir-to-ptx with their options --sm, --kind,
/// --recipe, --batch-size, --plan and --header; the files of the last two are
/// added to `outputs`. A translation that fails sets `exitCode` to the error's
/// exit code and prints the error to `errors`.
void registerPtxTranslations(OutputFiles &outputs, ExitCode &exitCode,
                             std::string &numberProblem,
                             llvm::raw_ostream &errors);

/// Records the models and their data files that were read (InputFiles.h).
void noteModelInputs();

} // namespace gensyn

#endif
