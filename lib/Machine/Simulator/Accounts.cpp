// Sums up energies and bytes; see Accounts.h.

#include "Accounts.h"

#include <algorithm>

namespace gensyn::machine {

Wide standbyPower(const Description &machine) {
  Wide power = 0;
  for (uint32_t core = 0; core < machine.cores.size(); ++core)
    if (!machine.cores[core].isDead)
      power += Wide(factor(machine.kindOf(core).idle.value)) +
               factor(machine.memoryOf(core).standby.value);
  for (const MemoryKind &memory : machine.memories)
    if (!memory.nodes.empty())
      power += factor(memory.standby.value);
  return power;
}

Accounts::Accounts(const Description &machine, const Resources &numbers,
                   size_t launches)
    : resources(numbers.size()), machine(machine), numbers(numbers),
      power(standbyPower(machine)), launches(launches) {
  statistics.cores.resize(machine.cores.size());
  statistics.launches.resize(launches);
  statistics.linkBytes.resize(machine.network.links.size());
  statistics.linkBusy.resize(machine.network.links.size());
  statistics.memoryBytes.resize(machine.memories.size());
  statistics.memoryBusy.resize(machine.memories.size());
  statistics.use.bytesRead.resize(machine.memories.size());
  statistics.use.bytesWritten.resize(machine.memories.size());
}

void Accounts::add(const Program &program, uint32_t launch, const Cost &cost,
                   uint64_t runs) {
  auto wide = [&](int64_t value) { return product(factor(value), runs); };
  units += wide(cost.units);
  coreMemories += wide(cost.coreMemories);
  sharedMemories += wide(cost.sharedMemories);
  links += wide(cost.links);
  launches[launch] += wide(cost.units) + wide(cost.coreMemories) +
                      wide(cost.sharedMemories) + wide(cost.links);
  LaunchStatistics &sums = statistics.launches[launch];
  sums.bytesRead += cost.bytesRead * runs;
  sums.bytesWritten += cost.bytesWritten * runs;
  EnergyUse &use = statistics.use;
  if (cost.isCopy) {
    use.bytesRead[cost.source] += cost.sourceBytes * runs;
    use.bytesWritten[cost.target] += cost.targetBytes * runs;
  } else {
    use.computations[{cost.source, cost.target}] += runs;
  }
  for (uint32_t i = 0; i < cost.traffic; ++i) {
    const Traffic &traffic = program.traffic[cost.firstTraffic + i];
    if (traffic.resource >= numbers.links())
      (traffic.isRead ? use.bytesRead
                      : use.bytesWritten)[numbers.memoryOf(traffic.resource)] +=
          traffic.bytes * runs;
    ResourceState &resource = resources[traffic.resource];
    resource.bytes += traffic.bytes * runs;
    resource.busy =
        limited(Wide(resource.busy) + product(factor(traffic.busy), runs));
  }
}

void Accounts::addSignals(uint32_t launch, uint64_t count) {
  const Wide energy =
      product(count, factor(machine.network.signalEnergy.value));
  signals += energy;
  statistics.use.signals += count;
  launches[launch] += energy;
}

/// Adds the change of a sum so many times.
template <class Sum>
static void addAgain(Sum &now, Sum before, uint64_t times) {
  now += (now - before) * static_cast<Sum>(times);
}

static void addAgain(QueueTime &now, const QueueTime &before, uint64_t times) {
  addAgain(now.busy, before.busy, times);
  addAgain(now.waiting, before.waiting, times);
  addAgain(now.waitingForOthers, before.waitingForOthers, times);
}

static void addAgain(EnergyUse &now, const EnergyUse &before, uint64_t times) {
  for (size_t i = 0; i < now.bytesRead.size(); ++i) {
    addAgain(now.bytesRead[i], before.bytesRead[i], times);
    addAgain(now.bytesWritten[i], before.bytesWritten[i], times);
  }
  for (auto &[body, count] : now.computations) {
    const auto found = before.computations.find(body);
    addAgain(count, found == before.computations.end() ? 0 : found->second,
             times);
  }
  addAgain(now.signals, before.signals, times);
}

/// Adds the change of a launch's sums to those of another one.
static void addChange(LaunchStatistics &sums, const LaunchStatistics &now,
                      const LaunchStatistics &before) {
  sums.runs += now.runs - before.runs;
  for (auto time : {&LaunchStatistics::span, &LaunchStatistics::compute,
                    &LaunchStatistics::copy, &LaunchStatistics::linkWait,
                    &LaunchStatistics::memoryWait})
    sums.*time += now.*time - before.*time;
  sums.bytesRead += now.bytesRead - before.bytesRead;
  sums.bytesWritten += now.bytesWritten - before.bytesWritten;
  if (now.runs != before.runs)
    sums.cores = now.cores;
  for (auto time : {&PathTime::work, &PathTime::issue, &PathTime::inPlace,
                    &PathTime::engine, &PathTime::memories, &PathTime::links,
                    &PathTime::latencies, &PathTime::signals})
    sums.path.*time += now.path.*time - before.path.*time;
}

void Accounts::append(const Accounts &part) {
  const Accounts nothing(machine, numbers, launches.size());
  const Statistics &none = nothing.statistics, &more = part.statistics;
  statistics.time += more.time;
  statistics.events += more.events;
  statistics.handledEvents += more.handledEvents;
  for (size_t i = 0; i < more.use.bytesRead.size(); ++i) {
    statistics.use.bytesRead[i] += more.use.bytesRead[i];
    statistics.use.bytesWritten[i] += more.use.bytesWritten[i];
  }
  for (const auto &[body, count] : more.use.computations)
    statistics.use.computations[body] += count;
  statistics.use.signals += more.use.signals;
  for (auto sum :
       {&Accounts::units, &Accounts::coreMemories, &Accounts::sharedMemories,
        &Accounts::links, &Accounts::signals, &Accounts::standby})
    this->*sum += part.*sum;
  for (size_t i = 0; i < statistics.cores.size(); ++i) {
    CoreStatistics &core = statistics.cores[i];
    const CoreStatistics &other = more.cores[i];
    for (auto queue : {&CoreStatistics::compute, &CoreStatistics::copy}) {
      (core.*queue).busy += (other.*queue).busy;
      (core.*queue).waiting += (other.*queue).waiting;
      (core.*queue).waitingForOthers += (other.*queue).waitingForOthers;
    }
    core.bytesIn += other.bytesIn;
    core.bytesOut += other.bytesOut;
    core.memoryPeak = std::max(core.memoryPeak, other.memoryPeak);
    core.energy = limited(factor(core.energy) + Wide(factor(other.energy)));
  }
  // All of them are free at the end.
  for (size_t i = 0; i < resources.size(); ++i) {
    resources[i].free = statistics.time;
    resources[i].busy += part.resources[i].busy;
    resources[i].bytes += part.resources[i].bytes;
  }
  for (size_t i = 0; i < launches.size(); ++i) {
    launches[i] += part.launches[i];
    addChange(statistics.launches[i], more.launches[i], none.launches[i]);
  }
}

void Accounts::repeatLaunches(const Accounts &before, const Accounts &after,
                              const mapping::Segment &segment,
                              uint32_t repetition) {
  auto launchOf = [&](uint32_t number, int place) {
    return number ? segment.repetitions(static_cast<int>(number) - 1)
                        .launches(place)
                  : segment.launches(place);
  };
  auto add = [&](uint32_t first, uint32_t other) {
    launches[other] += after.launches[first] - before.launches[first];
    addChange(statistics.launches[other], after.statistics.launches[first],
              before.statistics.launches[first]);
  };
  for (int i = 0; i < segment.launches_size(); ++i) {
    add(launchOf(0, i), launchOf(repetition, i));
    if (repetition < static_cast<uint32_t>(segment.repetitions_size()))
      add(launchOf(1, i), launchOf(repetition + 1, i));
  }
}

void Accounts::repeat(const Accounts &before, const mapping::Segment &segment,
                      uint32_t times) {
  const Accounts after = *this;
  const Statistics &was = before.statistics;
  addAgain(statistics.time, was.time, times);
  addAgain(statistics.events, was.events, times);
  addAgain(statistics.use, was.use, times);
  for (auto sum :
       {&Accounts::units, &Accounts::coreMemories, &Accounts::sharedMemories,
        &Accounts::links, &Accounts::signals, &Accounts::standby})
    addAgain(this->*sum, before.*sum, times);
  for (size_t i = 0; i < statistics.cores.size(); ++i) {
    CoreStatistics &core = statistics.cores[i];
    addAgain(core.compute, was.cores[i].compute, times);
    addAgain(core.copy, was.cores[i].copy, times);
    addAgain(core.bytesIn, was.cores[i].bytesIn, times);
    addAgain(core.bytesOut, was.cores[i].bytesOut, times);
    addAgain(core.energy, was.cores[i].energy, times);
  }
  for (size_t i = 0; i < resources.size(); ++i) {
    ResourceState &resource = resources[i];
    const int64_t more = resource.busy - before.resources[i].busy;
    // Accesses in place may overlap, and take longer than the segment.
    constexpr Wide most = Wide(1) << 60;
    resource.busy = static_cast<int64_t>(
        std::min(Wide(resource.busy) + product(factor(more), times), most));
    addAgain(resource.bytes, before.resources[i].bytes, times);
  }
  for (uint32_t repetition = 1; repetition <= times; ++repetition)
    repeatLaunches(before, after, segment, repetition);
}

const Statistics &Accounts::finish() {
  // Far more than any machine needs, and six of them still fit together.
  constexpr Wide most = Wide(1) << 60;
  auto narrow = [](Wide value) {
    return static_cast<int64_t>(value < most ? value : most);
  };
  Energy &energy = statistics.energy;
  energy.units = narrow(units);
  energy.coreMemories = narrow(coreMemories);
  energy.sharedMemories = narrow(sharedMemories);
  energy.links = narrow(links);
  energy.signals = narrow(signals);
  energy.standby = narrow(standby / 1'000'000);
  for (uint32_t link = 0; link < numbers.links(); ++link) {
    statistics.linkBytes[link] = resources[link].bytes;
    statistics.linkBusy[link] = resources[link].busy;
  }
  for (uint32_t memory = 0; memory < machine.memories.size(); ++memory) {
    const size_t ports = machine.memories[memory].nodes.size();
    const ResourceState *port = resources.data() + numbers.firstPort(memory);
    uint64_t bytes = 0;
    Wide busy = 0;
    for (size_t i = 0; i < ports; ++i) {
      bytes += port[i].bytes;
      busy += static_cast<Wide>(port[i].busy);
    }
    statistics.memoryBytes[memory] = bytes;
    statistics.memoryBusy[memory] =
        ports ? static_cast<int64_t>(busy / ports) : 0;
  }
  for (size_t i = 0; i < launches.size(); ++i)
    statistics.launches[i].energy = narrow(launches[i]);
  return statistics;
}

} // namespace gensyn::machine
