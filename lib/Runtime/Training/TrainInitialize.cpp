// Initial values of tensors that the model computes itself.

#include "Trainer.h"
#include "gensyn/Executable/Support/Error.h"

namespace gensyn::runtime {

/// The step number of the initialization's random values: the last one, so that
/// no step of a run samples the same values (algorithm_r2).
static constexpr int64_t kInitialStep = 0xffffffff;

/// Runs the program "initialize" and stores its outputs in the tensors of the
/// same names. The names of its own initializers mean nothing to the training
/// program.
void Trainer::initialize() {
  ParameterStore own;
  Session session(source({ProgramKind::Initialize}), own);
  StepInputs inputs;
  inputs.step = kInitialStep;
  inputs.seed = recipe.seed;
  session.run(inputs);
  const std::vector<Port> &ports = session.signature().outputs;
  for (size_t j = 0; j < ports.size(); ++j) {
    if (!store.has(ports[j].name))
      continue; // no step reads it
    Value &value = store.value(ports[j].name);
    if (value.elementType() != ports[j].type || value.shape() != ports[j].shape)
      failBadInput(
          options.model.string() +
          ": training_info[0].initialization_binding: " + quote(ports[j].name) +
          " is " + longName(value.elementType()) +
          describeShape(value.shape()) + ", and its initial value " +
          longName(ports[j].type) + describeShape(ports[j].shape));
    value = Value(Tensor(session.output(j)));
  }
}

} // namespace gensyn::runtime
