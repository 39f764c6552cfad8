// Windows of tokens decide a dimension of the model.

#include "Commands.h"
#include "Model.h"

#include "gensyn/Runtime/Json.h"

namespace gensyn::run {

using nlohmann::json;

runtime::DataSource makeDataSource(const Options &options,
                                   const std::vector<std::string> &parts) {
  runtime::DataSource source;
  source.parts = parts;
  source.sequenceLength = options.sequenceLength;
  return source;
}

void bindSequenceLength(Options &options, const Model &model) {
  // A package has the dimensions that it was compiled with.
  if (!options.sequenceLength || model.package())
    return;
  try {
    const json facts = json::parse(model.facts());
    for (const json &input : facts.at("inputs")) {
      const json &shape = input.at("shape");
      if (shape.size() != 2 || !shape[1].is_string())
        continue;
      options.dims.emplace(shape[1].get<std::string>(), options.sequenceLength);
    }
  } catch (const json::exception &) {
    // The model is described in another way: compiling it says what is missing.
  }
}

} // namespace gensyn::run
