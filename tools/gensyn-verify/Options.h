// The command line of gensyn-verify.
#ifndef GENSYN_TOOLS_GENSYN_VERIFY_OPTIONS_H
#define GENSYN_TOOLS_GENSYN_VERIFY_OPTIONS_H

#include "gensyn/Runtime/Data/DataSource.h"
#include "gensyn/Runtime/Models/ModelOptions.h"

#include <cstdint>
#include <filesystem>
#include <optional>

namespace gensyn::verify {

enum class Command { None, Show, Check };

struct Options : runtime::ModelOptions {
  Command command = Command::None;
  std::filesystem::path run;
  runtime::DataSource data, evalData;
  std::filesystem::path parameters;
  /// check: segments to repeat (0: all), and which ones; nothing: as chance
  /// has it.
  int64_t segments = 5;
  std::optional<uint64_t> seed;
  bool json = false;
  bool quiet = false;
};

/// Parses the command line. For help or version, prints it and leaves `command`
/// at None. Throws a Failure (usage).
Options parseOptions(int argc, char **argv);

} // namespace gensyn::verify

#endif
