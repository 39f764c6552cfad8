// The tuning parameters of the matrix-product schedule.

#ifndef GENSYN_LIB_CODEGEN_CPU_CONTRACT_GEMMSIZES_H
#define GENSYN_LIB_CODEGEN_CPU_CONTRACT_GEMMSIZES_H

#include "gensyn/Codegen/Contraction/GemmView.h"
#include "gensyn/Machine/Cpu.h"

namespace gensyn::cpu {

using codegen::GemmAxes;
using codegen::GemmAxis;
using codegen::GemmCheck;
using codegen::GemmTensor;
using codegen::GemmView;
using machine::ByteProducts;

/// What sizes depend on besides the view: the registers, and the types in
/// memory.
struct GemmMachine {
  int64_t lanes = 16;                        ///< sums in a vector
  int64_t registers = 32;                    ///< for vectors
  int64_t tileVectors = 24, tileColumns = 4; ///< as machine::Cpu's
  int64_t sumBytes = 4;                      ///< of a sum
  int64_t bytesOfB = 4;                      ///< of an element in memory
  bool convertsA = false, convertsB = false; ///< in memory in another type
  bool widensByte = false; ///< B is of bytes that few instructions widen
  bool hasNibbles = false; ///< B's elements have 4 bits, each in a byte
  /// Sums are of 32 bits, elements are integers of 16, and two products and
  /// their sum are one instruction.
  bool multipliesPairs = false;
  /// Sums are of 32 bits, elements are integers of 8, and the instruction set
  /// has instructions for them.
  ByteProducts byteProducts = ByteProducts::None;
  /// A or B is computed by a prologue, which divides B's points into parts.
  bool computesA = false, computesB = false;
  int64_t part = 0;           ///< 0: none
  bool hasPointSides = false; ///< the prologue's sides differ within a part
  /// B is the same in all runs, so that panels of it can be kept between runs.
  bool lastsB = false;
  /// A may be read in place where pointers lead to its rows.
  bool pointsToRows = false;
};

/// Vectors of columns of which a vector of 32-bit lanes holds 4 bits each.
constexpr int64_t kVectorsPerWord = 8;

/// Any values that passed `fitted` give the same bits.
struct GemmSizes {
  int64_t lanes = 16;     ///< sums in a vector
  int64_t mr = 6;         ///< rows of a register tile
  int64_t nv = 4;         ///< vectors of a row of a register tile
  int64_t kc = 512;       ///< points between two visits of a tile
  int64_t rows = 768;     ///< rows of C that are visited for one copy of B
  int64_t tileRows = 768; ///< of these, rows in one tile of the launch
  int64_t group = 1;      ///< column panels in a tile, visited by turns
  int64_t joined = 1;     ///< blocks of a range that are visited as one
  int64_t unroll = 2;     ///< points per iteration of the innermost loop
  int64_t prefetch = 0;   ///< elements of a row of B, read in place, or of a
                          ///< raw panel to fetch ahead; 0: none
  bool packA = false;     ///< copy A into panels of mr rows, by a launch before
  bool packB = true;    ///< copy B into panels of nv vectors, per tile; else it
                        ///< is read in place, maybe by taps
  int64_t sumBytes = 4; ///< of a sum, as the types say
  /// From the prologue of B: points whose multiples no visit of B in place
  /// crosses, or 0; and GemmMachine's flag.
  int64_t part = 0;
  bool hasPointSides = false;
  /// With packB: all panels are copied by emitPackColumns before the product.
  bool packOnce = false;
  /// With packOnce: panels have the elements that B has in memory, and are
  /// widened when they are read.
  bool rawPanels = false;
  /// With rawPanels: elements of 4 bits take no more of a panel.
  bool nibbles = false;
  /// With packA and packB: an element of a panel is a pair of points, as two
  /// integers of 16 bits, or of their own width in raw panels.
  bool pairs = false;
  /// Unless None: panels have four points as integers of 8 bits in an element,
  /// by those instructions; see ByteContract/BytePanels.h.
  ByteProducts byteProducts = ByteProducts::None;
  int64_t lanesOfBytes = 16; ///< sums in a vector of these

  /// Without packA: A is read in place, at a pointer for each row of a register
  /// tile and each tap.
  bool rowPointers = false;

  int64_t bytesOfB = 4; ///< of an element in memory

