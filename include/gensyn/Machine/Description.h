// A machine of cores with little memory each, read from a JSON file in which
// every number has a unit, a source and an interval (docs/Machines.md).

#ifndef GENSYN_MACHINE_DESCRIPTION_H
#define GENSYN_MACHINE_DESCRIPTION_H

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gensyn::machine {

/// Where numbers come from.
struct Source {
  enum class Kind : uint8_t { Measured, Datasheet, Paper, Assumed };
  std::string name;
  Kind kind = Kind::Assumed;
  std::string title;
  /// An address, or the section of the title; may be empty.
  std::string where;
  /// How many numbers of the file name it.
  uint32_t numbers = 0;
};

/// The base units in which numbers are kept, as integers.
enum class Unit : uint8_t {
  Count,
  Bytes,
  Hertz,
  Picoseconds,
  /// Thousandths of a clock cycle.
  Millicycles,
  BytesPerSecond,
  /// Thousandths of a byte per clock cycle.
  MillibytesPerCycle,
  Femtojoules,
  FemtojoulesPerByte,
  Nanowatts,
  Bits,
};

/// A number of a machine file. The true value lies in [low, high]; `value` is
/// the one to compute with.
struct Quantity {
  int64_t value = 0, low = 0, high = 0;
  Unit unit = Unit::Count;
  /// Index into Description::sources.
  uint32_t source = 0;
};

/// A clock domain.
struct Clock {
  std::string name;
  Quantity frequency; ///< Hertz
};

/// A way in which an array of multipliers is laid out: how many rows, columns,
/// channels of the reduced points, taps of windows, and independent products
/// one step computes, and what a step takes.
struct Arrangement {
  std::array<int64_t, 5> step = {1, 1, 1, 1, 1};
  Quantity cycles; ///< Millicycles
  int64_t points() const;
};

/// A block of an image, lines by positions of a line, that an array takes as a
/// whole.
struct Granule {
  std::array<int64_t, 2> extents = {1, 1};
  int64_t rows() const { return extents[0] * extents[1]; }
};

/// What results pass behind an array, while it computes the next block.
struct OutputStage {
  /// Rows and columns, or independent products.
  std::array<int64_t, 2> block = {1, 1};
  Quantity cycles; ///< Millicycles, of a result
  Quantity column; ///< Millicycles, of a column of a block at least
};

/// The cost of one kind of work on a unit, and with it the statement that the
/// unit computes it to the bits of docs/Numerics.md. Of the rates of a unit
/// that fit, the first one counts.
struct Rate {
  /// "multiply_add": a point of a contraction. "float": another operation on
  /// floats, as the costs of ops count them. "integer": another operation on an
  /// element. "load" and "store": an element from and to the core's memory.
  std::string operation;
  /// Element types of its operands ("f32", "i8"); empty: all.
  std::vector<std::string> types;
  /// Bits of the accumulator of integer sums; 0: those of the element type.
  Quantity accumulator; ///< Bits
  /// How many points (rows, columns, reduced) one step computes; the cost is
  /// that of a step, and parts of a step cost a whole one.
  std::array<int64_t, 3> step = {1, 1, 1};
  /// Of an array that cannot take any points, instead of `step`: the fastest
  /// one counts.
  std::vector<Arrangement> arrangements;
  /// Of arrangements: their rows are positions of images, padded to whole
  /// granules, and parts of a step above the first take their share of it. The
  /// first granule is that of images; work of one line takes the fastest.
  std::vector<Granule> granules;
  /// Of arrangements.
  std::optional<OutputStage> output;
  Quantity cycles; ///< Millicycles
  Quantity energy; ///< Femtojoules, of one point
};

/// Something that computes, on the memory of its core.
struct ComputeUnit {
  std::string name;
  uint32_t clock = 0; ///< index into Description::clocks
  /// Before each piece of work.
  Quantity start; ///< Millicycles
  std::vector<Rate> rates;
};

/// A memory: one in each core of a kind, or shared by all cores.
struct MemoryKind {
  std::string name;
  Quantity size;     ///< Bytes
  Quantity reserved; ///< Bytes: code, stacks, what the runtime system takes
  /// The next three are 0 unless the memory is shared. The bandwidth is that of
  /// all ports together.
  Quantity bandwidth; ///< BytesPerSecond
  Quantity latency;   ///< Picoseconds, of an access
  /// Every access moves whole bursts.
  Quantity burst;       ///< Bytes
  Quantity readEnergy;  ///< FemtojoulesPerByte
  Quantity writeEnergy; ///< FemtojoulesPerByte
  Quantity standby;     ///< Nanowatts
  /// True if cores can read and write single elements of a shared memory,
  /// without a copy in their own.
  bool isAddressable = false;
  /// True if it holds parameters and constants alone, as flash does.
  bool isReadOnly = false;
  /// Shared: the nodes of the network at which its ports are; accesses are
  /// interleaved over them.
  std::vector<uint32_t> nodes;
  /// A memory of several chips: as many parts, of which each has its chip's
  /// ports, one after another, and as many bytes as the others.
  uint32_t parts = 1;
};

/// What copies between memories while a core computes.
struct CopyEngine {
  std::string name;
  uint32_t clock = 0;
  Quantity start;     ///< Millicycles, before each copy
  Quantity row;       ///< Millicycles, for each row of a strided copy
  Quantity bandwidth; ///< MillibytesPerCycle, of a copy
  /// Copies that it makes at the same time, each of a queue of its own; at most
  /// mostChannels.
  Quantity channels{1, 1, 1}; ///< Count
};
constexpr uint32_t mostChannels = 2;

struct CoreKind {
  std::string name;
  /// The instruction set of its programs, a name of CoreTarget.def, or the
  /// format of its command streams; empty: the file has none. Its own memory
  /// begins at the address `origin`.
  std::string target;
  Quantity origin;     ///< Bytes
  uint32_t memory = 0; ///< index into Description::memories
  std::vector<uint32_t> units;
  uint32_t engine = 0;
  /// The core's own time to start a task and to see its end.
  Quantity issue; ///< Millicycles of its first unit's clock
  Quantity idle;  ///< Nanowatts
};

struct Core {
  uint32_t kind = 0;
  uint32_t node = 0;
  uint32_t chip = 0;
  /// In the picture of the machine.
  int32_t x = 0, y = 0;
  /// Gets no tasks: it is defective, or the machine's own software runs on it.
  bool isDead = false;
};

/// A connection in one direction.
struct Link {
  uint32_t from = 0, to = 0; ///< nodes
  Quantity bandwidth;        ///< BytesPerSecond
  Quantity latency;          ///< Picoseconds
  Quantity energy;           ///< FemtojoulesPerByte
  bool isDead = false;
};

struct Network {
  uint32_t nodes = 0;
  /// Where each node is in a picture of the machine: x and y, with a gap
  /// between chips. Empty for a machine that was not read from a file.
  std::vector<std::array<int32_t, 2>> places;
  std::vector<Link> links;
  /// Transfers are divided into packets of at most so many bytes.
  Quantity packet; ///< Bytes
  /// From the end of a task to the start of one on another core that waits for
  /// it.
  Quantity signal;       ///< Picoseconds
  Quantity signalEnergy; ///< Femtojoules
  /// True if routers repeat a packet to several links and cores.
  bool hasMulticast = false;
  /// Of the router of a chip: how many trees it can know; 0: any number.
  Quantity entries; ///< Count
  /// The node of each chip at which links between chips end; none if there is
  /// one chip. The nodes of a chip are adjacent, and as many in each.
  std::vector<uint32_t> gateways;

  uint32_t nodesOfChip() const {
    return gateways.empty() ? nodes : nodes / uint32_t(gateways.size());
  }
  uint32_t chipOf(uint32_t node) const {
    return gateways.empty() ? 0 : node / nodesOfChip();
  }
};

/// What route() remembers. A copy starts empty, since its links may be changed.
class RouteCache {
public:
  RouteCache();
  RouteCache(const RouteCache &);
  RouteCache &operator=(const RouteCache &);
  ~RouteCache();

private:
  friend struct Description;
  class State;
  std::unique_ptr<State> state;
};

struct Description {
  std::string name, about;
  /// The file's text.
  std::string text;
  std::vector<Source> sources;
  std::vector<Clock> clocks;
  std::vector<MemoryKind> memories;
  std::vector<ComputeUnit> units;
  std::vector<CopyEngine> engines;
  std::vector<CoreKind> coreKinds;
  std::vector<Core> cores;
  uint32_t chips = 1;
  Network network;

  const CoreKind &kindOf(uint32_t core) const {
    return coreKinds[cores[core].kind];
  }
  const MemoryKind &memoryOf(uint32_t core) const {
    return memories[kindOf(core).memory];
  }
  /// Shared memories, in the order of the file: nearest first.
  std::vector<uint32_t> sharedMemories() const;
  /// Returns the links of a path between two nodes, without dead ones. It is a
  /// shortest one, counted in links, where links cannot wait for each other in
  /// a circle then (Channels.h); else a shortest one of those that lead up to a
  /// root and then down. It is always the same path: of several links that lead
  /// nearer to the end, the first one is taken, so in a mesh a path leads along
  /// x first. Throws a Failure (unsupported) if there is no path. May be called
  /// from several threads. Links must not be changed after the first call; a
  /// copy of the description may be changed.
  std::vector<uint32_t> route(uint32_t from, uint32_t to) const;
  /// Returns the first of some nodes from which the fewest links lead to one.
  /// Throws a Failure (unsupported) if no path does.
  uint32_t findNearest(const std::vector<uint32_t> &nodes, uint32_t to) const;

private:
  RouteCache routes;
};

/// Reads a machine file. `file` is named in messages. Throws a Failure (bad
/// input) whose one line has the place in the file, what was found and what was
/// expected.
Description parseDescription(std::string_view text, const std::string &file);

/// Returns the description of that name among those that come with the tools
/// ("spinnaker2-chip"), or reads the file if `word` ends in ".json". Throws a
/// Failure (usage) for an unknown name.
Description findMachine(const std::string &word);

/// Names of the descriptions that come with the tools, sorted.
std::vector<std::string> listMachines();

} // namespace gensyn::machine

#endif
