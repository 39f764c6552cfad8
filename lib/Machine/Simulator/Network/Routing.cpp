// Deadlocks of links and entries of routers; see Routing.h.

#include "Routing.h"

#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Machine/Channels.h"
#include "gensyn/Machine/RoutingEntries.h"

#include <algorithm>
#include <vector>

namespace gensyn::machine {

/// Of a tree, each link waits for those that begin at its end.
static void addWaits(const Description &machine, const mapping::Path &path,
                     ChannelDependencies &waits) {
  const std::vector<Link> &links = machine.network.links;
  for (int i = 1; i < path.links_size(); ++i)
    for (int before = i; before-- > 0;)
      if (links[path.links(before)].to == links[path.links(i)].from) {
        waits.add(path.links(before), path.links(i));
        break;
      }
}

static void checkDeadlock(const Subject &subject) {
  const std::vector<Link> &links = subject.machine.network.links;
  ChannelDependencies waits(static_cast<uint32_t>(links.size()));
  for (const mapping::Path &path : subject.mapping.paths())
    addWaits(subject.machine, path, waits);
  const std::vector<uint32_t> cycle = waits.findCycle();
  if (cycle.empty())
    return;
  constexpr size_t mostListed = 6;
  std::string text;
  for (size_t i = 0; i < std::min(cycle.size(), mostListed); ++i)
    text += (i ? ", " : "") + std::to_string(cycle[i]) + " from node " +
            std::to_string(links[cycle[i]].from) + " to node " +
            std::to_string(links[cycle[i]].to);
  failBadInput("mapping: deadlock of links: on its paths " +
               std::to_string(cycle.size()) +
               " links wait for each other in a circle: " + text +
               (cycle.size() > mostListed ? ", ..." : ""));
}

void checkRouting(const Subject &subject) {
  checkDeadlock(subject);
  const auto limit =
      static_cast<uint64_t>(subject.machine.network.entries.value);
  if (!limit)
    return;
  const RoutingEntries entries =
      countRoutingEntries(subject.machine, subject.mapping);
  if (entries.most > limit)
    failUnsupported(
        "mapping: its multicasts need " + std::to_string(entries.most) +
            " routing entries in chip " + std::to_string(entries.chip) +
            ", whose router has " + std::to_string(limit),
        "a mapping without task-multicast needs none");
}

} // namespace gensyn::machine
