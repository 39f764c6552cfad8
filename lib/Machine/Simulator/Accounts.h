// The sums of a simulation, exact until they are read.

#ifndef GENSYN_LIB_MACHINE_SIMULATOR_ACCOUNTS_H
#define GENSYN_LIB_MACHINE_SIMULATOR_ACCOUNTS_H

#include "Program.h"

#include "gensyn/Machine/Simulator.h"
#include "gensyn/Machine/Times.h"

#include <cstdint>
#include <vector>

namespace gensyn::machine {

/// A link or a port.
struct ResourceState {
  /// The time from which on it is free.
  int64_t free = 0;
  int64_t busy = 0;
  uint64_t bytes = 0;
};

/// Of what is on without doing anything, in nanowatts.
Wide standbyPower(const Description &machine);

class Accounts {
public:
  Accounts(const Description &machine, const Resources &numbers,
           size_t launches);

  /// Adds what a task of a launch costs, for so many runs of it.
  void add(const Program &program, uint32_t launch, const Cost &cost,
           uint64_t runs = 1);
  /// Adds the energy of links of a launch's copy.
  void addLinks(uint32_t launch, Wide energy) {
    links += energy;
    launches[launch] += energy;
  }
  /// Adds signals that a task of a launch sends.
  void addSignals(uint32_t launch, uint64_t count);
  /// Adds the power of what is on without doing anything.
  void addStandby(int64_t time) {
    standby += product(power, static_cast<uint64_t>(time));
  }

  /// Adds once more what the first repetition of a segment added since
  /// `before`, for each of `times` further ones, to the launches of these; what
  /// it added to those of the second one, which it did ahead for them, to those
  /// of the next ones.
  void repeat(const Accounts &before, const mapping::Segment &segment,
              uint32_t times);

  /// Adds what was simulated apart, from a time of 0 on, after this.
  void append(const Accounts &part);

  /// Everything but energies, links and memories, which `finish` sets.
  Statistics statistics;
  std::vector<ResourceState> resources;
  const Statistics &finish();

private:
  void repeatLaunches(const Accounts &before, const Accounts &after,
                      const mapping::Segment &segment, uint32_t repetition);

  const Description &machine;
  const Resources &numbers;
  Wide units = 0, coreMemories = 0, sharedMemories = 0, links = 0, signals = 0;
  /// Nanowatts, and nanowatts times picoseconds.
  Wide power = 0, standby = 0;
  std::vector<Wide> launches;
};

} // namespace gensyn::machine

#endif
