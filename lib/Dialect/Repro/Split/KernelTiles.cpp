// Finds the tiles of a kernel's piece among those found before; see
// KernelTiles.h.

#include "../IR/KernelTiles.h"

using namespace mlir;

namespace gensyn::repro {

/// Some hundred megabytes; then all are forgotten.
static constexpr size_t kMostEntries = size_t(1) << 18;

size_t KernelTilesCache::Hash::operator()(const Words &words) const {
  return llvm::hash_combine_range(words.begin(), words.end());
}

static uint64_t wordOf(const void *pointer) {
  return static_cast<uint64_t>(reinterpret_cast<uintptr_t>(pointer));
}

/// All that the tiles of a kernel's pieces depend on: its ops, their types and
/// attributes, and what reads what. Names, types and attributes are unique in a
/// context, so that their addresses stand for them. Empty if an op has a
/// region.
static std::vector<uint64_t> describe(KernelOp kernel) {
  std::vector<uint64_t> words;
  Block &block = kernel.getBlock();
  llvm::SmallDenseMap<Value, uint64_t, 16> numbers;
  for (Value argument : block.getArguments()) {
    numbers[argument] = numbers.size();
    words.push_back(wordOf(argument.getType().getAsOpaquePointer()));
  }
  for (Operation &op : block) {
    if (op.getNumRegions())
      return {};
    words.push_back(wordOf(op.getName().getAsOpaquePointer()));
    words.push_back(wordOf(op.getRawDictionaryAttrs().getAsOpaquePointer()));
    words.push_back(wordOf(op.getPropertiesAsAttribute().getAsOpaquePointer()));
    words.push_back(op.getNumOperands());
    for (Value operand : op.getOperands()) {
      auto found = numbers.find(operand);
      if (found == numbers.end())
        return {};
      words.push_back(found->second);
    }
    words.push_back(op.getNumResults());
    for (Value result : op.getResults()) {
      numbers[result] = numbers.size();
      words.push_back(wordOf(result.getType().getAsOpaquePointer()));
    }
  }
  return words;
}

std::shared_ptr<const KernelTiles>
KernelTilesCache::get(KernelOp kernel, ArrayRef<IndexRange> piece, Find find) {
  const Words described = describe(kernel);
  if (described.empty())
    return std::make_shared<const KernelTiles>(find());
  const auto *cache =
      kernel->getDialect()->getRegisteredInterface<KernelTilesCache>();
  Table &table = *cache->tables;
  Words place;
  for (const IndexRange &range : piece)
    for (int64_t number : {range.begin, range.size, range.stride})
      place.push_back(static_cast<uint64_t>(number));
  if (table.entries >= kMostEntries)
    table = Table();
  std::shared_ptr<const KernelTiles> &found =
      table.kernels[described][std::move(place)];
  if (!found) {
    found = std::make_shared<const KernelTiles>(find());
    ++table.entries;
  }
  return found;
}

} // namespace gensyn::repro
