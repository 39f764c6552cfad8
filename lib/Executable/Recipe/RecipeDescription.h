// Descriptions of a recipe's objects, whatever they contain.
#ifndef GENSYN_LIB_EXECUTABLE_RECIPEDESCRIPTION_H
#define GENSYN_LIB_EXECUTABLE_RECIPEDESCRIPTION_H

#include <nlohmann/json.hpp>

#include <string>

namespace gensyn {

/// Returns "SGD (lr 0.1, momentum 0.9, nesterov)" for an object with a `kind`;
/// `lr` comes first, false flags are omitted.
std::string describeObject(const nlohmann::json &object);

/// Returns "mse of 'y' against 'target', mean, delta 0.5" for a `loss`.
std::string describeLoss(const nlohmann::json &loss);

} // namespace gensyn

#endif
