// See PhaseBuilder.h.

#include "PhaseBuilder.h"

#include "gensyn/Dialect/Gensyn/IR/Gensyn.h"
#include "gensyn/Dialect/Repro/IR/SplitOp.h"
#include "gensyn/Dialect/Repro/IR/TensorTypes.h"
#include "gensyn/Dialect/Train/Transforms/Stages.h"
#include "gensyn/Dialect/Train/Transforms/StepParts.h"
#include "gensyn/Dialect/Train/Transforms/Tensors.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::train;
using repro::IndexRange;
using repro::Tile;

PhaseBuilder::PhaseBuilder(const Places &places, PhaseId id, OpBuilder &outer,
                           StringRef name, ParameterTiles &parameters)
    : places(places), program(places.program), id(id),
      stage(program.stageOf(id.segment)), builder(outer.getContext()),
      parameters(parameters) {
  func::FuncOp like = program.segments[id.segment];
  function = func::FuncOp::create(outer, like.getLoc(), name,
                                  outer.getFunctionType({}, {}));
  builder.setInsertionPointToEnd(function.addEntryBlock());
}

DictionaryAttr PhaseBuilder::describe(StringRef name, Role role) const {
  MLIRContext *context = builder.getContext();
  Builder attributes(context);
  return attributes.getDictionaryAttr(
      {attributes.getNamedAttr(program::kNameAttr,
                               attributes.getStringAttr(name)),
       attributes.getNamedAttr(program::kRoleAttr,
                               program::getRoleAttr(context, role))});
}

/// Adds the tile to the attributes of a sum that is divided.
static DictionaryAttr withTile(DictionaryAttr attributes,
                               ArrayRef<IndexRange> tile,
                               ArrayRef<int64_t> shape) {
  NamedAttrList list(attributes);
  if (!llvm::equal(tile, llvm::map_range(shape, IndexRange::whole)))
    list.set(kTileAttr,
             DenseI64ArrayAttr::get(attributes.getContext(), numbersOf(tile)));
  return list.getDictionary(attributes.getContext());
}

static RankedTensorType typeOfTile(Type type, ArrayRef<IndexRange> tile) {
  return cast<RankedTensorType>(type).clone(llvm::map_to_vector(
      tile, [](const IndexRange &range) { return range.size; }));
}

Value PhaseBuilder::argumentFor(Value like, Type type,
                                DictionaryAttr attributes) {
  argumentAttributes.push_back(attributes);
  return function.getBody().front().addArgument(type, like.getLoc());
}

/// The argument for one of the segments; of a sum the tile.
Value PhaseBuilder::argumentOf(Value value, ArrayRef<IndexRange> tile) {
  Block &block = function.getBody().front();
  if (auto found = arguments.find(value); found != arguments.end())
    return block.getArgument(found->second);
  auto like = cast<BlockArgument>(value);
  auto owner = cast<func::FuncOp>(like.getOwner()->getParentOp());
  DictionaryAttr attributes = owner.getArgAttrDict(like.getArgNumber());
  Type type = value.getType();
  if (program.isSum(value)) {
    type = typeOfTile(type, tile);
    attributes = withTile(attributes, tile, repro::shapeOf(value));
  }
  arguments[value] = block.getNumArguments();
  return argumentFor(value, type, attributes);
}

/// A tile that another function has made of a value; sets `tile`.
Value PhaseBuilder::travelled(Value value, size_t rank, Tile &tile) {
  for (const TravellingTile &one : places.travelling(value, rank)) {
    if (!llvm::is_contained(one.readers, id))
      continue;
    tile = one.tile;
    Value &argument = cutArguments[one.number];
    if (!argument)
      argument = argumentFor(
          value, typeOfTile(value.getType(), tile),
          describe((kCutPrefix + Twine(one.number)).str(), Role::Input));
    return argument;
  }
  llvm_unreachable("a tile is read that does not travel");
}

/// A tile of a node's result from the parts of the ranks.
Value PhaseBuilder::join(Value value, ArrayRef<IndexRange> tile) {
  const unsigned node = *program.nodeOf(value);
  SmallVector<Value> parts;
  for (const auto &[rank, part] :
       places.findMakers(value, tile, stage, id.rank)) {
    Tile from = places.partOf(node, value, rank);
    Value source = places.phaseOf(node, rank) == id
                       ? made.lookup(value)
                       : travelled(value, rank, from);
    parts.push_back(repro::buildTile(builder, value.getLoc(), source,
                                     relativeTo(part, from)));
  }
  if (parts.size() == 1)
    return parts.front();
  return repro::ConcatOp::create(builder, value.getLoc(), parts,
                                 uint64_t(places.cuts[node].dim));
}

static void addTile(SmallVectorImpl<Tile> &tiles, ArrayRef<IndexRange> tile) {
  for (const Tile &other : tiles)
    if (llvm::equal(intersect(other, tile), tile))
      return;
  llvm::erase_if(tiles, [&](const Tile &other) {
    return llvm::equal(intersect(other, tile), other);
  });
  tiles.emplace_back(tile);
}

Value PhaseBuilder::denseTileOf(Value value, ArrayRef<IndexRange> tile) {
  if (program.nodeOf(value))
    return join(value, tile);
  Operation *op = value.getDefiningOp();
  if (op && repro::isSplittable(op)) {
    const Tile piece = pieceOfTile(op, tile);
    return repro::buildTile(
        builder, op->getLoc(), build(op, piece).front(),
        relativeTo(tile, ArrayRef(piece).take_front(tile.size())));
  }
  if (op)
    return repro::buildTile(builder, op->getLoc(), build(op, {}).front(), tile);
  Value argument = argumentOf(value, tile);
  if (program.isSum(value))
    return argument;
  if (program.isParameter(value))
    addTile(parameters[value], tile);
  return repro::buildTile(builder, value.getLoc(), argument, tile);
}

