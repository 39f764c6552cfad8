// The times and energies of copies and of computing; see Program.h.

#ifndef GENSYN_LIB_MACHINE_SIMULATOR_TRANSFERS_H
#define GENSYN_LIB_MACHINE_SIMULATOR_TRANSFERS_H

#include "Program.h"

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace gensyn::machine {

class TransferBuilder {
public:
  TransferBuilder(const Subject &subject, const Resources &resources,
                  Program &program)
      : subject(subject), resources(resources), program(program) {}

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
  /// Some of a transfer's packets.
  struct Share {
    uint32_t first, packets;
  };
  static uint64_t shareOf(uint64_t bytes, const Transfer &transfer,
                          const Share &share);
  End findEnd(uint32_t core, const mapping::Copy &copy, bool isFrom);
  uint64_t countBurstBytes(const Region &region, uint64_t burst);
  uint32_t makeTransfer(const Task &task, const mapping::Copy &copy,
                        const End &from, const End &to, uint32_t ways);
  /// Adds the way of a share of a transfer's packets, to port `port` of a
  /// shared memory.
  void addWay(const Task &task, const mapping::Copy &copy, const End &from,
              const End &to, const Transfer &transfer, uint32_t port,
              const Share &share);
  void addPort(const End &end, uint32_t port, const Transfer &transfer,
               const Share &share);
  void addLinks(std::span<const uint32_t> links, const Transfer &transfer,
                const Share &share);
  void addStage(int64_t total, const Transfer &transfer, uint32_t resource,
                bool isPort, int64_t latency);
  /// The links between a core and a port: the copy's path if it leads to this
  /// port, else the machine's route.
  std::vector<uint32_t> findLinks(uint32_t core, const mapping::Copy &copy,
                                  const End &from, const End &to,
                                  uint32_t port) const;
  /// Adds accesses to an argument that is in place; returns their time.
  int64_t addInPlace(const mapping::Compute &compute, int argument,
                     uint64_t elements, Cost &cost);

  const Subject &subject;
  const Resources &resources;
  Program &program;
  /// Ends, path, core kind, rows, first way: what determines a transfer.
  std::map<std::array<uint64_t, 10>, uint32_t> transfers;
  /// Body and core kind.
  std::map<std::pair<uint32_t, uint32_t>, std::pair<int64_t, uint32_t>> bodies;
  uint64_t countedRows = 0, events = 0;
};

} // namespace gensyn::machine

#endif
