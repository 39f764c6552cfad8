// Checks launches against the buffers of their plan, and against their kernels.

#include "gensyn/Executable/Packages/PlanCheck.h"

#include "gensyn/Executable/BufferSpan.h"
#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/plan.pb.h"

#include <algorithm>
#include <array>
#include <vector>

namespace gensyn {

/// True for at most three extents of at least 1.
template <class Extents> static bool isGeometry(const Extents &extents) {
  return extents.size() <= 3 &&
         std::all_of(extents.begin(), extents.end(),
                     [](uint32_t extent) { return extent > 0; });
}

/// True if an extent exceeds the limits of devices, in x, y and z.
template <class Extents>
static bool isTooLarge(const Extents &extents,
                       const std::array<uint32_t, 3> &most) {
  for (int dim = 0; dim < extents.size(); ++dim)
    if (extents[dim] > most[size_t(dim)])
      return true;
  return false;
}

/// Returns "65536 by 2".
template <class Extents> static std::string describe(const Extents &extents) {
  std::string text;
  for (uint32_t extent : extents)
    text += (text.empty() ? "" : " by ") + std::to_string(extent);
  return text;
}

template <class Extents> static uint64_t countAll(const Extents &extents) {
  uint64_t count = 1;
  for (uint32_t extent : extents)
    count *= extent;
  return count;
}

namespace {
/// An argument of a launch, for comparison.
struct Span {
  BufferSpan place;
  size_t argument;

  auto operator<=>(const Span &) const = default;
};
} // namespace

/// Returns the nonempty arguments of a launch, sorted by place.
static std::vector<Span> findSpans(const plan::Plan &plan,
                                   const plan::Launch &launch) {
  std::vector<Span> spans;
  for (int i = 0; i < launch.buffers_size(); ++i)
    if (plan.buffers(static_cast<int>(launch.buffers(i))).bytes())
      spans.push_back({findSpan(plan, launch.buffers(i)), size_t(i)});
  std::sort(spans.begin(), spans.end());
  return spans;
}

static void checkLaunch(const plan::Plan &plan, const plan::Launch &launch) {
  std::string which = "kernel " + quote(launch.kernel()) + " ";
  for (uint32_t buffer : launch.buffers())
    if (buffer >= uint32_t(plan.buffers_size()))
      failPlan(which + "has no buffer " + std::to_string(buffer));
  if (launch.tiles() < 0 || launch.scratch_bytes() > uint64_t(1) << 36)
    failPlan(which + "has an impossible size");
  if (!isGeometry(launch.grid()) || !isGeometry(launch.block()))
    failPlan(which + "has an impossible grid");
  if (isTooLarge(launch.grid(), {2147483647, 65535, 65535}) ||
      isTooLarge(launch.block(), {1024, 1024, 64}) ||
      countAll(launch.block()) > 1024)
    throw Failure(ExitCode::OutOfResources,
                  which + "needs a grid of " + describe(launch.grid()) +
                      " blocks of " + describe(launch.block()) +
                      " threads; a GPU has at most 2147483647 by 65535 by "
                      "65535 of 1024",
                  "a smaller batch needs fewer of them");
  const std::vector<Span> spans = findSpans(plan, launch);
  for (size_t i = 1; i < spans.size(); ++i)
    if (spans[i].place.memory == spans[i - 1].place.memory &&
        spans[i].place.begin < spans[i - 1].place.end &&
        spans[i].place != spans[i - 1].place)
      failPlan(which + "has buffers that overlap");
}

void checkLaunches(const plan::Plan &plan) {
  for (const plan::Launch &launch : plan.launches())
    checkLaunch(plan, launch);
}

void checkAccess(const plan::Plan &plan, const plan::Launch &launch,
                 const KernelAccess &access) {
  const std::string which = "kernel " + quote(launch.kernel()) + " ";
  if (size_t(launch.buffers_size()) != access.buffers.size())
    failPlan(which + "takes " + std::to_string(access.buffers.size()) +
             " buffers and is given " + std::to_string(launch.buffers_size()));
  if (launch.tiles() != access.tiles)
    failPlan(which + "has " + std::to_string(access.tiles) +
             " tiles and is launched with " + std::to_string(launch.tiles()));
  if (launch.scratch_bytes() != access.scratchBytes)
    failPlan(which + "needs " + std::to_string(access.scratchBytes) +
             " bytes of scratch and is given " +
             std::to_string(launch.scratch_bytes()));
  for (int i = 0; i < launch.buffers_size(); ++i) {
    const plan::Buffer &buffer =
        plan.buffers(static_cast<int>(launch.buffers(i)));
    const KernelAccess::Buffer &wanted = access.buffers[size_t(i)];
    if (buffer.bytes() != wanted.bytes)
      failPlan(which + "accesses " + std::to_string(wanted.bytes) +
               " bytes of argument " + std::to_string(i) + ", which has " +
               std::to_string(buffer.bytes()));
    if (wanted.isWritten && (buffer.place_case() == plan::Buffer::kInput ||
                             buffer.place_case() == plan::Buffer::kConstant))
      failPlan(which + "writes argument " + std::to_string(i) +
               ", which may only be read");
    if (wanted.isWritten && !launch.prepares() &&
        buffer.place_case() == plan::Buffer::kPrepared)
      failPlan(which + "writes argument " + std::to_string(i) +
               ", which was prepared before the run");
  }
  // Equal spans are adjacent.
  const std::vector<Span> spans = findSpans(plan, launch);
  for (size_t begin = 0, end; begin < spans.size(); begin = end) {
    bool isWritten = false, isInPlace = true;
    for (end = begin;
         end < spans.size() && spans[begin].place == spans[end].place; ++end) {
      isWritten |= access.buffers[spans[end].argument].isWritten;
      isInPlace &= access.buffers[spans[end].argument].isInPlace;
    }
    if (end - begin > 1 && isWritten && !isInPlace)
      failPlan(which + "writes argument " +
               std::to_string(spans[begin].argument) +
               ", which is another one, too");
  }
}

} // namespace gensyn
