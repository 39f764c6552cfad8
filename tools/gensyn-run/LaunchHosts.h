// The machines of a launch, of which some may be lost.
#ifndef GENSYN_TOOLS_GENSYN_RUN_LAUNCHHOSTS_H
#define GENSYN_TOOLS_GENSYN_RUN_LAUNCHHOSTS_H

#include "gensyn/Communication/Mpirun.h"

#include <functional>
#include <set>
#include <string>
#include <vector>

namespace gensyn::run {

/// Returns the hosts on which `mpirun` cannot start a program within so many
/// seconds. `pause` waits for some of them, and returns how long that was, or
/// a negative number if the launch is to end; then nothing is found.
std::set<std::string> findUnreachable(const communication::Mpirun &mpirun,
                                      const communication::RanksToStart &start,
                                      double seconds,
                                      const std::function<double()> &pause);

/// Returns the name in the file of hosts for the name that a machine has
/// itself, `node1` for `node1.cluster` or the other way round; empty if there
/// is none.
std::string findHost(const communication::RanksToStart &start,
                     const std::string &machine);

/// Removes the number of groups from the words of `--parallel`: there are as
/// many as the ranks make.
void removeGroups(std::vector<std::string> &words);

} // namespace gensyn::run

#endif
