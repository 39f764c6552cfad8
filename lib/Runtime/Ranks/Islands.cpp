// See Islands.h.

#include "gensyn/Runtime/Ranks/Islands.h"

namespace gensyn::runtime {

Islands findIslands(const communication::Communicator &ranks, int places) {
  const int all = ranks.size();
  Islands islands;
  while (islands.size < all && ranks.host(islands.size) == ranks.host(0))
    ++islands.size;
  islands.count = all / islands.size;
  bool fits = all % islands.size == 0 && islands.size % places == 0 &&
              islands.count > 1;
  for (int rank = 0; fits && rank < all; ++rank) {
    const int first = islands.rankOf(islands.of(rank), 0);
    fits = ranks.host(rank) == ranks.host(first) &&
           (first == 0 || ranks.host(first) != ranks.host(first - 1));
  }
  return fits ? islands : Islands{1, all};
}

} // namespace gensyn::runtime
