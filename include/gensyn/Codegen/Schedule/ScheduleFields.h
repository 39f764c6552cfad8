// Sizes and flags that a kernel's `schedule` attribute overrides.

#ifndef GENSYN_CODEGEN_SCHEDULE_SCHEDULEFIELDS_H
#define GENSYN_CODEGEN_SCHEDULE_SCHEDULEFIELDS_H

#include "mlir/IR/BuiltinAttributes.h"

#include <string>
#include <utility>

namespace gensyn::codegen {

/// Sets each field to the number (an integer attribute) or the flag (a bool) of
/// its name. Returns false if no field has that name and kind; `error` then
/// says so.
bool readScheduleFields(
    mlir::DictionaryAttr fields,
    llvm::ArrayRef<std::pair<llvm::StringRef, int64_t *>> numbers,
    llvm::ArrayRef<std::pair<llvm::StringRef, bool *>> flags,
    std::string &error);

} // namespace gensyn::codegen

#endif