  bool operator==(const GemmSizes &) const = default;
  int64_t columns() const { return nv * lanes; }
  /// True if micro-kernels read elements of B as they are in memory.
  bool readsStored() const { return !packB || rawPanels; }
  /// Bytes of an element of B's panels.
  int64_t panelBytes() const { return rawPanels ? bytesOfB : sumBytes; }
  /// Points in an element of a panel.
  int64_t perElement() const { return multipliesBytes() ? 4 : pairs ? 2 : 1; }
  bool multipliesBytes() const { return byteProducts != ByteProducts::None; }
  /// Points at whose multiples visits begin, and up to which A's panels have
  /// zeros after the last one.
  int64_t pointStepOfBytes() const { return perElement() * lanes; }
  /// Elements of the type of panels that were copied once, from a point to the
  /// next one.
  int64_t pointStep() const { return nibbles ? columns() / 2 : columns(); }
  /// True if raw panels have another order than what is copied into them.
  bool foldsPanels() const { return rawPanels && (nibbles || pairs); }
};

/// Column panels of a batch; the last may have fewer vectors.
int64_t numColumnPanels(const GemmView &view, const GemmSizes &sizes);

/// Returns the table's sizes for the shapes, the layout and the machine.
GemmSizes chooseGemmSizes(const GemmView &view, const GemmMachine &machine);

/// Returns the nearest sizes that the view permits: tiles no larger than the
/// problem, packing if in-place reading is impossible, blocks cut where
/// necessary.
GemmSizes fitted(GemmSizes sizes, const GemmView &view);

/// Sets the fields that the types and prologues determine.
void setFixedSizes(GemmSizes &sizes, const GemmMachine &machine);

/// Returns std::nullopt if the sizes are usable, else what is wrong with them.
/// Tiles must fit the registers; otherwise the accumulators would be spilled.
std::optional<llvm::StringRef> checkSizes(const GemmSizes &sizes,
                                          const GemmMachine &machine);

/// True if blocks of the order are so short that a micro-kernel runs through
/// several of them, with their sum in registers beside the block's.
bool joinsBlocks(const GemmView &view);
/// Returns the number of points whose sum a micro-kernel keeps to itself: those
/// of the longest block, or all points where blocks are joined.
int64_t pointsInTile(const GemmView &view);

/// Vectors per run of columns, and of all columns: a vector never crosses runs.
int64_t vectorsPerRun(const GemmView &view, const GemmSizes &sizes);
int64_t numVectors(const GemmView &view, const GemmSizes &sizes);

/// True if only the last vector of all columns has lanes past the end of a run,
/// or none.
bool hasSingleRun(const GemmView &view);

/// Returns the product of the extents of the innermost points that take part in
/// checks of B if panels can be packed tap by tap, so that a panel begins and
/// ends at multiples of it.
std::optional<int64_t> tapsOf(const GemmView &view);

/// Method of copying B into panels.
enum class ColumnPacking {
  Contiguous, ///< a vector of columns is a vector in B, for one tap at a time
  Strided,    ///< the same, but the columns are a few elements apart
  Pieces,     ///< either in pieces of the run, as in rows of an image
  Transposed, ///< a vector of points is a vector in B, within a segment
  Gathered    ///< element by element
};
ColumnPacking columnPacking(const GemmView &view);

/// Returns the number of points whose multiples no visit crosses, since B is
/// contiguous between them alone; the number of all points if any visit may.
int64_t pointsPerSegment(const GemmView &view, const GemmSizes &sizes);

/// True if panels are packed tap by tap.
bool packsByTaps(const GemmView &view);

/// True if B can be read in place by taps: for each point and vector of columns
/// a vector in B, without the lanes that are out of bounds.
bool hasWindows(const GemmView &view);
/// True if B is read so.
bool readsWindows(const GemmView &view, const GemmSizes &sizes);

/// True if B is not packed and its vectors are along the points: squares of it
/// are transposed in registers.
bool transposesInPlace(const GemmView &view, const GemmSizes &sizes);

/// True if B is not packed, its vectors are along the columns, and later ones
/// are fetched ahead.
bool fetchesColumnsAhead(const GemmView &view, const GemmSizes &sizes);

/// True if micro-kernels fetch what the next visit reads of B's panels: a line
/// of each point.
bool fetchesPanelsAhead(const GemmSizes &sizes);

/// True if panels are copied tap by tap in each visit, and what the next visit
/// copies is fetched ahead. Columns of one tap are long enough to be foreseen.
bool fetchesPackedColumns(const GemmView &view, const GemmSizes &sizes);

} // namespace gensyn::cpu

#endif
