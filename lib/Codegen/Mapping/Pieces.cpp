// See Pieces.h.

#include "Pieces.h"

#include "Cost.h"
#include "gensyn/Codegen/Plan/Plan.h"
#include "gensyn/Dialect/Repro/IR/Faults.h"
#include "gensyn/Dialect/Repro/IR/SplitOp.h"
#include "gensyn/Dialect/Repro/IR/TensorTypes.h"

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

/// Where the fault words of a piece count.
static ArrayAttr describeFaults(KernelOp part) {
  SmallVector<Attribute> faults;
  Builder builder(part.getContext());
  for (Operation *op : part.getFaultingOps()) {
    SmallVector<int64_t> numbers;
    auto slot = op->getAttrOfType<IntegerAttr>(kFaultSlotAttr);
    numbers.push_back(slot ? slot.getInt() : 0);
    if (auto tile = op->getAttrOfType<DenseI64ArrayAttr>(kFaultTileAttr))
      llvm::append_range(numbers, tile.asArrayRef());
    faults.push_back(builder.getDenseI64ArrayAttr(numbers));
  }
  return faults.empty() ? ArrayAttr() : builder.getArrayAttr(faults);
}

FailureOr<Piece> PieceTable::find(KernelOp kernel, ArrayRef<IndexRange> piece,
                                  ArrayRef<bool> inPlace) {
  const SmallVector<Tile> operands = getOperandTiles(kernel, piece);
  const mlir::Location location = kernel.getLoc();
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  SmallVector<Type> types;
  for (auto [input, tile, whole] :
       llvm::zip_equal(kernel.getInputs(), operands, inPlace)) {
    SmallVector<int64_t> shape;
    for (const IndexRange &range : tile)
      shape.push_back(range.size);
    types.push_back(whole ? input.getType() : typeOf(input).clone(shape));
  }
  auto function = func::FuncOp::create(builder, location, "piece",
                                       builder.getFunctionType(types, {}));
  Block *entry = function.addEntryBlock();
  builder.setInsertionPointToEnd(entry);
  // Tiles of what is in place get a type of their own first.
  SmallVector<Value> tiles(entry->getArguments());
  SmallVector<Operation *> slices;
  for (auto [value, tile, whole] : llvm::zip_equal(tiles, operands, inPlace))
    if (whole) {
      Value read = buildTile(builder, location, value, tile);
      if (read != value)
        slices.push_back(read.getDefiningOp());
      value = read;
    }
  SmallVector<Value> results = buildPiece(builder, kernel, tiles, piece);
  if (results.empty()) {
    function.erase();
    return kernel.emitOpError("'" + kernel.getSym() +
                              "': a piece of it cannot be built");
  }
  auto part = cast<KernelOp>(results.front().getDefiningOp());
  for (auto [number, whole] : llvm::enumerate(inPlace))
    if (whole)
      readInPlace(part, unsigned(number), entry->getArgument(unsigned(number)),
                  operands[number]);
  for (Operation *slice : slices)
    slice->erase();
  Piece result;
  result.faults = describeFaults(part);
  result.tiles = operands;
  llvm::append_range(result.tiles, getResultTiles(kernel, piece));

  const std::string text = codegen::printKernel(part);
  auto [found, isNew] = known.try_emplace(text);
  if (!isNew) {
    function.erase();
    result.function = found->second;
    return result;
  }
  const std::string name = codegen::nameKernel(part, text);
  func::ReturnOp::create(builder, location, results);
  function.setType(
      builder.getFunctionType(types, ValueRange(results).getTypes()));
  function.setName(name);
  function.setPrivate();
  result.function = found->second = FlatSymbolRefAttr::get(function);
  return result;
}

} // namespace gensyn::mapping
