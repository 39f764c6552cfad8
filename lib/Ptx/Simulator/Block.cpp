// Runs a block from start to end, with its barriers.

#include "Block.h"

#include "../Machine/Access.h"
#include "../Machine/WarpOps.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <new>

namespace gensyn::ptx {
namespace {

/// The initial contents of memory and registers: in every float format a NaN,
/// and as an integer -1, to expose programs that read them.
constexpr int unwrittenByte = 0xFF;

} // namespace

void AlignedBytes::Free::operator()(std::byte *pointer) const {
  ::operator delete(pointer, std::align_val_t(64));
}

void AlignedBytes::resize(size_t bytes) {
  if (bytes <= size)
    return;
  start.reset(
      static_cast<std::byte *>(::operator new(bytes, std::align_val_t(64))));
  size = bytes;
}

Block::Block(const LaunchContext &launch, RaceDetector *detector)
    : context(launch), races(detector) {
  const Kernel &kernel = *context.kernel;
  uint32_t threads =
      context.blockSize[0] * context.blockSize[1] * context.blockSize[2];
  uint32_t count = (threads + warpSize - 1) / warpSize;
  warps.resize(count);
  controls.resize(count);
  registers.resize(uint64_t(kernel.registerBytes) * count);
  constants.resize(8 * kernel.constants.size());
  if (!kernel.constants.empty())
    std::memcpy(constants.data(), kernel.constants.data(),
                8 * kernel.constants.size());
  shared.resize(context.sharedBytes);
  local.resize(kernel.localBytes * warpSize * count);
  for (uint32_t i = 0; i != count; ++i) {
    Warp &warp = warps[i];
    warp.bases[0] = registers.data() + uint64_t(kernel.registerBytes) * i;
    warp.bases[1] = constants.data();
    warp.lists = kernel.lists.data();
    warp.index = i;
    warp.shared = shared.data();
    warp.sharedBytes = context.sharedBytes;
    warp.local = local.data() + kernel.localBytes * warpSize * i;
    warp.localBytes = kernel.localBytes;
    warp.parameters = context.parameters;
    warp.parameterBytes = kernel.parameterBytes;
    warp.regions = context.regions;
    warp.regionCount = context.regionCount;
    warp.block = this;
    warp.races = races;
    for (uint32_t lane = 0; lane != warpSize; ++lane) {
      uint32_t thread = warpSize * i + lane;
      warp.threadId[0][lane] = thread % context.blockSize[0];
      warp.threadId[1][lane] =
          thread / context.blockSize[0] % context.blockSize[1];
      warp.threadId[2][lane] =
          thread / context.blockSize[0] / context.blockSize[1];
    }
  }
}

void Block::start(uint64_t number) {
  const Kernel &kernel = *context.kernel;
  uint64_t row = number / context.gridSize[0];
  blockId = {static_cast<uint32_t>(number % context.gridSize[0]),
             static_cast<uint32_t>(row % context.gridSize[1]),
             static_cast<uint32_t>(row / context.gridSize[1])};
  if (context.sharedBytes != 0)
    std::memset(shared.data(), unwrittenByte, context.sharedBytes);
  if (kernel.localBytes != 0)
    std::memset(local.data(), unwrittenByte,
                kernel.localBytes * warpSize * warps.size());
  uint32_t threads =
      context.blockSize[0] * context.blockSize[1] * context.blockSize[2];
  for (uint32_t i = 0; i != warps.size(); ++i) {
    uint32_t rest = threads - warpSize * i;
    Warp &warp = warps[i];
    warp.live = rest >= warpSize ? ~0u : (1u << rest) - 1;
    warp.active = warp.live;
    warp.carry = 0;
    WarpControl &control = controls[i];
    control.phase = WarpPhase::Ready;
    control.resume = noBlock;
    control.stack.clear();
    control.stack.push_back(
        {kernel.blocks.empty() ? noBlock : 0, noBlock, warp.live});
    control.copies.clear();
    std::fill(std::begin(control.committed), std::end(control.committed), 0);
    for (auto [offset, bytes] : kernel.unwritten)
      std::memset(warp.bases[0] + offset, unwrittenByte, bytes);
  }
  for (BlockBarrier &barrier : barriers)
    barrier = BlockBarrier();
  runningWarps = static_cast<uint32_t>(warps.size());
  if (races != nullptr)
    races->startBlock(static_cast<uint32_t>(number), warps.size(),
                      context.sharedBytes);
}

uint64_t costOfStart(const LaunchContext &context) {
  uint64_t threads = uint64_t(context.blockSize[0]) * context.blockSize[1] *
                     context.blockSize[2];
  return 64 + (context.sharedBytes + context.kernel->localBytes * threads) / 64;
}

bool Block::reportIssued() {
  uint64_t total = unreported + context.issued->fetch_add(unreported);
  unreported = 0;
  if (total > context.maxInstructions)
    return false;
  // Rarely enough that threads do not wait for one another.
  slack = std::min<uint64_t>(context.maxInstructions - total + 1, 1 << 16);
  return true;
}

bool Block::run(uint64_t number) {
  start(number);
  if (!spend(costOfStart(context))) {
    faulty = 0;
    raise(warps[0], Code(), FaultKind::Limit, 0, nullptr);
    return false;
  }
  while (runningWarps != 0) {
    bool progress = false;
    for (uint32_t i = 0; i != warps.size(); ++i) {
      if (controls[i].phase != WarpPhase::Ready)
        continue;
      progress = true;
      if (runWarp(warps[i], controls[i]) == Status::Fault) {
        faulty = i;
        return false;
      }
      if (controls[i].phase == WarpPhase::Done)
        warpEnded();
    }
    if (!progress)
      return reportDeadlock();
  }
  return true;
}

bool Block::isComplete(const BlockBarrier &barrier) const {
  if (barrier.arrived == 0)
    return false;
  return barrier.expected == 0 ? barrier.arrived >= runningWarps
                               : barrier.arrived * warpSize >= barrier.expected;
}

void Block::warpEnded() {
  --runningWarps;
  // Warps that ended no longer hold up those that wait for the whole block.
  for (BlockBarrier &barrier : barriers)
    if (barrier.expected == 0 && isComplete(barrier))
      open(barrier);
}

void Block::open(BlockBarrier &barrier) {
  if (races != nullptr)
    races->open(static_cast<uint32_t>(&barrier - barriers.data()),
                barrier.waiting);
  for (uint32_t index : barrier.waiting) {
    Warp &warp = warps[index];
    const Code &code = *controls[index].barrier;
    controls[index].phase = WarpPhase::Ready;
    if (code.dest[0] == noReference)
      continue;
    auto *dest = reinterpret_cast<uint32_t *>(warp.bases[0] + code.dest[0]);
    auto mode = static_cast<BarrierMode>(code.detail);
    bool holds = mode == BarrierMode::And ? barrier.all : barrier.count != 0;
    if (mode == BarrierMode::Popc)
      std::fill(dest, dest + warpSize, barrier.count);
    else
      *dest = holds ? ~0u : 0;
  }
  barrier = BlockBarrier();
}

Status Block::arrive(Warp &warp, const Code &code, uint32_t id,
                     uint32_t expected, uint32_t holds) {
  BlockBarrier &barrier = barriers[id];
  if (barrier.arrived != 0 && barrier.expected != expected)
    return raise(warp, code, FaultKind::Barrier, std::countr_zero(warp.active),
                 "the threads at this barrier expect different numbers of "
                 "threads");
  if (races != nullptr)
    races->arrive(warp.index, id);
  barrier.expected = expected;
  ++barrier.arrived;
  barrier.count += std::popcount(holds);
  barrier.all &= holds == warp.active;
  bool waits = code.detail != static_cast<uint16_t>(BarrierMode::Arrive);
  if (waits) {
    barrier.waiting.push_back(warp.index);
    controls[warp.index].phase = WarpPhase::Waiting;
    controls[warp.index].barrier = &code;
  }
  if (isComplete(barrier))
    open(barrier);
  return waits ? Status::Wait : Status::Continue;
}

bool Block::reportDeadlock() {
  for (uint32_t i = 0; i != warps.size(); ++i) {
    if (controls[i].phase != WarpPhase::Waiting)
      continue;
    faulty = i;
    raise(warps[i], *controls[i].barrier, FaultKind::Barrier,
          std::countr_zero(warps[i].active),
          "waits at a barrier for threads that never come");
    break;
  }
  return false;
}

} // namespace gensyn::ptx
