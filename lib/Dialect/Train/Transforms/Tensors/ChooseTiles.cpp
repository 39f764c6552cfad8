// See ChooseTiles.h.

#include "ChooseTiles.h"

#include "gensyn/Dialect/Repro/IR/SplitOp.h"
#include "gensyn/Dialect/Repro/IR/TensorTypes.h"
#include "gensyn/Numerics/Sizes.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::train;
using repro::IndexRange;
using repro::Tile;

/// As many operations take the time in which one byte travels.
static constexpr int64_t kOperationsPerByte = 64;
static constexpr unsigned kMostSweeps = 8;
/// Of a group's classes, those with the most nodes are tried.
static constexpr size_t kMostClasses = 8;

namespace {
/// What a search begins with: all ops that read a parameter have to be cut
/// otherwise before it is divided, and all values of a chain before fewer
/// travel. So some searches begin with higher prices, and go on with the right
/// ones; and one begins with nothing that is divided, so that the result is not
/// worse than that.
struct Start {
  double parameters = 1, exchanges = 1; ///< factors of their prices
  bool isWhole = false;
};
} // namespace

static constexpr Start kStarts[] = {
    {1, 1}, {16, 1}, {16, 512}, {1, 1, /*isWhole=*/true}};

namespace {
/// Tiles of a value that ranks read, by rank.
struct Need {
  std::vector<Tile> tiles;
  bool isForeign = false; ///< read by the ranks of another stage
  int64_t bytes = 0;      ///< of all tiles
  unsigned readers = 0;   ///< that have chosen a cut which needs this
  /// For each cut of the value the bytes that travel; -1 if not known yet.
  SmallVector<int64_t, 4> travels;
};

struct ReadValue {
  Value value;
  int maker = -1; ///< the node; -1: a parameter
  std::vector<Need> needs;
  int64_t cost = 0;
};

struct Read {
  unsigned value, need;
};

class Chooser {
public:
  Chooser(const TensorProgram &program, int64_t ranks, int64_t exchangeBytes)
      : program(program), ranks(ranks), exchangeBytes(exchangeBytes),
        classes(program, ranks), chosen(program.nodes.size(), kUnset) {}

  std::vector<TensorCut> run();

private:
  static constexpr int kUnset = -1;

  unsigned findValue(Value value);
  unsigned findNeed(unsigned value, Need need);
  void findReads(unsigned node);
  void findMembers();
  int64_t computeCost(unsigned node, int choice) const;
  int64_t travelsTo(ReadValue &value, Need &need, int choice);
  int64_t costOfParameter(const ReadValue &value) const;
  int64_t costOf(ReadValue &value);
  int64_t refresh(unsigned value);
  int64_t choose(unsigned node, int choice);
  bool improve(ArrayRef<unsigned> nodes,
               llvm::function_ref<int(unsigned node)> choiceOf);
  bool improveNode(unsigned node);
  bool improveGroup(ArrayRef<unsigned> nodes);
  int choiceWith(unsigned node, unsigned dimensionClass) const;
  bool sweep(bool forward);
  int64_t search(const Start &first);

  const TensorProgram &program;
  int64_t ranks, exchangeBytes;
  Start prices;
  DimensionClasses classes;
  std::vector<int> chosen;
  std::vector<ReadValue> values;
  llvm::DenseMap<Value, unsigned> numbers;
  /// For each node and cut what it reads, and the values that it makes.
  std::vector<std::vector<std::vector<Read>>> reads;
  std::vector<SmallVector<unsigned, 1>> made;
  /// The nodes of each group, and those with a dimension of each class.
  llvm::MapVector<unsigned, std::vector<unsigned>> groups, members;
};
} // namespace

unsigned Chooser::findValue(Value value) {
  auto [found, isNew] = numbers.try_emplace(value, values.size());
  if (isNew) {
    ReadValue &added = values.emplace_back();
    added.value = value;
    if (auto node = program.nodeOf(value)) {
      added.maker = int(*node);
      made[*node].push_back(found->second);
    }
  }
  return found->second;
}

