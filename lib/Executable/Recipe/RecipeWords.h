// Objects of a recipe in words, whatever they hold.
#ifndef GENSYN_LIB_EXECUTABLE_RECIPEWORDS_H
#define GENSYN_LIB_EXECUTABLE_RECIPEWORDS_H

#include <nlohmann/json.hpp>

#include <string>

namespace gensyn {

/// "SGD (lr 0.1, momentum 0.9, nesterov)" of an object with a `kind`; `lr`
/// stands first, flags that are false are left out.
std::string describeObject(const nlohmann::json &object);

/// "mse of 'y' against 'target', mean, delta 0.5" of a `loss`.
std::string describeLoss(const nlohmann::json &loss);

} // namespace gensyn

#endif
