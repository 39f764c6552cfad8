// The handlers of one instruction set, asked family by family.

#include "Lanes.h"

namespace gensyn::ptx::GENSYN_LANES {

Handler select(const Selector &selector) {
  using Family = Handler (*)(const Selector &);
  static constexpr Family families[] = {
      selectInteger, selectWideInteger, selectBits, selectFloat,  selectNarrow,
      selectCompare, selectConvert,     selectMove, selectMemory, selectMatrix};
  for (Family family : families)
    if (Handler handler = family(selector))
      return handler;
  return nullptr;
}

} // namespace gensyn::ptx::GENSYN_LANES
