// See VerifyTiles.h.

#include "VerifyTiles.h"

#include "../Stages/Gradients.h"

#include "gensyn/Dialect/InternalError.h"
#include "gensyn/Dialect/Repro/IR/NodeInfo.h"
#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Dialect/Repro/IR/SplitOp.h"
#include "gensyn/Dialect/Repro/IR/TensorTypes.h"
#include "gensyn/Dialect/Train/Transforms/Stages.h"
#include "gensyn/Dialect/Train/Transforms/StepParts.h"
#include "gensyn/Dialect/Train/Transforms/Tensors.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::train;
using repro::IndexRange;
using repro::Tile;

namespace {
/// A tile of a value of the segments.
struct Part {
  Value of;
  Tile tile;
};
/// A value may be parts of several values: a reshape that changes nothing makes
/// no op.
using Parts = SmallVector<Part, 1>;

class TileVerifier {
public:
  explicit TileVerifier(const TensorProgram &program);

  LogicalResult verify(const BuiltPhase &phase);

private:
  const Parts &partsOf(Value value);
  Parts derive(Value value);
  Parts join(repro::ConcatOp op);
  bool isTile(Value value, Value of, ArrayRef<IndexRange> tile);
  void addArguments(func::FuncOp phase);
  LogicalResult add(const BuiltPiece &built, func::FuncOp phase);
  LogicalResult addResults(func::FuncOp phase);
  void printFound(raw_ostream &out, Value value, Value of);
  std::string describeFound(Value value, Value of, ArrayRef<IndexRange> tile);

  const TensorProgram &program;
  llvm::DenseMap<Value, std::unique_ptr<Parts>> known;
  llvm::StringMap<Parts> cuts;               ///< that phases have made
  llvm::StringMap<Value> arguments, results; ///< of the segments
};
} // namespace

TileVerifier::TileVerifier(const TensorProgram &program) : program(program) {
  for (func::FuncOp segment : program.segments) {
    for (BlockArgument argument : segment.getArguments())
      if (program.resolve(argument) == argument)
        arguments[nameOfArgument(segment, argument.getArgNumber())] = argument;
    for (auto [number, value] : llvm::enumerate(
             segment.getBody().front().getTerminator()->getOperands()))
      results[nameOfResult(segment, unsigned(number))] = program.resolve(value);
  }
}

/// Tiles with the same elements are equal.
static Tile normalized(ArrayRef<IndexRange> tile) {
  return llvm::map_to_vector(tile, [](const IndexRange &range) {
    return range.size > 1 ? range : IndexRange{range.begin, range.size};
  });
}

static Tile tileOfSlice(repro::SliceOp op, ArrayRef<IndexRange> from) {
  Tile tile;
  for (auto [range, start, stride, size] : llvm::zip_equal(
           from, op.getStart(), op.getStride(), repro::shapeOf(op.getResult())))
    tile.push_back(
        {range.begin + start * range.stride, size, stride * range.stride});
  return normalized(tile);
}

/// Appends a tile that continues `all` along `dim`; false if it does not.
static bool extend(Tile &all, ArrayRef<IndexRange> next, size_t dim) {
  for (auto [number, range] : llvm::enumerate(all))
    if (number != dim && range != next[number])
      return false;
  IndexRange &range = all[dim];
  if (range.stride != 1 || next[dim].stride != 1 ||
      next[dim].begin != range.begin + range.size)
    return false;
  range.size += next[dim].size;
  return true;
}

Parts TileVerifier::join(repro::ConcatOp op) {
  Parts joined;
  for (Part part : partsOf(op.getOperands().front())) {
    const bool fits =
        llvm::all_of(llvm::drop_begin(op.getOperands()), [&](Value operand) {
          return llvm::any_of(partsOf(operand), [&](const Part &next) {
            return next.of == part.of &&
                   extend(part.tile, next.tile, size_t(op.getDim()));
          });
        });
    if (fits)
      joined.push_back(std::move(part));
  }
  return joined;
}

Parts TileVerifier::derive(Value value) {
  if (auto concat = value.getDefiningOp<repro::ConcatOp>())
    return join(concat);
  auto slice = value.getDefiningOp<repro::SliceOp>();
  if (!slice)
    return {};
  return llvm::map_to_vector<1>(
      partsOf(slice.getOperand()), [&](const Part &part) {
        return Part{part.of, tileOfSlice(slice, part.tile)};
      });
}

const Parts &TileVerifier::partsOf(Value value) {
  if (auto found = known.find(value); found != known.end())
    return *found->second;
  auto parts = std::make_unique<Parts>(derive(value));
  return *(known[value] = std::move(parts));
}

/// Which elements a tile without any has does not matter.
bool TileVerifier::isTile(Value value, Value of, ArrayRef<IndexRange> tile) {
  const Tile expected = normalized(tile);
  const auto sizes = llvm::map_to_vector(
      tile, [](const IndexRange &range) { return range.size; });
  if (value.getType() != cast<RankedTensorType>(of.getType()).clone(sizes))
    return false;
  return isEmpty(tile) || llvm::any_of(partsOf(value), [&](const Part &part) {
           return part.of == of && part.tile == expected;
         });
}

