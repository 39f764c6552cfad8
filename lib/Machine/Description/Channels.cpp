// Finds cycles among links that wait for each other; see Channels.h.

#include "gensyn/Machine/Channels.h"

#include <algorithm>

namespace gensyn::machine {

void ChannelDependencies::add(uint32_t from, uint32_t to) {
  if (next[from].empty() || next[from].back() != to)
    next[from].push_back(to);
}

void ChannelDependencies::addPath(std::span<const uint32_t> path) {
  for (size_t i = 1; i < path.size(); ++i)
    add(path[i - 1], path[i]);
}

std::vector<uint32_t> ChannelDependencies::findCycle() {
  for (std::vector<uint32_t> &links : next) {
    std::sort(links.begin(), links.end());
    links.erase(std::unique(links.begin(), links.end()), links.end());
  }
  enum class State : uint8_t { New, Open, Done };
  std::vector<State> states(next.size(), State::New);
  // A walk in depth: links, and how many of those after each were looked at.
  std::vector<uint32_t> walk;
  std::vector<size_t> places;
  for (uint32_t first = 0; first < next.size(); ++first) {
    if (states[first] != State::New)
      continue;
    walk = {first};
    places = {0};
    states[first] = State::Open;
    while (!walk.empty()) {
      const uint32_t link = walk.back();
      if (places.back() == next[link].size()) {
        states[link] = State::Done;
        walk.pop_back();
        places.pop_back();
        continue;
      }
      const uint32_t other = next[link][places.back()++];
      if (states[other] == State::Open)
        return {std::find(walk.begin(), walk.end(), other), walk.end()};
      if (states[other] == State::Done)
        continue;
      states[other] = State::Open;
      walk.push_back(other);
      places.push_back(0);
    }
  }
  return {};
}

} // namespace gensyn::machine
