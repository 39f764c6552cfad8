// A sampled digest of data, cheap for data of any size.

#include "gensyn/Executable/Support/Hash.h"
#include "gensyn/Runtime/Data/DataSet.h"

namespace gensyn::runtime {

/// Number of places of a tensor that are hashed, and bytes at each.
static constexpr size_t kPlaces = 64, kBytesAtPlace = 1024;

static void hashEntry(Hasher &hasher, const std::string &name,
                      const TensorEntry &entry) {
  const std::string type = longName(entry.type);
  for (const std::string &text : {name, type}) {
    hasher.updateNumber(text.size());
    hasher.update(text);
  }
  hasher.updateNumber(entry.shape.size());
  for (int64_t extent : entry.shape)
    hasher.updateNumber(uint64_t(extent));
  hasher.updateNumber(entry.size);
  if (entry.size <= kPlaces * kBytesAtPlace) {
    if (entry.size)
      hasher.update(entry.data, entry.size);
    return;
  }
  // The first place is at the beginning, the last one at the end.
  const size_t last = entry.size - kBytesAtPlace;
  for (size_t i = 0; i < kPlaces; ++i)
    hasher.update(entry.data + last / (kPlaces - 1) * i +
                      last % (kPlaces - 1) * i / (kPlaces - 1),
                  kBytesAtPlace);
}

std::string DataSet::identity() const {
  Hasher hasher;
  hasher.update("gensyn-data-1");
  hasher.updateNumber(uint64_t(source.sequenceLength));
  hasher.updateNumber(shards.size());
  for (const TensorFile &shard : shards) {
    hasher.updateNumber(shard.entries().size());
    for (const auto &[name, entry] : shard.entries())
      hashEntry(hasher, name, entry);
  }
  return hasher.hex();
}

} // namespace gensyn::runtime
