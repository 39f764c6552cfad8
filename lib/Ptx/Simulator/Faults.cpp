// Faults as the caller sees them.

#include "Faults.h"

#include <cstdio>

namespace gensyn::ptx {
namespace {

Fault::Kind kindOf(FaultKind kind) {
  switch (kind) {
  case FaultKind::OutOfBounds:
    return Fault::Kind::OutOfBounds;
  case FaultKind::ReadOnly:
    return Fault::Kind::ReadOnly;
  case FaultKind::Misaligned:
    return Fault::Kind::Misaligned;
  case FaultKind::Barrier:
    return Fault::Kind::Barrier;
  case FaultKind::Shuffle:
    return Fault::Kind::Shuffle;
  case FaultKind::Limit:
    return Fault::Kind::Limit;
  case FaultKind::Trap:
    return Fault::Kind::Trap;
  case FaultKind::Race:
  case FaultKind::NonCoherent:
    return Fault::Kind::Race;
  case FaultKind::Unwritten:
    return Fault::Kind::Unwritten;
  default:
    return Fault::Kind::Launch;
  }
}

std::string_view spaceName(Space space) {
  switch (space) {
  case Space::Shared:
    return "shared";
  case Space::Local:
    return "local";
  case Space::Param:
    return "parameter";
  case Space::Const:
    return "constant";
  default:
    return "global";
  }
}

std::string triple(const std::array<uint32_t, 3> &value) {
  return "(" + std::to_string(value[0]) + ", " + std::to_string(value[1]) +
         ", " + std::to_string(value[2]) + ")";
}

/// The earlier access of a race.
std::string describeOther(const Block &block, const FaultRecord &record) {
  const Warp &warp = block.warps[record.otherThread / warpSize];
  std::array<uint32_t, 3> thread;
  for (unsigned i = 0; i != 3; ++i)
    thread[i] = warp.threadId[i][record.otherThread % warpSize];
  return "line " + std::to_string(record.otherLine) + " of block number " +
         std::to_string(record.otherBlock) + ", thread " + triple(thread);
}

std::string describeAccess(const Block &block, const FaultRecord &record) {
  if (record.kind == FaultKind::Limit)
    return "the launch issues more than " +
           std::to_string(block.context.maxInstructions) +
           " instructions, the limit";
  char address[32];
  std::snprintf(address, sizeof(address), "0x%llx",
                static_cast<unsigned long long>(record.address));
  std::string text = record.isWrite ? "write of " : "read of ";
  text += std::to_string(record.bytes) + " bytes at " + address + " in " +
          std::string(spaceName(static_cast<Space>(record.space))) + " memory ";
  switch (record.kind) {
  case FaultKind::Misaligned:
    return text + "is misaligned";
  case FaultKind::ReadOnly:
    return text + "that may only be read";
  case FaultKind::Race:
    return text + "races with " + describeOther(block, record);
  case FaultKind::NonCoherent:
    return record.isWrite
               ? text + "that line " + std::to_string(record.otherLine) +
                     " loads with .nc"
               : text + "with .nc, which " + describeOther(block, record) +
                     " writes";
  case FaultKind::Unwritten:
    return text + "that was never written";
  default:
    return text + "is out of bounds";
  }
}

} // namespace

Fault describeFault(const Block &block) {
  const Warp &warp = block.warps[block.faulty];
  const FaultRecord &record = warp.fault;
  Fault fault;
  fault.kind = kindOf(record.kind);
  fault.kernel = block.context.kernel->name;
  fault.line = record.line;
  fault.block = block.blockId;
  for (unsigned i = 0; i != 3; ++i)
    fault.thread[i] = warp.threadId[i][record.lane];
  fault.address = record.address;
  fault.message = "kernel '" + fault.kernel + "', line " +
                  std::to_string(fault.line) + ", block " +
                  triple(fault.block) + ", thread " + triple(fault.thread) +
                  ": " +
                  (record.text != nullptr ? std::string(record.text)
                                          : describeAccess(block, record));
  return fault;
}

Fault launchFault(Fault::Kind kind, std::string_view kernel,
                  const std::string &what) {
  Fault fault;
  fault.kind = kind;
  fault.kernel = kernel;
  fault.message = "kernel '" + fault.kernel + "': " + what;
  return fault;
}

} // namespace gensyn::ptx
