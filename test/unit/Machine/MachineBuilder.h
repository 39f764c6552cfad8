// A small machine by hand: cores around one shared memory.
#ifndef GENSYN_TEST_UNIT_MACHINE_MACHINEBUILDER_H
#define GENSYN_TEST_UNIT_MACHINE_MACHINEBUILDER_H

#include "gensyn/Machine/Description.h"

#include <string>
#include <utility>
#include <vector>

namespace gensyn::test {

inline machine::Quantity quantity(int64_t value) {
  machine::Quantity result;
  result.value = result.low = result.high = value;
  return result;
}

inline machine::Rate makeRate(std::string operation,
                              std::vector<std::string> types,
                              int64_t millicycles, int64_t energy) {
  machine::Rate rate;
  rate.operation = std::move(operation);
  rate.types = std::move(types);
  rate.accumulator = quantity(0);
  rate.cycles = quantity(millicycles);
  rate.energy = quantity(energy);
  return rate;
}

/// The links of a star: to a core from the memory at its centre, and back.
inline uint32_t linkTo(uint32_t core) { return 2 * core; }
inline uint32_t linkFrom(uint32_t core) { return 2 * core + 1; }

/// `cores` cores at 1 GHz with 4 KiB each, each connected with node 0, where
/// the ports of a memory of 1 MiB are. Memory 0 is a core's, memory 1 the
/// shared one. Unit 0 is scalar; unit 1 computes 16 x 4 products of i8 in a
/// cycle.
inline machine::Description makeStar(uint32_t cores) {
  machine::Description star;
  star.name = "star";
  star.clocks.push_back({"core", quantity(1'000'000'000)});

  machine::MemoryKind own;
  own.name = "sram";
  own.size = quantity(4096);
  own.readEnergy = quantity(1);
  own.writeEnergy = quantity(2);
  own.standby = quantity(1'000'000);
  star.memories.push_back(own);
  machine::MemoryKind shared;
  shared.name = "dram";
  shared.size = quantity(1 << 20);
  shared.bandwidth = quantity(8'000'000'000);
  shared.latency = quantity(50'000);
  shared.burst = quantity(64);
  shared.readEnergy = quantity(10);
  shared.writeEnergy = quantity(20);
  shared.standby = quantity(5'000'000);
  shared.isAddressable = true;
  shared.nodes = {0};
  star.memories.push_back(shared);

  machine::ComputeUnit scalar;
  scalar.name = "scalar";
  scalar.start = quantity(2'000);
  scalar.rates.push_back(makeRate("float", {"f32"}, 1'000, 7));
  scalar.rates.push_back(makeRate("multiply_add", {}, 3'000, 11));
  scalar.rates.push_back(makeRate("load", {}, 500, 0));
  scalar.rates.push_back(makeRate("store", {}, 1'000, 0));
  star.units.push_back(scalar);
  machine::ComputeUnit array;
  array.name = "array";
  array.start = quantity(20'000);
  machine::Rate products = makeRate("multiply_add", {"i8", "ui8"}, 1'000, 1);
  products.accumulator = quantity(24);
  products.step = {16, 4, 1};
  array.rates.push_back(products);
  star.units.push_back(array);

  machine::CopyEngine engine;
  engine.name = "dma";
  engine.start = quantity(10'000);
  engine.row = quantity(1'000);
  engine.bandwidth = quantity(16'000);
  star.engines.push_back(engine);

  machine::CoreKind kind;
  kind.name = "core";
  kind.units = {0, 1};
  kind.issue = quantity(5'000);
  kind.idle = quantity(3'000'000);
  star.coreKinds.push_back(kind);
  for (uint32_t core = 0; core < cores; ++core) {
    machine::Core made;
    made.node = core + 1;
    star.cores.push_back(made);
    auto addLink = [&](uint32_t from, uint32_t to) {
      machine::Link link;
      link.from = from;
      link.to = to;
      link.bandwidth = quantity(16'000'000'000);
      link.latency = quantity(1'000);
      link.energy = quantity(3);
      star.network.links.push_back(link);
    };
    addLink(0, made.node);
    addLink(made.node, 0);
  }
  star.network.nodes = cores + 1;
  star.network.packet = quantity(256);
  star.network.signal = quantity(20'000);
  star.network.signalEnergy = quantity(100);
  return star;
}

} // namespace gensyn::test

#endif
