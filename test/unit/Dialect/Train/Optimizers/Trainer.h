// Runs one optimizer on one parameter, step by step, on the reference.

#ifndef GENSYN_TEST_UNIT_DIALECT_TRAIN_OPTIMIZERS_TRAINER_H
#define GENSYN_TEST_UNIT_DIALECT_TRAIN_OPTIMIZERS_TRAINER_H

#include "../../Harness.h"
#include "gensyn/Dialect/Train/IR/Train.h"

namespace gensyn::train::test {

/// A program of one parameter and its rule, and the rule's states.
class Trainer {
public:
  /// `rule` is an attribute's text, `type` f32 or f64.
  Trainer(double rate, const std::string &rule, mlir::RankedTensorType type);

  /// The parameter after one more step. Fails the test where the program does
  /// not compile.
  Tensor step(const Tensor &parameter, const Tensor &gradient);

  /// The rule's own state of that index, then the shared ones.
  const Tensor &state(size_t index) const { return states.at(index); }

private:
  mlir::OwningOpRef<mlir::ModuleOp> module;
  Tensor rate;
  std::vector<Tensor> states;
};

} // namespace gensyn::train::test

#endif
