// See Pieces.h.

#include "Pieces.h"

#include "Cost.h"
#include "gensyn/Codegen/Plan/Plan.h"
#include "gensyn/Dialect/Repro/IR/Faults.h"
#include "gensyn/Dialect/Repro/IR/SplitOp.h"
#include "gensyn/Dialect/Repro/IR/TensorTypes.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/OperationSupport.h"

using namespace mlir;
using namespace gensyn::repro;

namespace gensyn::mapping {

KernelOp getPieceKernel(func::FuncOp function) {
  return *function.getOps<KernelOp>().begin();
}

/// Makes an operand of a piece the whole tensor, of which the piece reads a
/// tile.
static void readInPlace(KernelOp part, unsigned operand, Value whole,
                        ArrayRef<IndexRange> tile) {
  BlockArgument argument = part.getBlock().getArgument(operand);
  part.getInputsMutable()[operand].set(whole);
  argument.setType(whole.getType());
  OpBuilder builder = OpBuilder::atBlockBegin(&part.getBlock());
  Value read = buildTile(builder, part.getLoc(), argument, tile);
  if (read != argument)
    argument.replaceAllUsesExcept(read, read.getDefiningOp());
}

/// Where the fault words of a piece count. Takes that from its ops.
static ArrayAttr takeFaults(KernelOp part) {
  SmallVector<Attribute> faults;
  Builder builder(part.getContext());
  for (Operation *op : part.getFaultingOps()) {
    SmallVector<int64_t> numbers;
    auto slot = op->getAttrOfType<IntegerAttr>(kFaultSlotAttr);
    numbers.push_back(slot ? slot.getInt() : 0);
    if (auto tile = op->getAttrOfType<DenseI64ArrayAttr>(kFaultTileAttr))
      llvm::append_range(numbers, tile.asArrayRef());
    // Pieces that differ in nothing else share a function.
    op->removeAttr(kFaultTileAttr);
    op->removeAttr(kFaultSlotAttr);
    faults.push_back(builder.getDenseI64ArrayAttr(numbers));
  }
  return faults.empty() ? ArrayAttr() : builder.getArrayAttr(faults);
}

/// A hash that equal kernels share, whatever their names and locations.
static llvm::hash_code hashOf(KernelOp part) {
  llvm::DenseMap<Value, unsigned> numbers;
  llvm::hash_code hash(0);
  auto number = [&](Value value) {
    numbers.try_emplace(value, unsigned(numbers.size()));
    hash = llvm::hash_combine(hash, value.getType().getAsOpaquePointer());
  };
  llvm::for_each(part.getBlock().getArguments(), number);
  for (Operation &op : part.getBlock()) {
    hash = llvm::hash_combine(hash, op.getName(), op.getRawDictionaryAttrs(),
                              op.hashProperties());
    for (Value operand : op.getOperands())
      hash = llvm::hash_combine(hash, numbers.lookup(operand));
    llvm::for_each(op.getResults(), number);
  }
  return hash;
}

static bool areEqual(KernelOp a, KernelOp b) {
  return OperationEquivalence::isRegionEquivalentTo(
      &a.getBody(), &b.getBody(), OperationEquivalence::IgnoreLocations);
}

FailureOr<KernelOp> PieceTable::build(KernelOp kernel,
                                      ArrayRef<IndexRange> piece,
                                      ArrayRef<Tile> operands,
                                      ArrayRef<bool> inPlace, Block &block) {
  const mlir::Location location = kernel.getLoc();
  OpBuilder builder(kernel.getContext());
  builder.setInsertionPointToEnd(&block);
  SmallVector<Value> tiles;
  for (auto [input, tile, whole] :
       llvm::zip_equal(kernel.getInputs(), operands, inPlace)) {
    SmallVector<int64_t> shape;
    for (const IndexRange &range : tile)
      shape.push_back(range.size);
    tiles.push_back(block.addArgument(
        whole ? typeOf(input) : typeOf(input).clone(shape), location));
  }
  // The piece is built from tiles, also of what is in place.
  SmallVector<Value> arguments = tiles;
  SmallVector<Operation *> slices;
  for (auto [value, tile, whole] : llvm::zip_equal(tiles, operands, inPlace))
    if (whole) {
      Value read = buildTile(builder, location, value, tile);
      if (read != value)
        slices.push_back(read.getDefiningOp());
      value = read;
    }
  SmallVector<Value> results = buildPiece(builder, kernel, tiles, piece);
  if (results.empty())
    return kernel.emitOpError("'" + kernel.getSym() +
                              "': a piece of it cannot be built");
  auto part = cast<KernelOp>(results.front().getDefiningOp());
  for (auto [number, whole] : llvm::enumerate(inPlace))
    if (whole)
      readInPlace(part, unsigned(number), arguments[number], operands[number]);
  for (Operation *slice : slices)
    slice->erase();
  return part;
}

FlatSymbolRefAttr PieceTable::addFunction(KernelOp part) {
  Block &block = *part->getBlock();
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  auto function = func::FuncOp::create(
      builder, part.getLoc(),
      codegen::nameKernel(part, codegen::printKernel(part)),
      builder.getFunctionType(block.getArgumentTypes(), part.getResultTypes()));
  function.setPrivate();
  Block *entry = function.addEntryBlock();
  IRMapping mapping;
  mapping.map(block.getArguments(), entry->getArguments());
  builder.setInsertionPointToEnd(entry);
  auto copy = cast<KernelOp>(builder.clone(*part, mapping));
  func::ReturnOp::create(builder, part.getLoc(), copy.getResults());
  known[hashOf(copy)].push_back({copy, FlatSymbolRefAttr::get(function)});
  return FlatSymbolRefAttr::get(function);
}

unsigned PieceTable::formOf(KernelOp kernel) {
  auto [found, isNew] = forms.try_emplace(kernel);
  if (isNew) {
    // Where it runs is not part of its form.
    OwningOpRef<KernelOp> copy = kernel.clone();
    SmallVector<StringAttr> names;
    for (NamedAttribute attribute : (*copy)->getDiscardableAttrs())
      names.push_back(attribute.getName());
    for (StringAttr name : names)
      (*copy)->removeDiscardableAttr(name);
    found->second = formNumbers
                        .try_emplace(codegen::printKernel(*copy),
                                     unsigned(formNumbers.size()))
                        .first->second;
  }
  return found->second;
}

FailureOr<Piece> PieceTable::find(KernelOp kernel, ArrayRef<IndexRange> piece,
                                  ArrayRef<bool> inPlace) {
  // Fault words of equal kernels have slots of their own.
  if (!kernel.getFaultingOps().empty())
    return make(kernel, piece, inPlace);
  std::vector<int64_t> key = {int64_t(formOf(kernel))};
  key.insert(key.end(), inPlace.begin(), inPlace.end());
  for (const IndexRange &range : piece)
    key.insert(key.end(), {range.begin, range.size});
  auto [found, isNew] = made.try_emplace(std::move(key));
  if (!isNew)
    return found->second;
  FailureOr<Piece> result = make(kernel, piece, inPlace);
  if (succeeded(result))
    found->second = *result;
  return result;
}

FailureOr<Piece> PieceTable::make(KernelOp kernel, ArrayRef<IndexRange> piece,
                                  ArrayRef<bool> inPlace) {
  Piece result;
  result.tiles = getOperandTiles(kernel, piece);
  Block block;
  FailureOr<KernelOp> part = build(kernel, piece, result.tiles, inPlace, block);
  if (failed(part))
    return failure();
  llvm::append_range(result.tiles, getResultTiles(kernel, piece));
  result.faults = takeFaults(*part);
  for (const Known &other : known.lookup(hashOf(*part)))
    if (areEqual(other.part, *part)) {
      result.function = other.function;
      return result;
    }
  result.function = addFunction(*part);
  return result;
}

} // namespace gensyn::mapping
