// The options of a model that decide which program it becomes, as a run records
// them.
#ifndef GENSYN_RUNTIME_MODELS_PROGRAMOPTIONS_H
#define GENSYN_RUNTIME_MODELS_PROGRAMOPTIONS_H

#include "gensyn/Executable/Support/Json.h"
#include "gensyn/Runtime/Models/ModelOptions.h"

#include <string>

namespace gensyn::runtime {

/// An object of those that are not the default: "dims" (sizes by names),
/// "accuracy", "integer_sums", and "symbolic_seed" where weights are symbolic.
/// Null if all are the default.
OrderedJson recordProgramOptions(const ModelOptions &options);

/// Sets the options that a run recorded, but for those that are given already.
/// `recorded` is from the file of this name, and may be null. Throws a Failure
/// (bad input) for what is no such object.
void applyProgramOptions(const nlohmann::json &recorded,
                         const std::string &file, ModelOptions &options);

} // namespace gensyn::runtime

#endif
