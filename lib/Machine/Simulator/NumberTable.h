// Tables whose keys are a few numbers.

#ifndef GENSYN_LIB_MACHINE_SIMULATOR_NUMBERTABLE_H
#define GENSYN_LIB_MACHINE_SIMULATOR_NUMBERTABLE_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>

namespace gensyn::machine {

/// Mixes the numbers of an array or a vector. Nothing depends on the order of
/// a table, so a result does not depend on the mixing.
struct NumbersHash {
  template <class Numbers> size_t operator()(const Numbers &numbers) const {
    uint64_t hash = 0;
    for (uint64_t number : numbers) {
      hash = (hash ^ number) * 0x9E3779B97F4A7C15u;
      hash ^= hash >> 32;
    }
    return static_cast<size_t>(hash);
  }
};

template <class Numbers>
using NumberTable = std::unordered_map<Numbers, uint32_t, NumbersHash>;

} // namespace gensyn::machine

#endif
