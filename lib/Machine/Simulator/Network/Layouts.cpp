// See Layouts.h.

#include "Layouts.h"

#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Machine/Times.h"

#include <algorithm>
#include <set>

namespace gensyn::machine {

namespace {

/// Chunks of one region that are looked at.
constexpr uint64_t mostChunks = 1 << 16;

[[noreturn]] void fail(size_t layout, const std::string &text) {
  failBadInput("mapping: layout " + std::to_string(layout) + " " + text);
}

/// The number of the part of a byte, and how many more bytes have the same.
std::pair<uint64_t, uint64_t> findChunk(const mapping::Layout &layout,
                                        uint64_t byte) {
  uint64_t place = 0, left = ~uint64_t(0);
  for (const mapping::Layout::Level &level : layout.levels()) {
    const uint64_t within = byte % level.period();
    place += within / level.chunk() * level.step();
    left = std::min({left, level.chunk() - within % level.chunk(),
                     level.period() - within});
  }
  return {place, left};
}

void checkLayout(const mapping::Layout &layout, size_t number) {
  constexpr uint64_t most = uint64_t(1) << 48;
  Wide places = 1;
  for (const mapping::Layout::Level &level : layout.levels()) {
    if (!level.chunk() || level.period() < level.chunk() ||
        level.period() > most)
      fail(number, "has a level of chunks of " + std::to_string(level.chunk()) +
                       " bytes in " + std::to_string(level.period()) +
                       ", expected 1 to 2^48, and no chunk larger");
    places += Wide((level.period() - 1) / level.chunk()) * level.step();
  }
  if (places > Wide(layout.parts_size()))
    fail(number, "has " + std::to_string(layout.parts_size()) +
                     " parts, too few for its levels");
}

} // namespace

void checkLayouts(const Subject &subject) {
  const auto &[machine, plan, mapping] = subject;
  for (int i = 0; i < mapping.layouts_size(); ++i)
    checkLayout(mapping.layouts(i), static_cast<size_t>(i));
  if (mapping.layout_of_buffer().empty())
    return;
  if (mapping.layout_of_buffer_size() != plan.buffers_size())
    failBadInput("mapping: " + std::to_string(mapping.layout_of_buffer_size()) +
                 " layouts of buffers, the plan has " +
                 std::to_string(plan.buffers_size()) + " buffers");
  // Each pair of a layout and a memory once.
  std::set<std::pair<uint32_t, uint32_t>> checked;
  for (int i = 0; i < plan.buffers_size(); ++i) {
    const uint32_t number = mapping.layout_of_buffer(i);
    const uint32_t lies = mapping.memory_of_buffer(i);
    if (!number || !checked.insert({number, lies}).second)
      continue;
    const std::string name = "mapping: buffer " + std::to_string(i);
    if (number > static_cast<uint32_t>(mapping.layouts_size()))
      failBadInput(name + " has layout " + std::to_string(number - 1) +
                   ", expected one of " +
                   std::to_string(mapping.layouts_size()));
    const uint32_t parts =
        lies < machine.memories.size() ? machine.memories[lies].parts : 0;
    for (uint32_t part : mapping.layouts(static_cast<int>(number - 1)).parts())
      if (part >= parts)
        failBadInput(name + " lies in part " + std::to_string(part) +
                     " of memory " + std::to_string(lies) + ", which has " +
                     std::to_string(parts));
  }
}

const mapping::Layout *layoutOf(const mapping::Mapping &mapping,
                                uint32_t buffer) {
  if (mapping.layout_of_buffer().empty())
    return nullptr;
  const uint32_t number = mapping.layout_of_buffer(static_cast<int>(buffer));
  return number ? &mapping.layouts(static_cast<int>(number - 1)) : nullptr;
}

std::vector<uint32_t> findPorts(const Subject &subject, uint32_t buffer,
                                Region region) {
  const mapping::Layout *layout = layoutOf(subject.mapping, buffer);
  if (!layout)
    return {};
  std::set<uint32_t> parts;
  uint64_t chunks = 0;
  const bool isComplete =
      forEachRow(region, region.base, 0, [&](int64_t begin) {
        const auto end = static_cast<uint64_t>(begin + region.row);
        for (auto byte = static_cast<uint64_t>(begin); byte < end;) {
          if (++chunks > mostChunks)
            return false;
          const auto [place, left] = findChunk(*layout, byte);
          parts.insert(layout->parts(static_cast<int>(place)));
          byte = left < end - byte ? byte + left : end;
        }
        return true;
      });
  const MemoryKind &memory =
      subject.machine
          .memories[subject.mapping.memory_of_buffer(static_cast<int>(buffer))];
  const auto each = static_cast<uint32_t>(memory.nodes.size() / memory.parts);
  std::vector<uint32_t> ports;
  if (!isComplete || parts.size() == memory.parts)
    return ports;
  for (uint32_t part : parts)
    for (uint32_t i = 0; i < each; ++i)
      ports.push_back(part * each + i);
  return ports;
}

} // namespace gensyn::machine
