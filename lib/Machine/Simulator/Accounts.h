// The sums of a simulation, exact until they are read.

#ifndef GENSYN_LIB_MACHINE_SIMULATOR_ACCOUNTS_H
#define GENSYN_LIB_MACHINE_SIMULATOR_ACCOUNTS_H

#include "Program.h"

#include "gensyn/Machine/Simulator.h"
#include "gensyn/Machine/Times.h"

#include <cstdint>
#include <vector>

namespace gensyn::machine {

class Accounts {
public:
  Accounts(const Description &machine, size_t launches);

  void add(const Program &program, uint32_t launch, const Cost &cost);
  /// Adds signals that a task of a launch sends.
  void addSignals(uint32_t launch, uint64_t count);
  /// Adds the power of what is on without doing anything.
  void addStandby(int64_t time) {
    standby += product(power, static_cast<uint64_t>(time));
  }

  /// Everything but energies, which `finish` sets.
  Statistics statistics;
  const Statistics &finish();

private:
  const Description &machine;
  Wide units = 0, coreMemories = 0, sharedMemories = 0, links = 0, signals = 0;
  /// Nanowatts, and nanowatts times picoseconds.
  Wide power = 0, standby = 0;
  std::vector<Wide> launches;
};

} // namespace gensyn::machine

#endif