unsigned Chooser::findNeed(unsigned value, Need need) {
  std::vector<Need> &needs = values[value].needs;
  for (auto [number, other] : llvm::enumerate(needs))
    if (other.isForeign == need.isForeign && other.tiles == need.tiles)
      return unsigned(number);
  for (const Tile &tile : need.tiles)
    need.bytes = saturatingAdd(
        need.bytes, bytesOfTile(values[value].value.getType(), tile));
  need.travels.assign(values[value].maker < 0
                          ? 1
                          : classes.cuts[size_t(values[value].maker)].size(),
                      -1);
  needs.push_back(std::move(need));
  return unsigned(needs.size() - 1);
}

/// Several operands may need parts of one value: a rank gets what contains
/// them.
void Chooser::findReads(unsigned number) {
  const TensorNode &node = program.nodes[number];
  auto &all = reads.emplace_back();
  for (const TensorCut &cut : classes.cuts[number]) {
    llvm::MapVector<Value, std::vector<Tile>> tiles;
    for (size_t rank = 0; rank < size_t(ranks); ++rank) {
      // One rank alone hands a result over.
      if (!node.op && rank > 0)
        break;
      Tile piece = node.op ? repro::isSplittable(node.op)
                                 ? repro::getWholePiece(node.op)
                                 : Tile()
                           : wholeTile(node.result);
      if (!cut.isWhole()) {
        const Tile part = cut.part(repro::shapeOf(node.op->getResult(0)), rank);
        llvm::copy(part, piece.begin());
        if (isEmpty(part))
          continue;
      }
      program.findSources(node, piece, [&](Value value, const Tile &tile) {
        auto &needed = tiles[value];
        if (needed.empty())
          needed.assign(size_t(ranks), Tile(tile.size(), IndexRange()));
        needed[rank] = tile.empty() ? tile : hullOf(needed[rank], tile);
      });
    }
    auto &own = all.emplace_back();
    for (auto &[value, needed] : tiles) {
      const unsigned index = findValue(value);
      Need need;
      need.tiles = std::move(needed);
      const int maker = values[index].maker;
      need.isForeign =
          maker >= 0 && program.nodes[size_t(maker)].stage != node.stage;
      own.push_back({index, findNeed(index, std::move(need))});
    }
  }
}

/// The operations of all ranks, each of which waits for the one with the
/// largest piece.
int64_t Chooser::computeCost(unsigned node, int choice) const {
  auto cost = dyn_cast_or_null<repro::CostOpInterface>(program.nodes[node].op);
  if (!cost || choice == kUnset)
    return 0;
  const TensorCut &cut = classes.cuts[node][size_t(choice)];
  const int64_t operations = saturatingMultiply(cost.getFlops(), ranks);
  if (cut.isWhole())
    return operations;
  int64_t largest = 0;
  for (size_t rank = 0; rank < size_t(ranks); ++rank)
    largest = std::max(largest, cut.bounds[rank + 1] - cut.bounds[rank]);
  return int64_t(double(operations) * double(largest) /
                 double(cut.bounds.back()));
}

int64_t Chooser::travelsTo(ReadValue &value, Need &need, int choice) {
  int64_t &bytes = need.travels[size_t(std::max(choice, 0))];
  if (bytes >= 0)
    return bytes;
  const TensorCut whole;
  const TensorCut &cut =
      choice == kUnset ? whole
                       : classes.cuts[size_t(value.maker)][size_t(choice)];
  bytes = need.bytes;
  if (need.isForeign)
    return bytes;
  for (size_t rank = 0; rank < size_t(ranks); ++rank) {
    if (isEmpty(need.tiles[rank]))
      continue;
    const Tile own = intersect(need.tiles[rank],
                               cut.part(repro::shapeOf(value.value), rank));
    bytes -= bytesOfTile(value.value.getType(), own);
  }
  return bytes;
}

