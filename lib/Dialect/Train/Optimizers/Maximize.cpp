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

SmallVector<Value> MaximizeAttr::buildAdvance(repro::FormulaBuilder &f,
                                              ValueRange shared) const {
  return getRule().buildAdvance(f, shared);
}

SmallVector<Value> MaximizeAttr::buildUpdate(repro::FormulaBuilder &f,
                                             const UpdateInputs &in) const {
  UpdateInputs upwards = in;
  upwards.gradient = f.neg(in.gradient);
  return getRule().buildUpdate(f, upwards);
}
