// See Notes.h.

#include "Notes.h"

#include "Cost.h"
#include "gensyn/Dialect/Repro/IR/SplitOp.h"
#include "gensyn/Dialect/Repro/IR/TensorTypes.h"
#include "gensyn/Dialect/Task/IR/Task.h"

using namespace mlir;
using namespace gensyn::repro;

namespace gensyn::mapping {

/// Into how many parts a dimension may be cut.
static int64_t mostParts(Split split, int64_t extent) {
  switch (split.kind) {
  case Split::Kind::Free:
  case Split::Kind::Any:
  case Split::Kind::Chain:
    return extent;
  case Split::Kind::Blocks:
    return llvm::divideCeilSigned(extent, split.size);
  case Split::Kind::Lanes:
    return std::min(split.size, extent);
  case Split::Kind::None:
    return 1;
  }
  llvm_unreachable("a kind of split");
}

static const char *nameOf(Split::Kind kind) {
  switch (kind) {
  case Split::Kind::Free:
    return "free";
  case Split::Kind::Any:
    return "any";
  case Split::Kind::Blocks:
    return "blocks";
  case Split::Kind::Lanes:
    return "lanes";
  case Split::Kind::Chain:
    return "chain";
  case Split::Kind::None:
    return "none";
  }
  llvm_unreachable("a kind of split");
}

static Note::Dimension &addDimension(Note &note, int64_t extent, Split split) {
  Note::Dimension &dimension = *note.add_dimensions();
  dimension.set_extent(extent);
  dimension.set_parts(1);
  dimension.set_most(mostParts(split, extent));
  dimension.set_split(nameOf(split.kind));
  return dimension;
}

/// The dimensions of the kernel's results, and those over which its ops sum.
static void addDimensions(KernelOp kernel, Note &note) {
  ArrayRef<int64_t> sizes;
  if (auto parts = kernel->getAttrOfType<DenseI64ArrayAttr>(task::kPartsAttr))
    sizes = parts.asArrayRef();
  const SmallVector<int64_t> extents = getSplitExtents(kernel);
  for (auto [index, split] : llvm::enumerate(getSplits(kernel))) {
    Note::Dimension &dimension = addDimension(note, extents[index], split);
    if (index < sizes.size() && sizes[index] > 0)
      dimension.set_parts(llvm::divideCeilSigned(extents[index], sizes[index]));
  }
  for (Operation &op : kernel.getBlock().without_terminator()) {
    if (!isa<SplitOpInterface>(op))
      continue;
    // All points of a sum together: its order does not know dimensions.
    const size_t rank = shapeOf(op.getResult(0)).size();
    int64_t points = 1, most = 1;
    Split best = {Split::Kind::None, 1};
    const SmallVector<int64_t> own = getSplitExtents(&op);
    const SmallVector<Split> splits = getSplits(&op);
    for (auto [extent, split] :
         llvm::zip_equal(ArrayRef(own).drop_front(rank),
                         ArrayRef(splits).drop_front(rank))) {
      points *= extent;
      const bool isBetter =
          best.kind == Split::Kind::None || best.kind == Split::Kind::Chain;
      if (extent < 2 || split.kind == Split::Kind::None ||
          (split.kind == Split::Kind::Chain && !isBetter))
        continue;
      const int64_t parts = mostParts(split, extent);
      if (split.kind != Split::Kind::Chain && isBetter)
        most = 1;
      best = split;
      most = std::max(most, parts);
    }
    if (points < 2)
      continue;
    Note::Dimension &dimension = *note.add_dimensions();
    dimension.set_extent(points);
    dimension.set_parts(1);
    dimension.set_most(most);
    dimension.set_split(nameOf(best.kind));
    dimension.set_is_reduced(true);
    if (auto ordered = dyn_cast<OrderedOpInterface>(op))
      if (auto order =
              dyn_cast_if_present<OrderAttr>(ordered.getAssignedOrder()))
        dimension.set_order(order.getOrder().print());
  }
}

void addNotes(func::FuncOp main, const machine::Description &machine,
              Mapping &mapping) {
  uint32_t launch = 0;
  main.walk([&](KernelOp kernel) {
    Note note;
    note.set_launch(launch++);
    note.set_parts(uint32_t(task::getParts(kernel).size()));
    int64_t share = 1;
    if (auto attribute = kernel->getAttrOfType<IntegerAttr>(task::kShareAttr))
      share = std::max<int64_t>(attribute.getInt(), 1);
    note.set_cores(uint32_t(
        int64_t(PieceCosts(kernel, machine).getCores().size()) / share));
    if (auto inPlace =
            kernel->getAttrOfType<DenseBoolArrayAttr>(task::kInPlaceAttr))
      for (auto [number, isInPlace] : llvm::enumerate(inPlace.asArrayRef()))
        if (isInPlace) {
          const size_t operands = kernel.getInputs().size();
          const bool isResult = number >= operands;
          Value value = isResult ? kernel.getResults()[number - operands]
                                 : kernel.getInputs()[number];
          Note::Operand &operand = *note.add_in_place();
          operand.set_number(uint32_t(isResult ? number - operands : number));
          operand.set_is_result(isResult);
          operand.set_bytes(bytesOf(
              value, llvm::map_to_vector(shapeOf(value), IndexRange::whole)));
        }
    if (note.parts() >= note.cores() && note.in_place().empty())
      return;
    addDimensions(kernel, note);
    *mapping.add_notes() = std::move(note);
  });
}

} // namespace gensyn::mapping
