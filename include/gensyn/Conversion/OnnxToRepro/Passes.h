// The conversion from the onnx dialect to repro, and the list of supported
// operators.

#ifndef GENSYN_CONVERSION_ONNXTOREPRO_PASSES_H
#define GENSYN_CONVERSION_ONNXTOREPRO_PASSES_H

#include "mlir/Pass/Pass.h"

#include "llvm/Support/raw_ostream.h"

#include <memory>

namespace gensyn {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "gensyn/Conversion/OnnxToRepro/Passes.h.inc"

/// True if the conversion has an entry for an operator of `domain` ("" or
/// "ai.onnx" is the default one) whose meaning was introduced by version
/// `since` of its operator set. The entry may still refuse some forms of the
/// operator, such as an axis that is only known at run time.
bool isConvertible(llvm::StringRef domain, llvm::StringRef opType, int since);

/// Prints a Markdown table with a row for each operator of the default domain:
/// the versions that are converted, those that are expanded by the body of
/// their schema, and those that are unsupported.
void printSupportTable(llvm::raw_ostream &os);
} // namespace gensyn

#endif
