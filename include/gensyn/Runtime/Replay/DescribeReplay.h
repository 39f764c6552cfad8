// A replay in words, for the terminal, JSON and the page.
#ifndef GENSYN_RUNTIME_REPLAY_DESCRIBEREPLAY_H
#define GENSYN_RUNTIME_REPLAY_DESCRIBEREPLAY_H

#include "gensyn/Executable/Support/Json.h"
#include "gensyn/Runtime/Replay/Replay.h"

#include <string>
#include <vector>

namespace gensyn::runtime {

struct ReplayLine {
  /// "step", "op", "operand"; empty for a further line of the same.
  std::string term;
  std::string text;
};

/// The findings, in the order of a reader's questions. `first` and `second`
/// name the sides.
std::vector<ReplayLine> describeReplay(const ReplayResult &result,
                                       const std::string &first,
                                       const std::string &second);

/// The findings as an object.
OrderedJson toJson(const ReplayResult &result);

} // namespace gensyn::runtime

#endif
