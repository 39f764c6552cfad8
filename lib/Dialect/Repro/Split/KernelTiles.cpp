// Finds the tiles of a kernel's piece among those found before; see
// KernelTiles.h.

#include "../IR/KernelTiles.h"

#include <cstring>

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

/// Adds the properties of an op. Where they are attributes alone, or integers
/// of the numbers of its operands, their words stand for them, and need no
/// attribute of their own.
static void addProperties(Operation &op, std::vector<uint64_t> &words) {
  const auto bytes = static_cast<size_t>(op.getPropertiesStorageSize());
  const size_t count = bytes / sizeof(uint64_t), first = words.size();
  const std::optional<RegisteredOperationName> name = op.getRegisteredInfo();
  // Anything else has as many bytes as an attribute, and no name among them.
  if (!name || count > name->getAttributeNames().size() ||
      bytes % sizeof(uint64_t)) {
    words.push_back(wordOf(op.getPropertiesAsAttribute().getAsOpaquePointer()));
    return;
  }
  words.resize(first + count);
  if (count)
    std::memcpy(words.data() + first,
                op.getPropertiesStorage().as<const void *>(),
                count * sizeof(uint64_t));
}

/// All that the tiles of a kernel's pieces depend on: its ops, their types and
/// attributes, and what reads what. Names, types and attributes are unique in a
/// context, so that their addresses stand for them. False if an op has a
/// region.
static bool describe(KernelOp kernel, std::vector<uint64_t> &words) {
  words.clear();
  Block &block = kernel.getBlock();
  llvm::SmallDenseMap<Value, uint64_t, 16> numbers;
  for (Value argument : block.getArguments()) {
    numbers[argument] = numbers.size();
    words.push_back(wordOf(argument.getType().getAsOpaquePointer()));
  }
  for (Operation &op : block) {
    if (op.getNumRegions())
      return false;
    words.push_back(wordOf(op.getName().getAsOpaquePointer()));
    words.push_back(wordOf(op.getRawDictionaryAttrs().getAsOpaquePointer()));
    addProperties(op, words);
    words.push_back(op.getNumOperands());
    for (Value operand : op.getOperands()) {
      auto found = numbers.find(operand);
      if (found == numbers.end())
        return false;
      words.push_back(found->second);
    }
    words.push_back(op.getNumResults());
    for (Value result : op.getResults()) {
      numbers[result] = numbers.size();
      words.push_back(wordOf(result.getType().getAsOpaquePointer()));
    }
  }
  return true;
}

std::shared_ptr<const KernelTiles>
KernelTilesCache::get(KernelOp kernel, ArrayRef<IndexRange> piece, Find find) {
  const auto *cache =
      kernel->getDialect()->getRegisteredInterface<KernelTilesCache>();
  Table &table = *cache->tables;
  if (!describe(kernel, table.words))
    return std::make_shared<const KernelTiles>(find());
  Words place;
  for (const IndexRange &range : piece)
    for (int64_t number : {range.begin, range.size, range.stride})
      place.push_back(static_cast<uint64_t>(number));
  if (table.entries >= kMostEntries) {
    table.kernels.clear();
    table.last = nullptr;
    table.entries = 0;
  }
  // Most of the time the pieces of one kernel are asked for one after another.
  if (!table.last || table.last->first != table.words)
    table.last = &*table.kernels.try_emplace(table.words).first;
  std::shared_ptr<const KernelTiles> &found =
      table.last->second[std::move(place)];
  if (!found) {
    found = std::make_shared<const KernelTiles>(find());
    ++table.entries;
  }
  return found;
}

} // namespace gensyn::repro
