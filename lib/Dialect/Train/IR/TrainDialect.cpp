// The train dialect itself: registration and the numbers of its attributes.

#include "gensyn/Dialect/Train/IR/Train.h"

#include "gensyn/Dialect/Repro/IR/BoundedSizes.h"
#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::train;

#include "gensyn/Dialect/Train/IR/TrainAttrInterfaces.cpp.inc"
#include "gensyn/Dialect/Train/IR/TrainDialect.cpp.inc"
#include "gensyn/Dialect/Train/IR/TrainEnums.cpp.inc"
#include "gensyn/Dialect/Train/IR/TrainOpInterfaces.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "gensyn/Dialect/Train/IR/TrainAttributes.cpp.inc"
#define GET_OP_CLASSES
#include "gensyn/Dialect/Train/IR/TrainOps.cpp.inc"

void TrainDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "gensyn/Dialect/Train/IR/TrainAttributes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "gensyn/Dialect/Train/IR/TrainOps.cpp.inc"
      >();
}

FailureOr<FloatAttr> train::parseNumber(AsmParser &parser) {
  double value = 0.0;
  if (parser.parseFloat(value))
    return failure();
  return FloatAttr::get(parser.getBuilder().getF64Type(), value);
}
