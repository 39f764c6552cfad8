// See Warnings.h.

#include "Warnings.h"

#include <set>
#include <utility>

namespace gensyn {

static thread_local std::vector<std::string> waiting;

void noteWarning(std::string line) {
  static thread_local std::set<std::string> said;
  if (said.insert(line).second)
    waiting.push_back(std::move(line));
}

std::vector<std::string> takeWarnings() { return std::exchange(waiting, {}); }

} // namespace gensyn
