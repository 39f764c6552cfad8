// What is checked of a model before it is trained.
#ifndef GENSYN_RUNTIME_MODELS_TRAININGCHECKS_H
#define GENSYN_RUNTIME_MODELS_TRAININGCHECKS_H

#include "gensyn/Runtime/Models/Model.h"

#include <functional>
#include <string>

namespace gensyn::runtime {

/// Returns true if the model of a recipe without a loss has an initialization.
/// Throws a Failure if the model does not define its training: usage if there
/// `lacksRecipe`, else bad input.
bool requireTrainingInfo(const Model &model, bool lacksRecipe);

/// Warns of properties of the model that its user may not expect. A run does
/// not depend on it.
void warnOfTraining(const Model &model,
                    const std::function<void(const std::string &)> &warn);

} // namespace gensyn::runtime

#endif
