// The parts of a page that compares tensors or runs.
#ifndef GENSYN_LIB_RUNTIME_REPORT_COMPARISON_H
#define GENSYN_LIB_RUNTIME_REPORT_COMPARISON_H

#include "../Training/ReadRun.h"

#include "gensyn/Executable/Formats/TensorFile.h"
#include "gensyn/Executable/Support/Json.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace gensyn::runtime::report {

/// A tensor as a matrix, which blocks cut into the cells of a map.
struct MapShape {
  int64_t rows = 1, columns = 1;
  int64_t blockRows = 1, blockColumns = 1;
  /// How many leading dimensions number the rows. Nothing if rows are only
  /// pieces of the row-major sequence; the last one may then be incomplete.
  std::optional<size_t> rowDims;

  int64_t cellRows() const { return (rows + blockRows - 1) / blockRows; }
  int64_t cellColumns() const {
    return (columns + blockColumns - 1) / blockColumns;
  }
};

/// Splits the dimensions so that the matrix is as square as possible, and
/// writes a tensor as lines if that leaves fewer than 4 rows or columns. The
/// map has at most `mostCells` cells, at least 1. No extent is 0.
MapShape chooseMapShape(const std::vector<int64_t> &shape, int64_t mostCells);

/// The floor of the binary logarithm, 0 to 63; `ulps` is at least 1.
int logOfUlps(uint64_t ulps);

struct WorstElement {
  int64_t element = 0;
  uint64_t ulps = 0;
};

/// Where and how much two tensors of the same type and shape differ.
struct TensorDifference {
  MapShape map;
  /// A row of cells each, without equal ones at its end. A cell is the largest
  /// difference of its elements: "." if they are equal, else the letter of
  /// logOfUlps() among A-Z, a-z, 0-9, "+" and "/", and "!" for a NaN against
  /// anything else.
  std::vector<std::string> cells;
  /// Elements by logOfUlps(); the last number is that of NaNs.
  std::array<int64_t, 65> counts = {};
  /// By distance, then by position.
  std::vector<WorstElement> worst;
};

TensorDifference findTensorDifference(const TensorEntry &a,
                                      const TensorEntry &b, int64_t mostCells,
                                      size_t mostWorst);
/// What differs between the program.json of two run folders, and between the
/// states of their newest checkpoints. Throws a Failure (bad input) for a file
/// that is not JSON.
std::vector<SettingDifference>
compareRunStatements(const std::filesystem::path &first,
                     const std::filesystem::path &second);

/// The first step of which both run folders have a checkpoint with other
/// parameters than that of the other; nothing if there is none.
std::optional<int64_t>
findCheckpointDifference(const std::filesystem::path &first,
                         const std::filesystem::path &second);

/// The style sheet and the script of these pages.
extern const char *const compareStyles, *const compareScript;

} // namespace gensyn::runtime::report

#endif
