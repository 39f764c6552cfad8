// See ProgramPool.h.

#include "ProgramPool.h"

#include <algorithm>

namespace gensyn::runtime {

static bool areSame(const std::vector<GivenTensors::Tensor> &one,
                    const std::vector<GivenTensors::Tensor> &other) {
  return std::equal(
      one.begin(), one.end(), other.begin(), other.end(),
      [](const GivenTensors::Tensor &a, const GivenTensors::Tensor &b) {
        return a.name == b.name && a.shape == b.shape;
      });
}

std::shared_ptr<Session> ProgramPool::find(int64_t samples,
                                           const GivenTensors &given) {
  for (Entry &entry : entries)
    if (entry.samples == samples && areSame(entry.tensors, given.tensors)) {
      entry.lastUse = ++uses;
      return entry.session;
    }
  auto session = std::make_shared<Session>(
      source({kind, samples, given, byAllRanks}), store);
  if (ofAverages)
    session->readAverages();
  if (entries.size() >= kMostPrograms)
    entries.erase(std::min_element(
        entries.begin(), entries.end(),
        [](const Entry &a, const Entry &b) { return a.lastUse < b.lastUse; }));
  entries.push_back({samples, given.tensors, session, ++uses});
  return session;
}

std::shared_ptr<Session> ProgramPool::newest() const {
  const auto found = std::max_element(
      entries.begin(), entries.end(),
      [](const Entry &a, const Entry &b) { return a.lastUse < b.lastUse; });
  return found == entries.end() ? nullptr : found->session;
}

} // namespace gensyn::runtime
