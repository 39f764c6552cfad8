// The task dialect's ops and types.

#include "gensyn/Dialect/Task/IR/Task.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace gensyn::task;

#include "gensyn/Dialect/Task/IR/TaskDialect.cpp.inc"
#include "gensyn/Dialect/Task/IR/TaskInterfaces.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "gensyn/Dialect/Task/IR/TaskTypes.cpp.inc"
#define GET_OP_CLASSES
#include "gensyn/Dialect/Task/IR/TaskOps.cpp.inc"

void TaskDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "gensyn/Dialect/Task/IR/TaskTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "gensyn/Dialect/Task/IR/TaskOps.cpp.inc"
      >();
}
