// See PtxLaunch.h.

#include "gensyn/Runtime/Devices/PtxLaunch.h"

#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/plan.pb.h"

#include <map>

namespace gensyn::runtime {

template <class Extents> static ptx::Dimensions toDimensions(const Extents &e) {
  return {e.size() > 0 ? e[0] : 1, e.size() > 1 ? e[1] : 1,
          e.size() > 2 ? e[2] : 1};
}

PtxLaunch::PtxLaunch(const plan::Launch &source, std::span<const Place> places,
                     const FindWritten &findWritten,
                     const std::vector<bool> *writes) {
  // A result may share the memory of an operand, which then is writable.
  std::map<uint8_t *, Place> distinct;
  for (int i = 0; i < source.buffers_size(); ++i) {
    Place place = places[source.buffers(i)];
    addresses.push_back(reinterpret_cast<uint64_t>(place.begin));
    place.writable = place.writable && (!writes || (*writes)[size_t(i)]);
    if (place.bytes)
      distinct.try_emplace(place.begin, place).first->second.writable |=
          place.writable;
  }
  for (const auto &[begin, place] : distinct) {
    ptx::Written *written = findWritten ? findWritten(begin) : nullptr;
    const bool fits = place.writable
                          ? memory.add(begin, place.bytes, written)
                          : memory.addReadOnly(begin, place.bytes, written);
    if (!fits)
      throw Failure(ExitCode::Bug, "kernel " + quote(source.kernel()) + " (" +
                                       source.operation() +
                                       ") has buffers that overlap");
  }
  launch.kernel = source.kernel();
  launch.grid = toDimensions(source.grid());
  launch.block = toDimensions(source.block());
  launch.dynamicSharedBytes = source.shared_bytes();
  launch.parameters = std::as_bytes(std::span(addresses));
}

} // namespace gensyn::runtime
