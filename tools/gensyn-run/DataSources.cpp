// Opens the samples that the command line names.

#include "Commands.h"

namespace gensyn::run {

runtime::DataSource makeDataSource(const Options &options,
                                   const std::vector<std::string> &parts) {
  runtime::DataSource source;
  source.parts = parts;
  source.sequenceLength = options.sequenceLength;
  return source;
}

} // namespace gensyn::run
