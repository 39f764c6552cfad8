// See FloorPlan.h.

#include "FloorPlan.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gensyn::machine::page {

/// Rectangles of 70 bytes each.
static constexpr size_t mostCells = 9000;

/// Positions from [0, 0] on.
static std::vector<std::array<int32_t, 2>>
findPlaces(const Description &machine) {
  const Network &network = machine.network;
  if (network.places.size() == network.nodes)
    return network.places;
  std::vector<std::array<int32_t, 2>> places;
  const auto columns = static_cast<uint32_t>(
      std::ceil(std::sqrt(static_cast<double>(network.nodes))));
  for (uint32_t i = 0; i < network.nodes; ++i)
    places.push_back(
        {static_cast<int32_t>(i % columns), static_cast<int32_t>(i / columns)});
  return places;
}

FloorPlan::FloorPlan(const Description &machine) {
  const std::vector<std::array<int32_t, 2>> places = findPlaces(machine);
  const size_t count = machine.network.nodes;
  std::vector<std::vector<uint32_t>> coresOfNode(count);
  for (uint32_t core = 0; core < machine.cores.size(); ++core)
    coresOfNode[machine.cores[core].node].push_back(core);
  chipOfNode.resize(count);
  hasCores.resize(count);
  size_t used = 0;
  // Nodes of chips follow each other.
  const size_t each = std::max<size_t>(count / machine.chips, 1);
  for (size_t i = 0; i < count; ++i) {
    hasCores[i] = !coresOfNode[i].empty();
    used += hasCores[i];
    chipOfNode[i] =
        static_cast<uint32_t>(std::min<size_t>(i / each, machine.chips - 1));
  }
  level = machine.cores.size() <= mostCells ? Level::Core
          : used <= mostCells               ? Level::Node
                                            : Level::Chip;
  std::array<double, 2> extent = {1, 1};
  for (const std::array<int32_t, 2> &place : places)
    for (size_t axis : {0, 1})
      extent[axis] = std::max(extent[axis], place[axis] + 1.0);
  constexpr double mostWidth = 720, mostHeight = 640, mostUnit = 110;
  unit = std::min({mostWidth / extent[0], mostHeight / extent[1], mostUnit});
  width = unit * extent[0];
  height = unit * extent[1];
  for (const std::array<int32_t, 2> &place : places)
    nodes.push_back({(place[0] + 0.5) * unit, (place[1] + 0.5) * unit});
  cellOfCore.resize(machine.cores.size());
  if (level == Level::Core)
    addCores(machine, coresOfNode);
  else if (level == Level::Node)
    addNodes(coresOfNode);
  else
    addChips(machine);
  for (Cell &cell : cells)
    cell.isDead =
        std::all_of(cell.cores.begin(), cell.cores.end(),
                    [&](uint32_t core) { return machine.cores[core].isDead; });
}

void FloorPlan::addCores(
    const Description &machine,
    const std::vector<std::vector<uint32_t>> &coresOfNode) {
  // The rest is for links.
  constexpr double part = 0.8;
  cells.resize(machine.cores.size());
  for (size_t node = 0; node < coresOfNode.size(); ++node) {
    const std::vector<uint32_t> &own = coresOfNode[node];
    const double columns =
        std::ceil(std::sqrt(static_cast<double>(own.size())));
    const double size = unit * part / std::max(columns, 1.0);
    for (size_t i = 0; i < own.size(); ++i) {
      const double column = std::fmod(static_cast<double>(i), columns);
      const double row = std::floor(static_cast<double>(i) / columns);
      cells[own[i]] = {nodes[node][0] - unit * part / 2 + column * size,
                       nodes[node][1] - unit * part / 2 + row * size,
                       size * 0.94,
                       size * 0.94,
                       {own[i]}};
      cellOfCore[own[i]] = own[i];
    }
  }
}

void FloorPlan::addNodes(
    const std::vector<std::vector<uint32_t>> &coresOfNode) {
  constexpr double part = 0.8;
  for (size_t node = 0; node < coresOfNode.size(); ++node) {
    if (coresOfNode[node].empty())
      continue;
    for (uint32_t core : coresOfNode[node])
      cellOfCore[core] = static_cast<uint32_t>(cells.size());
    cells.push_back({nodes[node][0] - unit * part / 2,
                     nodes[node][1] - unit * part / 2, unit * part, unit * part,
                     coresOfNode[node]});
  }
}

void FloorPlan::addChips(const Description &machine) {
  constexpr double most = std::numeric_limits<double>::max();
  struct Bounds {
    double left = most, top = most, right = 0, bottom = 0;
  };
  std::vector<Bounds> bounds(machine.chips);
  for (size_t node = 0; node < nodes.size(); ++node) {
    Bounds &own = bounds[chipOfNode[node]];
    own.left = std::min(own.left, nodes[node][0] - unit / 2);
    own.top = std::min(own.top, nodes[node][1] - unit / 2);
    own.right = std::max(own.right, nodes[node][0] + unit / 2);
    own.bottom = std::max(own.bottom, nodes[node][1] + unit / 2);
  }
  for (const Bounds &own : bounds)
    cells.push_back(
        {own.left, own.top, own.right - own.left, own.bottom - own.top, {}});
  for (uint32_t core = 0; core < machine.cores.size(); ++core) {
    cellOfCore[core] = machine.cores[core].chip;
    cells[machine.cores[core].chip].cores.push_back(core);
  }
  for (size_t node = 0; node < nodes.size(); ++node) {
    const Cell &cell = cells[chipOfNode[node]];
    nodes[node] = {cell.x + cell.width / 2, cell.y + cell.height / 2};
  }
}

std::string FloorPlan::nameOf(const Description &machine,
                              const Cell &cell) const {
  if (cell.cores.empty())
    return "nothing";
  const uint32_t core = cell.cores.front();
  switch (level) {
  case Level::Core:
    return "core " + std::to_string(core);
  case Level::Node:
    return "node " + std::to_string(machine.cores[core].node);
  case Level::Chip:
    break;
  }
  return "chip " + std::to_string(machine.cores[core].chip);
}

} // namespace gensyn::machine::page
