// Checks the functions of ranks by their arguments and results alone; see
// BuildPhases.h.

#include "BuildPhases.h"

#include "../Stages/Gradients.h"

#include "gensyn/Dialect/InternalError.h"
#include "gensyn/Dialect/Train/Transforms/Stages.h"
#include "gensyn/Dialect/Train/Transforms/StepParts.h"
#include "gensyn/Dialect/Train/Transforms/Tensors.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::train;
using repro::IndexRange;
using repro::Tile;

namespace {
class PhaseVerifier {
public:
  explicit PhaseVerifier(ArrayRef<func::FuncOp> segments);

  LogicalResult addPhase(func::FuncOp phase);
  LogicalResult finish(Location location) const;

private:
  /// The tile of a value of `type` that an argument or result is; none if its
  /// type is another.
  static std::optional<Tile> tileOf(Type whole, Type type, Attribute tile);

  /// Arguments and results of the segments, by name.
  llvm::StringMap<Type> arguments;
  llvm::MapVector<StringRef, Type> results;
  /// What phases have made so far.
  llvm::StringMap<Type> cuts;
  llvm::StringMap<SmallVector<Tile>> made;
};
} // namespace

PhaseVerifier::PhaseVerifier(ArrayRef<func::FuncOp> segments) {
  for (func::FuncOp segment : segments) {
    for (BlockArgument argument : segment.getArguments())
      arguments[nameOfArgument(segment, argument.getArgNumber())] =
          argument.getType();
    for (auto [number, type] : llvm::enumerate(segment.getResultTypes())) {
      StringRef name = nameOfResult(segment, static_cast<unsigned>(number));
      if (!name.starts_with(kCutPrefix))
        results[name] = type;
    }
  }
}

std::optional<Tile> PhaseVerifier::tileOf(Type whole, Type type,
                                          Attribute described) {
  auto tensor = cast<RankedTensorType>(whole);
  Tile tile = llvm::map_to_vector(tensor.getShape(), IndexRange::whole);
  if (auto numbers = dyn_cast_or_null<DenseI64ArrayAttr>(described)) {
    if (numbers.size() != 2 * tensor.getRank())
      return std::nullopt;
    for (auto [dim, range] : llvm::enumerate(tile)) {
      range = {numbers[2 * int64_t(dim)], numbers[2 * int64_t(dim) + 1]};
      if (range.begin < 0 || range.size < 0 ||
          range.begin + range.size > tensor.getDimSize(unsigned(dim)))
        return std::nullopt;
    }
  }
  const auto shape = llvm::map_to_vector(
      tile, [](const IndexRange &range) { return range.size; });
  if (type != tensor.clone(shape))
    return std::nullopt;
  return tile;
}

LogicalResult PhaseVerifier::addPhase(func::FuncOp phase) {
  llvm::StringMap<Tile> read;
  for (BlockArgument argument : phase.getArguments()) {
    const unsigned number = argument.getArgNumber();
    StringRef name = nameOfArgument(phase, number);
    const bool isCut = name.starts_with(kCutPrefix);
    Type whole = isCut ? cuts.lookup(name) : arguments.lookup(name);
    Attribute described = phase.getArgAttr(number, kTileAttr);
    auto tile =
        whole ? tileOf(whole, argument.getType(), described) : std::nullopt;
    if (!tile || (described && !name.starts_with(kSumPrefix)))
      return asInternalError(emitError(phase.getLoc(), "@"))
             << phase.getName() << " reads '" << name << "' as "
             << argument.getType()
             << ", which is no argument of a segment and not made before";
    read[name] = *tile;
  }
  for (auto [index, type] : llvm::enumerate(phase.getResultTypes())) {
    const auto number = static_cast<unsigned>(index);
    StringRef name = nameOfResult(phase, number);
    if (name.starts_with(kCutPrefix)) {
      if (!cuts.try_emplace(name, type).second)
        return asInternalError(emitError(phase.getLoc(), "@"))
               << phase.getName() << " makes '" << name << "' again";
      continue;
    }
    auto whole = results.find(name);
    auto tile = whole == results.end()
                    ? std::nullopt
                    : tileOf(whole->second, type,
                             phase.getResultAttr(number, kTileAttr));
    auto before = read.find(name);
    if (!tile || (before != read.end() && before->second != *tile))
      return asInternalError(emitError(phase.getLoc(), "@"))
             << phase.getName() << " returns '" << name << "' as " << type
             << ", which is no tile of it, or not the tile that it reads";
    made[name].push_back(*tile);
  }
  return success();
}

static int64_t countElements(ArrayRef<IndexRange> tile) {
  int64_t count = 1;
  for (const IndexRange &range : tile)
    count *= range.size;
  return count;
}

/// Tiles that do not overlap and have as many elements as the whole cover it.
LogicalResult PhaseVerifier::finish(Location location) const {
  for (const auto &[name, type] : results) {
    int64_t count = 0;
    bool overlap = false;
    const auto found = made.find(name);
    ArrayRef<Tile> tiles =
        found == made.end() ? ArrayRef<Tile>() : found->second;
    for (auto [number, tile] : llvm::enumerate(tiles)) {
      count += countElements(tile);
      for (const Tile &other : tiles.take_front(number))
        overlap |= countElements(intersect(tile, other)) > 0;
    }
    if (tiles.empty() || overlap ||
        count != cast<RankedTensorType>(type).getNumElements())
      return asInternalError(emitError(location, "the ranks' tiles of '"))
             << name << "' do not have each element once";
  }
  return success();
}

LogicalResult train::verifyPhases(ArrayRef<func::FuncOp> segments,
                                  ArrayRef<func::FuncOp> phases) {
  PhaseVerifier verifier(segments);
  for (func::FuncOp phase : phases)
    if (failed(verifier.addPhase(phase)))
      return failure();
  func::FuncOp first = segments.front();
  return verifier.finish(first.getLoc());
}