/// The bytes of a parameter that ranks read, beyond those of the whole. Of
/// several tiles that a rank reads each has its share of the others.
int64_t Chooser::costOfParameter(const ReadValue &value) const {
  const auto whole = double(repro::bytesOf(value.value));
  double read = 0;
  for (size_t rank = 0; rank < size_t(ranks); ++rank) {
    double left = 1;
    for (const Need &need : value.needs)
      if (need.readers > 0 && whole > 0)
        left *=
            1 - double(bytesOfTile(value.value.getType(), need.tiles[rank])) /
                    whole;
    read += 1 - left;
  }
  return int64_t(std::max(read - 1, 0.0) * whole * prices.parameters);
}

/// What travels of a value; tiles of different readers are taken as different,
/// up to the whole.
int64_t Chooser::costOf(ReadValue &value) {
  if (value.maker < 0)
    return saturatingMultiply(costOfParameter(value), kOperationsPerByte);
  const int64_t whole = repro::bytesOf(value.value);
  int64_t local = 0, foreign = 0, exchanged = 0;
  for (Need &need : value.needs) {
    if (need.readers == 0)
      continue;
    const int64_t bytes = travelsTo(value, need, chosen[size_t(value.maker)]);
    int64_t &sum = need.isForeign ? foreign : local;
    sum = saturatingAdd(sum, bytes);
    exchanged += bytes > 0 && !need.isForeign;
  }
  const int64_t most = saturatingMultiply(whole, ranks);
  int64_t bytes =
      saturatingAdd(std::min(local, most - whole), std::min(foreign, most));
  bytes = saturatingAdd(
      bytes, saturatingMultiply(
                 exchanged, int64_t(double(exchangeBytes) * prices.exchanges)));
  return saturatingMultiply(bytes, kOperationsPerByte);
}

/// Returns by how much a value costs more than before.
int64_t Chooser::refresh(unsigned number) {
  ReadValue &value = values[number];
  const int64_t before = value.cost;
  value.cost = costOf(value);
  return value.cost - before;
}

/// Returns by how much the program costs more than before.
int64_t Chooser::choose(unsigned node, int choice) {
  const int before = chosen[node];
  int64_t more = computeCost(node, choice) - computeCost(node, before);
  if (before != kUnset)
    for (auto [value, need] : reads[node][size_t(before)])
      --values[value].needs[need].readers;
  if (choice != kUnset)
    for (auto [value, need] : reads[node][size_t(choice)])
      ++values[value].needs[need].readers;
  chosen[node] = choice;
  for (int one : {before, choice})
    if (one != kUnset)
      for (auto [value, need] : reads[node][size_t(one)])
        more += refresh(value);
  for (unsigned value : made[node])
    more += refresh(value);
  return more;
}

/// Changes all nodes for which there is a choice if that costs less.
bool Chooser::improve(ArrayRef<unsigned> nodes,
                      llvm::function_ref<int(unsigned node)> choiceOf) {
  SmallVector<std::pair<unsigned, int>> before;
  int64_t more = 0;
  for (unsigned node : nodes) {
    const int choice = choiceOf(node);
    if (choice == kUnset || choice == chosen[node])
      continue;
    before.emplace_back(node, chosen[node]);
    more += choose(node, choice);
  }
  if (more < 0)
    return true;
  for (auto [node, choice] : llvm::reverse(before))
    choose(node, choice);
  return false;
}

bool Chooser::improveNode(unsigned node) {
  bool improved = false;
  for (int choice = 0; choice < int(classes.cuts[node].size()); ++choice)
    improved |= improve(node, [&](unsigned) { return choice; });
  return improved;
}

int Chooser::choiceWith(unsigned node, unsigned dimensionClass) const {
  for (auto [choice, cut] : llvm::enumerate(classes.cuts[node]))
    if (!cut.isWhole() && cut.dimensionClass == dimensionClass)
      return int(choice);
  return kUnset;
}

