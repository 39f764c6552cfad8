// See Layouts.h.

#include "Layouts.h"

#include "Cost.h"
#include "gensyn/Codegen/Plan/Plan.h"
#include "gensyn/Dialect/Repro/IR/SplitOp.h"
#include "gensyn/Dialect/Repro/IR/TensorTypes.h"

#include "llvm/ADT/StringMap.h"

#include <set>

using namespace mlir;
using namespace gensyn::repro;

namespace gensyn::mapping {

static bool hasOwnPlace(const plan::Plan &plan, uint32_t number) {
  const plan::Buffer &buffer = plan.buffers(int(number));
  switch (buffer.place_case()) {
  case plan::Buffer::kInput:
    return !llvm::is_contained(plan.donated(), int32_t(buffer.input()));
  case plan::Buffer::kOutput:
    return plan.donated().empty();
  case plan::Buffer::kConstant:
  case plan::Buffer::kPrepared:
    return true;
  default:
    return false;
  }
}

/// The tiles of operands that the parts of kernels read, found once for equal
/// kernels: a model has the same ones in each of its layers.
class PartTiles {
public:
  using Tiles = std::vector<SmallVector<Tile>>;

  const Tiles &of(KernelOp kernel) {
    OwningOpRef<KernelOp> form = kernel.clone();
    for (NamedAttribute attribute :
         llvm::to_vector((*form)->getDiscardableAttrs()))
      if (attribute.getName() != task::kPartsAttr)
        (*form)->removeDiscardableAttr(attribute.getName());
    auto [found, isNew] = known.try_emplace(codegen::printKernel(*form));
    if (isNew)
      for (const Tile &part : task::getParts(kernel))
        found->second.push_back(getOperandTiles(kernel, part));
    return found->second;
  }

private:
  llvm::StringMap<Tiles> known;
};

Layouts::Layouts(func::FuncOp main, const plan::Plan &plan,
                 const machine::Description &machine)
    : main(main), machine(machine) {
  if (llvm::none_of(machine.memories, [](const machine::MemoryKind &memory) {
        return memory.parts > 1;
      }))
    return;
  int launch = 0;
  PartTiles partTiles;
  main.walk([&](KernelOp kernel) {
    const plan::Launch &own = plan.launches(launch++);
    auto cores = kernel->getAttrOfType<DenseI32ArrayAttr>(task::kCoresAttr);
    if (!cores)
      return;
    const PartTiles::Tiles &parts = partTiles.of(kernel);
    const size_t count = size_t(cores.size());
    for (size_t index = 0; index < count; ++index) {
      const uint32_t chip = machine.cores[size_t(cores[index])].chip;
      for (size_t part = index * parts.size() / count;
           part < (index + 1) * parts.size() / count; ++part)
        for (auto [operand, tile] : llvm::enumerate(parts[part])) {
          const uint32_t buffer = own.buffers(int(operand));
          if (!hasOwnPlace(plan, buffer))
            continue;
          Value tensor = kernel.getInputs()[operand];
          Reads &reads = readsOf[buffer];
          if (!reads.tensor)
            reads.tensor = tensor;
          if (shapeOf(reads.tensor) == shapeOf(tensor))
            reads.list.push_back({tile, chip});
        }
    }
  });
}

std::pair<int64_t, int64_t>
Layouts::findBlocks(const Reads &reads, size_t dimension, int64_t extent) {
  std::set<int64_t> begins;
  for (const Read &read : reads.list) {
    if (read.tile[dimension].stride != 1)
      return {0, 0};
    begins.insert(read.tile[dimension].begin);
  }
  if (begins.size() < 2)
    return {extent, 1};
  const int64_t size = *std::next(begins.begin());
  if (*begins.begin() != 0 ||
      llvm::any_of(begins, [&](int64_t begin) { return begin % size != 0; }))
    return {0, 0};
  return {size, llvm::divideCeilSigned(extent, size)};
}

/// True if every part has room for its blocks, which it has then taken.
bool Layouts::takeRoom(const Reads &reads, ArrayRef<int64_t> sizes,
                       ArrayRef<int32_t> parts, uint32_t memory) {
  const machine::MemoryKind &kind = machine.memories[memory];
  std::vector<int64_t> &left =
      room.try_emplace(memory, kind.parts,
                       (kind.size.value - kind.reserved.value) / kind.parts)
          .first->second;
  std::vector<int64_t> taken(left.size());
  const SmallVector<Tile> blocks = task::getBoxes(
      llvm::map_to_vector(shapeOf(reads.tensor), IndexRange::whole), sizes);
  for (auto [block, part] : llvm::zip_equal(blocks, parts))
    taken[size_t(part)] += int64_t(bytesOf(reads.tensor, block));
  for (auto [bytes, more] : llvm::zip_equal(left, taken))
    if (more > bytes)
      return false;
  for (auto [bytes, more] : llvm::zip_equal(left, taken))
    bytes -= more;
  return true;
}

task::LayoutAttr Layouts::find(uint32_t buffer, uint32_t memory) {
  const auto found = readsOf.find(buffer);
  const uint32_t parts = machine.memories[memory].parts;
  if (found == readsOf.end() || parts < 2 || parts != machine.chips)
    return {};
  const Reads &reads = found->second;
  const ArrayRef<int64_t> shape = shapeOf(reads.tensor);
  SmallVector<int64_t> sizes, counts, levels;
  int64_t all = 1;
  for (auto [dimension, extent] : llvm::enumerate(shape)) {
    const auto [size, count] = findBlocks(reads, dimension, extent);
    if (count < 1)
      return {};
    sizes.push_back(size);
    counts.push_back(count);
    all *= count;
  }
  if (all < 2 || all > int64_t(machine.cores.size()) * 16)
    return {};
  // Blocks are numbered row-major.
  int64_t stride = int64_t(
      byteWidth(*getElementType(typeOf(reads.tensor).getElementType())));
  int64_t step = 1;
  SmallVector<int64_t> steps(shape.size());
  for (size_t i = shape.size(); i-- > 0;) {
    steps[i] = step;
    if (counts[i] > 1)
      levels.append({stride * shape[i], stride * sizes[i], step});
    step *= counts[i];
    stride *= shape[i];
  }
  SmallVector<int32_t> chips(size_t(all), -1);
  for (const Read &read : reads.list) {
    int64_t place = 0;
    for (size_t i = 0; i < shape.size(); ++i)
      place += read.tile[i].begin / sizes[i] * steps[i];
    int32_t &chip = chips[size_t(place)];
    chip = chip < 0 ? int32_t(read.chip) : chip;
  }
  int32_t last = 0;
  for (int32_t &chip : chips)
    chip = last = chip < 0 ? last : chip;
  if (!takeRoom(reads, sizes, chips, memory))
    return {};
  return task::LayoutAttr::get(main.getContext(), levels, chips);
}

} // namespace gensyn::mapping
