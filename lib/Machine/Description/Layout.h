// Where the parts of a machine are: one chip, repeated over boards.
#ifndef GENSYN_LIB_MACHINE_DESCRIPTION_LAYOUT_H
#define GENSYN_LIB_MACHINE_DESCRIPTION_LAYOUT_H

#include "Places.h"
#include "gensyn/Machine/Description.h"

namespace gensyn::machine {

/// The positions that the file gave, and the order of what was repeated: nodes,
/// cores and links of chip 0, of chip 1, ..., then links between chips.
struct Layout {
  /// Of one chip.
  Grid nodes;
  /// Of one board, and of boards: their sums are those of `chips`, board by
  /// board.
  Grid chipsOfBoard, boards, chips;
  /// The node of a chip at which links to other chips are.
  uint32_t gateway = 0;
  size_t coresOfChip = 0, linksOfChip = 0;

  uint32_t nodeOf(size_t chip, uint32_t node) const {
    return uint32_t(chip * nodes.size() + node);
  }
};

/// Reads `network`, `cores`, `chips`, `boards` and the ports of shared
/// memories, and repeats the chip; readParts() was called before.
Layout readLayout(JsonReader &file, Description &machine);

/// Reads `dead`.
void readDead(JsonReader &file, const Layout &layout, Description &machine);

/// Throws a Failure (bad input) unless live links connect all cores that are
/// not dead, and all ports, in both directions.
void checkConnected(const JsonReader &file, const Description &machine);

} // namespace gensyn::machine

#endif