bool Chooser::improveGroup(ArrayRef<unsigned> nodes) {
  llvm::MapVector<unsigned, size_t> found;
  for (unsigned node : nodes)
    for (const TensorCut &cut : classes.cuts[node])
      if (!cut.isWhole())
        ++found[cut.dimensionClass];
  SmallVector<std::pair<unsigned, size_t>> candidates(found.begin(),
                                                      found.end());
  llvm::stable_sort(candidates, [](const auto &a, const auto &b) {
    return a.second > b.second;
  });
  if (candidates.size() > kMostClasses)
    candidates.resize(kMostClasses);
  bool improved = improve(nodes, [](unsigned) { return 0; });
  for (auto [dimensionClass, count] : candidates)
    improved |= improve(nodes, [&, wanted = dimensionClass](unsigned node) {
      return choiceWith(node, wanted);
    });
  return improved;
}

bool Chooser::sweep(bool forward) {
  bool improved = false;
  for (auto &[dimensionClass, nodes] : members)
    if (nodes.size() > 1)
      improved |= improve(nodes, [&, wanted = dimensionClass](unsigned node) {
        return choiceWith(node, wanted);
      });
  const auto count = unsigned(program.nodes.size());
  for (unsigned i = 0; i < count; ++i) {
    const unsigned node = forward ? i : count - 1 - i;
    if (auto *group = groups.find(node);
        group != groups.end() && group->second.size() > 1)
      improved |= improveGroup(group->second);
    improved |= improveNode(node);
  }
  return improved;
}

void Chooser::findMembers() {
  for (unsigned node = 0; node < program.nodes.size(); ++node) {
    groups[classes.groups[node]].push_back(node);
    for (const TensorCut &cut : classes.cuts[node])
      if (!cut.isWhole())
        members[cut.dimensionClass].push_back(node);
  }
}

/// Walks and sweeps, at first with these prices. Returns the cost.
int64_t Chooser::search(const Start &first) {
  const auto count = unsigned(program.nodes.size());
  for (unsigned node = 0; node < count; ++node)
    choose(node, kUnset);
  prices = first;
  for (unsigned node = 0; node < count; ++node) {
    choose(node, 0);
    if (!first.isWhole)
      improveNode(node);
  }
  unsigned sweeps = 0;
  const bool isDear = first.parameters > 1 || first.exchanges > 1;
  for (; isDear && sweeps < kMostSweeps / 2; ++sweeps)
    if (!sweep(sweeps % 2 == 1))
      break;
  prices = Start();
  for (unsigned value = 0; value < values.size(); ++value)
    refresh(value);
  for (; sweeps < kMostSweeps; ++sweeps)
    if (!sweep(sweeps % 2 == 1))
      break;
  int64_t cost = 0;
  for (unsigned node = 0; node < count; ++node)
    cost = saturatingAdd(cost, computeCost(node, chosen[node]));
  for (const ReadValue &value : values)
    cost = saturatingAdd(cost, value.cost);
  return cost;
}

std::vector<TensorCut> Chooser::run() {
  made.resize(program.nodes.size());
  for (unsigned node = 0; node < program.nodes.size(); ++node)
    findReads(node);
  findMembers();
  std::vector<int> best;
  int64_t least = 0;
  for (const Start &first : kStarts)
    if (const int64_t cost = search(first); best.empty() || cost < least) {
      least = cost;
      best = chosen;
    }
  std::vector<TensorCut> result;
  for (unsigned node = 0; node < program.nodes.size(); ++node)
    result.push_back(classes.cuts[node][size_t(best[node])]);
  return result;
}

std::vector<TensorCut> train::chooseTiles(const TensorProgram &program,
                                          int64_t ranks,
                                          int64_t exchangeBytes) {
  return Chooser(program, ranks, exchangeBytes).run();
}

std::vector<TensorCut> train::chooseTiles(const TensorProgram &program,
                                          int64_t ranks, TensorChooser choose) {
  const DimensionClasses classes(program, ranks);
  std::vector<TensorCut> result;
  for (auto [node, cuts] : llvm::zip_equal(program.nodes, classes.cuts))
    result.push_back(
        cuts[node.op ? choose(node.op, static_cast<unsigned>(cuts.size()))
                     : 0]);
  return result;
}