static void print(raw_ostream &out, ArrayRef<IndexRange> tile) {
  out << "[";
  llvm::interleaveComma(tile, out, [&](const IndexRange &range) {
    out << range.begin << ":" << range.begin + range.size * range.stride;
    if (range.stride != 1)
      out << ":" << range.stride;
  });
  out << "]";
}

static std::string describe(Operation *op) {
  const std::string node = repro::readNodeInfo(op->getLoc()).name;
  return ("'" + op->getName().getStringRef() + "'" +
          (node.empty() ? "" : " of node '" + node + "'"))
      .str();
}

/// Says which tiles of `of` a value has, of each piece if they do not fit.
void TileVerifier::printFound(raw_ostream &out, Value value, Value of) {
  for (const Part &part : partsOf(value))
    if (part.of == of)
      return print(out, part.tile);
  auto concat = value.getDefiningOp<repro::ConcatOp>();
  if (!concat)
    out << "none";
  else
    llvm::interleave(
        concat.getOperands(), out,
        [&](Value operand) { printFound(out, operand, of); }, " and ");
}

std::string TileVerifier::describeFound(Value value, Value of,
                                        ArrayRef<IndexRange> tile) {
  std::string text;
  llvm::raw_string_ostream out(text);
  out << "elements ";
  printFound(out, value, of);
  Operation *op = of.getDefiningOp();
  out << " of "
      << (op ? "the result of " + describe(op)
             : "'" + program.nameOf(of).str() + "'")
      << ", expected ";
  print(out, tile);
  return text;
}

static Tile tileOfAttribute(Value of, Attribute described) {
  Tile tile = wholeTile(of);
  if (auto numbers = dyn_cast_or_null<DenseI64ArrayAttr>(described))
    for (auto [dim, range] : llvm::enumerate(tile))
      range = {numbers[2 * int64_t(dim)], numbers[2 * int64_t(dim) + 1]};
  return tile;
}

/// Tiles of sums and of what phases pass to each other; other arguments are
/// whole.
void TileVerifier::addArguments(func::FuncOp phase) {
  for (BlockArgument argument : phase.getArguments()) {
    const unsigned number = argument.getArgNumber();
    StringRef name = nameOfArgument(phase, number);
    auto parts = std::make_unique<Parts>();
    if (name.starts_with(kCutPrefix)) {
      *parts = cuts.lookup(name);
    } else {
      Value of = arguments.lookup(name);
      parts->push_back({of, normalized(tileOfAttribute(
                                of, phase.getArgAttr(number, kTileAttr)))});
    }
    known[argument] = std::move(parts);
  }
}

LogicalResult TileVerifier::add(const BuiltPiece &built, func::FuncOp phase) {
  Operation *op = built.op;
  const bool isSplittable = repro::isSplittable(op);
  const SmallVector<Tile> tiles =
      isSplittable ? repro::getOperandTiles(op, built.piece)
                   : llvm::map_to_vector(op->getOperands(), wholeTile);
  for (auto [number, value, tile] : llvm::enumerate(built.operands, tiles)) {
    Value of = program.resolve(op->getOperand(unsigned(number)));
    if (!isTile(value, of, tile))
      return asInternalError(emitError(op->getLoc(), "'"))
             << op->getName() << "' in @" << phase.getName()
             << " reads as operand " << number << " "
             << describeFound(value, of, tile);
  }
  for (auto [whole, value] : llvm::zip_equal(op->getResults(), built.results)) {
    const Tile tile = isSplittable && built.piece != repro::getWholePiece(op)
                          ? Tile(ArrayRef(built.piece)
                                     .take_front(repro::shapeOf(whole).size()))
                          : wholeTile(whole);
    auto &parts = known[value];
    if (!parts)
      parts = std::make_unique<Parts>();
    parts->push_back({whole, normalized(tile)});
    if (!isTile(value, whole, tile))
      return asInternalError(emitError(op->getLoc(), "'"))
             << op->getName() << "' in @" << phase.getName() << " makes "
             << value.getType() << ", expected another tile of "
             << whole.getType();
  }
  return success();
}

LogicalResult TileVerifier::addResults(func::FuncOp phase) {
  Operation *end = phase.getBody().front().getTerminator();
  for (OpOperand &operand : end->getOpOperands()) {
    const unsigned number = operand.getOperandNumber();
    StringRef name = nameOfResult(phase, number);
    Value value = operand.get();
    if (name.starts_with(kCutPrefix)) {
      cuts[name] = partsOf(value);
      continue;
    }
    Value of = results.lookup(name);
    const Tile tile =
        tileOfAttribute(of, phase.getResultAttr(number, kTileAttr));
    if (!isTile(value, of, tile))
      return asInternalError(emitError(phase.getLoc(), "@"))
             << phase.getName() << " returns as '" << name << "' "
             << describeFound(value, of, tile);
  }
  return success();
}

LogicalResult TileVerifier::verify(const BuiltPhase &phase) {
  addArguments(phase.function);
  for (const BuiltPiece &built : phase.pieces)
    if (failed(add(built, phase.function)))
      return failure();
  return addResults(phase.function);
}

LogicalResult train::verifyTiles(const TensorProgram &program,
                                 ArrayRef<BuiltPhase> phases) {
  TileVerifier verifier(program);
  for (const BuiltPhase &phase : phases)
    if (failed(verifier.verify(phase)))
      return failure();
  return success();
}
