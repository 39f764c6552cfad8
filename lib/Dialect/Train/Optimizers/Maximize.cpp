// Maximizes with any rule (optimizer_r8).

#include "gensyn/Dialect/Repro/IR/FormulaBuilder.h"
#include "gensyn/Dialect/Train/IR/Train.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::train;

SmallVector<OptimizerState>
MaximizeAttr::getStates(RankedTensorType type) const {
  return getRule().getStates(type);
}

SmallVector<OptimizerState> MaximizeAttr::getSharedStates() const {
  return getRule().getSharedStates();
}

std::string MaximizeAttr::getRefusal(RankedTensorType type) const {
  return getRule().getRefusal(type);
}

StorageFreedom MaximizeAttr::getStorageFreedom() const {
  return getRule().getStorageFreedom();
}

SmallVector<Value> MaximizeAttr::buildAdvance(OpBuilder &builder,
                                              Location location,
                                              ValueRange shared) const {
  return getRule().buildAdvance(builder, location, shared);
}

SmallVector<Value> MaximizeAttr::buildUpdate(OpBuilder &builder,
                                             Location location, Value parameter,
                                             Value gradient, Value rate,
                                             ValueRange states,
                                             ValueRange shared) const {
  Value upwards = repro::FormulaBuilder(builder, location).neg(gradient);
  return getRule().buildUpdate(builder, location, parameter, upwards, rate,
                               states, shared);
}
