// Contractions over windows of an image: the view, and the division into tiles.

#ifndef GENSYN_LIB_CODEGEN_CPU_CONTRACT_WINDOWCONTRACTION_H
#define GENSYN_LIB_CODEGEN_CPU_CONTRACT_WINDOWCONTRACTION_H

#include "gensyn/Codegen/Contraction/ContractBox.h"
#include "gensyn/Machine/Cpu.h"

#include <optional>

namespace gensyn::cpu {

/// A dimension of the image and of the result. Result i reads the coordinates
/// i * step + the offset of a tap; coordinate 0 is index `low` of the image.
struct WindowAxis {
  unsigned iterator = 0;
  int64_t results = 1;
  int64_t step = 1;
  int64_t low = 0;
  int64_t reach = 0;       ///< the largest offset of a tap
  int64_t extent = 1;      ///< of the image
  int64_t imageStride = 0; ///< in elements
  int64_t resultStride = 0;

  /// Coordinates that `count` results read.
  int64_t coordinates(int64_t count) const {
    return (count - 1) * step + reach + 1;
  }
};

/// A point of the contraction: the element of the image and the weight.
struct WindowTap {
  int64_t row = 0, column = 0; ///< offsets
  int64_t weight = 0;          ///< in elements
};

/// A contraction whose results along `columns` read one weight per tap and
/// neighbouring elements of the image, such as a depthwise convolution.
struct WindowContraction {
  unsigned image = 0; ///< the operand; the other has the weights
  WindowAxis rows, columns;
  bool hasRows = false;
  /// In the order of the chain. Offsets of rows are ascending, or descending.
  llvm::SmallVector<WindowTap> taps;
  bool isDescending = false;
  /// An iterator whose values need tiles of their own.
  struct Outer {
    unsigned iterator;
    int64_t extent, imageStride, weightStride, resultStride;
  };
  llvm::SmallVector<Outer> outer;
  /// Offsets of the elements at iterators 0, without the indices of rows and
  /// columns in the image.
  int64_t imageOffset = 0, weightOffset = 0, resultOffset = 0;
};

/// Returns the view of a box; std::nullopt if it has no such form.
std::optional<WindowContraction>
findWindowContraction(const codegen::ContractBox &box);

/// The division of a window contraction. Any values give the same bits.
struct WindowSizes {
  int64_t lanes = 16;
  /// Results that are computed together: rows, and vectors of a row. The
  /// vectors of a row are a multiple of the latter.
  int64_t rows = 1, vectors = 1;
  /// Rows of a tile: a multiple of `rows`, or all.
  int64_t tileRows = 1;
};

/// The tiles, and a tile's part of the image in scratch: rows of `columns.step`
/// phases of the coordinates, each of `phaseLength` elements.
struct WindowLayout {
  WindowLayout(const WindowContraction &view, const WindowSizes &sizes);

  int64_t phaseLength, rowLength, imageRows;
  int64_t rowVectors; ///< vectors of results in a row
  int64_t rowTiles, tiles;
  /// Sums of the rows that are computed together, behind the image. An epilogue
  /// reads them in whole vectors.
  int64_t sumsOffset;
  int64_t scratchElements;
};

/// Returns sizes for a target.
WindowSizes chooseWindowSizes(const WindowContraction &view, int64_t sumBytes,
                              const machine::Cpu &target);

/// Returns the estimated cycles of the contraction, with an fma instruction.
double estimateWindowCycles(const WindowContraction &view,
                            const WindowSizes &sizes);

} // namespace gensyn::cpu

#endif