Value PhaseBuilder::tileOf(Value value, ArrayRef<IndexRange> tile) {
  value = program.resolve(value);
  const Tile dense = denseTile(tile);
  if (isEmpty(dense))
    return repro::ConstantOp::create(
        builder, value.getLoc(),
        DenseElementsAttr::get(typeOfTile(value.getType(), tile),
                               ArrayRef<Attribute>()));
  auto &known = built[value];
  auto *found =
      llvm::find_if(known, [&](const auto &one) { return one.first == dense; });
  Value whole;
  if (found != known.end()) {
    whole = found->second;
  } else {
    whole = denseTileOf(value, dense);
    built[value].emplace_back(dense, whole);
  }
  return repro::buildTile(
      builder, value.getLoc(), whole,
      llvm::map_to_vector(tile, [](const IndexRange &range) {
        return IndexRange{0, range.size, range.size > 1 ? range.stride : 1};
      }));
}

/// A piece of an op; the op itself if it has no pieces, or this is the whole.
SmallVector<Value> PhaseBuilder::build(Operation *op,
                                       ArrayRef<IndexRange> piece) {
  const bool isSplittable = repro::isSplittable(op);
  SmallVector<Tile> tiles =
      isSplittable ? repro::getOperandTiles(op, piece)
                   : llvm::map_to_vector(op->getOperands(), wholeTile);
  SmallVector<Value> operands;
  bool isWhole = !isSplittable || llvm::equal(piece, repro::getWholePiece(op));
  for (auto [operand, tile] : llvm::zip_equal(op->getOperands(), tiles)) {
    operands.push_back(tileOf(operand, tile));
    isWhole &= operands.back().getType() == operand.getType();
  }
  SmallVector<Value> results;
  if (isWhole) {
    IRMapping mapping;
    mapping.map(op->getOperands(), operands);
    llvm::append_range(results, builder.clone(*op, mapping)->getResults());
  } else {
    results = repro::buildPiece(builder, op, operands, piece);
  }
  pieces.push_back({op, Tile(piece), operands, results});
  return results;
}

void PhaseBuilder::addReturned(const TensorNode &node, Value value,
                               ArrayRef<IndexRange> part) {
  func::FuncOp segment = program.segments[node.segment];
  results.push_back(value);
  Value whole = node.op ? node.op->getResult(0) : node.result;
  resultAttributes.push_back(withTile(segment.getResultAttrDict(*node.returned),
                                      part, repro::shapeOf(whole)));
  auto replaced = segment->getAttrOfType<DenseI64ArrayAttr>(kPartDonatedAttr);
  int64_t argument = -1;
  if (replaced && replaced[*node.returned] >= 0)
    if (auto found = arguments.find(program.resolve(segment.getArgument(
            static_cast<unsigned>(replaced[*node.returned]))));
        found != arguments.end())
      argument = found->second;
  donated.push_back(argument);
}

void PhaseBuilder::add(unsigned number) {
  const TensorNode &node = program.nodes[number];
  if (!node.op) {
    const Tile whole = wholeTile(node.result);
    return addReturned(node, tileOf(node.result, whole), whole);
  }
  nodes.push_back(number);
  const SmallVector<Value> values =
      build(node.op, places.pieceOf(number, id.rank));
  for (auto [result, value] : llvm::zip_equal(node.op->getResults(), values))
    made[result] = value;
  if (node.returned)
    addReturned(node, values.front(),
                places.partOf(number, node.op->getResult(0), id.rank));
}

void PhaseBuilder::addTravelling(unsigned number) {
  for (Value result : program.nodes[number].op->getResults())
    for (const TravellingTile &one : places.travelling(result, id.rank)) {
      const Tile part = places.partOf(number, result, id.rank);
      results.push_back(repro::buildTile(builder, result.getLoc(),
                                         made.lookup(result),
                                         relativeTo(one.tile, part)));
      resultAttributes.push_back(
          describe((kCutPrefix + Twine(one.number)).str(), Role::Output));
      donated.push_back(-1);
    }
}

BuiltPhase PhaseBuilder::finish() {
  for (unsigned node : nodes)
    addTravelling(node);
  func::ReturnOp::create(builder, function.getLoc(), results);
  function.setType(
      builder.getFunctionType(function.getBody().front().getArgumentTypes(),
                              ValueRange(results).getTypes()));
  auto dictionaries = [](ArrayRef<Attribute> attributes) {
    return llvm::map_to_vector(attributes, [](Attribute attribute) {
      return cast<DictionaryAttr>(attribute);
    });
  };
  function.setAllArgAttrs(dictionaries(argumentAttributes));
  function.setAllResultAttrs(dictionaries(resultAttributes));
  function->setAttr(kPartDonatedAttr, builder.getDenseI64ArrayAttr(donated));
  function->setAttr(kStageAttr, builder.getI64IntegerAttr(stage));
  function->setAttr(kTensorAttr, builder.getI64IntegerAttr(id.rank));
  function->setAttr(kPhaseOfAttr, builder.getI64IntegerAttr(id.segment));
  return {function, std::move(pieces)};
}
