// The attributes that map a kernel, and their verifiers.

#include "gensyn/Dialect/Repro/IR/SplitOp.h"
#include "gensyn/Dialect/Task/IR/Task.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

#include "llvm/Support/MathExtras.h"

#include <string>

using namespace mlir;
using namespace gensyn::repro;

namespace gensyn::task {

SmallVector<Tile> getBoxes(ArrayRef<IndexRange> whole,
                           ArrayRef<int64_t> sizes) {
  SmallVector<Tile> boxes = {Tile()};
  for (auto [range, size] : llvm::zip_equal(whole, sizes)) {
    SmallVector<Tile> longer;
    for (const Tile &box : boxes)
      for (int64_t begin = 0; begin == 0 || begin < range.size; begin += size) {
        longer.push_back(box);
        longer.back().push_back(
            {range.begin + begin, std::min(size, range.size - begin), 1});
      }
    boxes = std::move(longer);
  }
  return boxes;
}

int64_t countBoxes(ArrayRef<IndexRange> whole, ArrayRef<int64_t> sizes) {
  int64_t count = 1;
  for (auto [range, size] : llvm::zip_equal(whole, sizes))
    count *= std::max<int64_t>(llvm::divideCeil(range.size, size), 1);
  return count;
}

static SmallVector<Tile> getBoxes(KernelOp kernel, StringRef attribute,
                                  ArrayRef<IndexRange> whole) {
  auto sizes = kernel->getAttrOfType<DenseI64ArrayAttr>(attribute);
  return sizes ? getBoxes(whole, sizes.asArrayRef())
               : SmallVector<Tile>{Tile(whole)};
}

SmallVector<Tile> getParts(KernelOp kernel) {
  return getBoxes(kernel, kPartsAttr, getWholePiece(kernel));
}

SmallVector<KindParts> getKindParts(KernelOp kernel) {
  SmallVector<KindParts> kinds;
  if (auto pairs = kernel->getAttrOfType<DenseI32ArrayAttr>(kKindsAttr))
    for (ArrayRef<int32_t> rest = pairs.asArrayRef(); rest.size() >= 2;
         rest = rest.drop_front(2))
      kinds.push_back({uint32_t(rest[0]), rest[1]});
  return kinds;
}

SmallVector<Tile> getTiles(KernelOp kernel, ArrayRef<IndexRange> part) {
  auto sizes = kernel->getAttrOfType<DenseI64ArrayAttr>(kTilesAttr);
  auto order = kernel->getAttrOfType<DenseI64ArrayAttr>(kOrderAttr);
  if (!sizes || !order)
    return getBoxes(kernel, kTilesAttr, part);
  Tile permuted;
  SmallVector<int64_t> permutedSizes;
  for (int64_t dimension : order.asArrayRef()) {
    permuted.push_back(part[dimension]);
    permutedSizes.push_back(sizes[dimension]);
  }
  SmallVector<Tile> boxes = getBoxes(permuted, permutedSizes);
  for (Tile &box : boxes) {
    const Tile made = box;
    for (auto [dimension, range] : llvm::zip_equal(order.asArrayRef(), made))
      box[dimension] = range;
  }
  return boxes;
}

/// Verifies sizes of boxes: a dimension is cut only where that changes no bit.
static LogicalResult verifySizes(KernelOp kernel, NamedAttribute attribute) {
  auto sizes = dyn_cast<DenseI64ArrayAttr>(attribute.getValue());
  const SmallVector<int64_t> extents = getSplitExtents(kernel);
  auto error = [&] {
    return kernel.emitOpError("'" + kernel.getSym() + "': '")
           << attribute.getName().getValue() << "' ";
  };
  if (!sizes || sizes.size() != int64_t(extents.size()))
    return error() << "is " << attribute.getValue() << ", expected "
                   << extents.size() << " sizes";
  for (auto [dimension, size, extent, split] :
       llvm::enumerate(sizes.asArrayRef(), extents, repro::getSplits(kernel))) {
    if (size < 1)
      return error() << "has size " << size << " along dimension " << dimension
                     << ", expected at least 1";
    if (size >= extent || split.kind == Split::Kind::Free)
      continue;
    std::string kind;
    llvm::raw_string_ostream(kind) << split;
    return error() << "cuts dimension " << dimension << " of " << extent
                   << " indices into " << size
                   << ", which may change bits: it is '" << kind << "'";
  }
  return success();
}

LogicalResult LayoutAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 ArrayRef<int64_t> levels,
                                 ArrayRef<int32_t> parts) {
  if (levels.size() % 3 != 0)
    return emitError() << "a layout of " << levels.size()
                       << " numbers, expected three of each level";
  int64_t places = 1;
  for (ArrayRef<int64_t> rest = levels; !rest.empty();
       rest = rest.drop_front(3)) {
    const int64_t period = rest[0], chunk = rest[1], step = rest[2];
    int64_t more = 0;
    if (chunk < 1 || period < chunk || step < 0 ||
        llvm::MulOverflow((period - 1) / chunk, step, more) ||
        llvm::AddOverflow(places, more, places))
      return emitError() << "a level of " << period << ", " << chunk << ", "
                         << step << ", expected a chunk of at most a period";
  }
  if (places > int64_t(parts.size()) ||
      llvm::any_of(parts, [](int32_t part) { return part < 0; }))
    return emitError() << "a layout of " << parts.size()
                       << " parts, expected at least " << places
                       << ", not negative";
  return success();
}

