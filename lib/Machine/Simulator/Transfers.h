// The times and energies of copies and of computing; see Program.h.

#ifndef GENSYN_LIB_MACHINE_SIMULATOR_TRANSFERS_H
#define GENSYN_LIB_MACHINE_SIMULATOR_TRANSFERS_H

#include "Network/Ways.h"
#include "NumberTable.h"
#include "Program.h"

#include <array>
#include <cstdint>
#include <map>
#include <utility>

namespace gensyn::machine {

class TransferBuilder {
public:
  TransferBuilder(const Subject &subject, const Resources &resources,
                  Ways &ways, Program &program)
      : subject(subject), resources(resources), ways(ways), program(program) {}

  /// Sets times and costs of a checked task.
  void setCopy(Task &task, const mapping::Copy &copy);
  void setCompute(Task &task, const mapping::Compute &compute);

private:
  /// One side of a copy.
  struct End {
    uint32_t memory;
    bool isShared;
    /// Bytes that the memory moves: whole bursts of a shared one.
    uint64_t bytes;
  };
  End findEnd(uint32_t core, const mapping::Copy &copy, bool isFrom);
  uint64_t countBurstBytes(const Region &region, uint64_t burst);
  uint32_t makeTransfer(uint32_t kind, const mapping::Copy &copy,
                        const End &from, const End &to);
  /// Adds accesses to an argument that is in place; returns their time.
  int64_t addInPlace(const mapping::Compute &compute, int argument, Cost &cost);

  const Subject &subject;
  const Resources &resources;
  Ways &ways;
  Program &program;
  /// Both ends, core kind, rows, destinations: what determines a transfer.
  NumberTable<std::array<uint64_t, 8>> transfers;
  /// Body and core kind.
  std::map<std::pair<uint32_t, uint32_t>, std::pair<int64_t, uint32_t>> bodies;
  uint64_t countedRows = 0, events = 0;
};

} // namespace gensyn::machine

#endif
