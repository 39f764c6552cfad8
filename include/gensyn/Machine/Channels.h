// Links that wait for each other. A packet holds a link until there is room in
// the next one of its way, so each way makes links wait for those after them; a
// cycle of such waits can stand still for ever.

#ifndef GENSYN_MACHINE_CHANNELS_H
#define GENSYN_MACHINE_CHANNELS_H

#include <cstdint>
#include <span>
#include <vector>

namespace gensyn::machine {

class ChannelDependencies {
public:
  /// Numbers of links are below `links`.
  explicit ChannelDependencies(uint32_t links) : next(links) {}

  /// Link `from` waits for link `to`.
  void add(uint32_t from, uint32_t to);
  /// Each link of a path waits for the one after it.
  void addPath(std::span<const uint32_t> path);

  /// Links of which each waits for the next one, and the last one for the
  /// first; empty if there is no cycle. The same one for the same dependencies,
  /// in whatever order they were added.
  std::vector<uint32_t> findCycle();

private:
  /// Of each link those that it waits for.
  std::vector<std::vector<uint32_t>> next;
};

} // namespace gensyn::machine

#endif