LogicalResult TaskDialect::verifyOperationAttribute(Operation *op,
                                                    NamedAttribute attribute) {
  const StringRef name = attribute.getName();
  auto kernel = dyn_cast<KernelOp>(op);
  if (name == kMemoriesAttr || name == kWeightsAttr) {
    if (isa<ModuleOp>(op) && isa<DenseI32ArrayAttr>(attribute.getValue()))
      return success();
    return op->emitOpError("has '")
           << name << "' = " << attribute.getValue() << ", expected "
           << (name == kMemoriesAttr ? "memories" : "buffers")
           << ", on a module";
  }
  if (name == kLayoutsAttr) {
    auto all = dyn_cast<ArrayAttr>(attribute.getValue());
    if (isa<ModuleOp>(op) && all && llvm::all_of(all, [](Attribute layout) {
          return isa<UnitAttr, LayoutAttr>(layout);
        }))
      return success();
    return op->emitOpError("has '") << name << "' = " << attribute.getValue()
                                    << ", expected layouts, on a module";
  }
  if (name == kMachineAttr) {
    if (isa<ModuleOp>(op) && isa<StringAttr>(attribute.getValue()))
      return success();
    return op->emitOpError("has '") << name << "' = " << attribute.getValue()
                                    << ", expected a machine, on a module";
  }
  if (!kernel)
    return op->emitOpError("has '") << name << "', which belongs on a kernel";
  if (name == kPartsAttr || name == kTilesAttr)
    return verifySizes(kernel, attribute);
  if (name == kOrderAttr) {
    auto order = dyn_cast<DenseI64ArrayAttr>(attribute.getValue());
    if (order && order.size() == int64_t(getSplitExtents(kernel).size()) &&
        isPermutationVector(order.asArrayRef()))
      return success();
    return op->emitOpError("has '")
           << name << "' = " << attribute.getValue()
           << ", expected a permutation of " << getSplitExtents(kernel).size()
           << " dimensions";
  }
  if (name == kCoresAttr) {
    auto cores = dyn_cast<DenseI32ArrayAttr>(attribute.getValue());
    if (cores && !cores.empty() &&
        llvm::all_of(cores.asArrayRef(),
                     [](int32_t core) { return core >= 0; }))
      return success();
    return op->emitOpError("has '")
           << name << "' = " << attribute.getValue() << ", expected cores";
  }
  if (name == kInPlaceAttr) {
    auto flags = dyn_cast<DenseBoolArrayAttr>(attribute.getValue());
    const size_t arguments = kernel.getInputs().size() + kernel.getNumResults();
    if (flags && size_t(flags.size()) == arguments)
      return success();
    return op->emitOpError("has '")
           << name << "' = " << attribute.getValue()
           << ", expected one flag for each of " << kernel.getInputs().size()
           << " operands and " << kernel.getNumResults() << " results";
  }
  if (name == kRepetitionAttr) {
    auto numbers = dyn_cast<DenseI32ArrayAttr>(attribute.getValue());
    if (numbers && numbers.size() == 2 && numbers[0] >= 0 && numbers[1] >= 0)
      return success();
    return op->emitOpError("has '")
           << name << "' = " << attribute.getValue()
           << ", expected the numbers of a block and of a repetition";
  }
  if (name == kShareAttr) {
    auto share = dyn_cast<IntegerAttr>(attribute.getValue());
    if (share && share.getValue().sgt(0))
      return success();
    return op->emitOpError("has '") << name << "' = " << attribute.getValue()
                                    << ", expected a positive number";
  }
  if (name == kKindsAttr) {
    auto pairs = dyn_cast<DenseI32ArrayAttr>(attribute.getValue());
    if (pairs && !pairs.empty() && pairs.size() % 2 == 0 &&
        llvm::all_of(llvm::enumerate(pairs.asArrayRef()), [](auto entry) {
          return entry.value() >= int32_t(entry.index() % 2);
        }))
      return success();
    return op->emitOpError("has '")
           << name << "' = " << attribute.getValue()
           << ", expected pairs of a kind of cores and a positive number";
  }
  return op->emitOpError("has '") << name << "', which is not known";
}

} // namespace gensyn::task
