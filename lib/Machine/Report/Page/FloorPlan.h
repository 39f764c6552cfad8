// Where cores, memories and links are in a picture of a machine.

#ifndef GENSYN_LIB_MACHINE_REPORT_PAGE_FLOORPLAN_H
#define GENSYN_LIB_MACHINE_REPORT_PAGE_FLOORPLAN_H

#include "gensyn/Machine/Description.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace gensyn::machine::page {

/// A rectangle of the picture: a core or, where there are too many, all cores
/// of a node or of a chip.
struct Cell {
  double x = 0, y = 0, width = 0, height = 0;
  std::vector<uint32_t> cores;
  bool isDead = false; ///< all of them
};

/// Coordinates are pixels.
struct FloorPlan {
  explicit FloorPlan(const Description &machine);

  enum class Level { Core, Node, Chip };
  Level level = Level::Core;
  double width = 0, height = 0;
  /// The width of a node.
  double unit = 0;
  std::vector<Cell> cells;
  std::vector<uint32_t> cellOfCore;
  /// The middle of each node, or of its chip.
  std::vector<std::array<double, 2>> nodes;
  /// Nodes with cores.
  std::vector<bool> hasCores;
  std::vector<uint32_t> chipOfNode;

  /// "core 7", "node 3", "chip 2"
  std::string nameOf(const Description &machine, const Cell &cell) const;

private:
  void addCores(const Description &machine,
                const std::vector<std::vector<uint32_t>> &coresOfNode);
  void addNodes(const std::vector<std::vector<uint32_t>> &coresOfNode);
  void addChips(const Description &machine);
};

} // namespace gensyn::machine::page

#endif
