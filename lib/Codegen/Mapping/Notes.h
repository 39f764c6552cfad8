// Notes for people about what a mapping did not do.

#ifndef GENSYN_LIB_CODEGEN_MAPPING_NOTES_H
#define GENSYN_LIB_CODEGEN_MAPPING_NOTES_H

#include "gensyn/Executable/mapping.pb.h"
#include "gensyn/Machine/Description.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace gensyn::mapping {

/// Adds a note for each kernel of the program that has fewer parts than there
/// are cores for it, or operands in place.
void addNotes(mlir::func::FuncOp main, const machine::Description &machine,
              Mapping &mapping);

} // namespace gensyn::mapping

#endif
