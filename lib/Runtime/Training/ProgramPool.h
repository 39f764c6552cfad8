// Programs for batches of any shapes.
#ifndef GENSYN_LIB_RUNTIME_PROGRAMPOOL_H
#define GENSYN_LIB_RUNTIME_PROGRAMPOOL_H

#include "gensyn/Runtime/Data/GivenTensors.h"
#include "gensyn/Runtime/Devices/Session.h"
#include "gensyn/Runtime/Training/Train.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace gensyn::runtime {

/// Programs of one kind that share a store: one for each number of samples and
/// each combination of shapes, made when it is first needed. The newest
/// `kMostPrograms` are kept.
class ProgramPool {
public:
  static constexpr size_t kMostPrograms = 16;

  /// With `ofAverages` programs read the averages of parameters where there are
  /// any.
  ProgramPool(ProgramKind kind, const ProgramSource &source,
              ParameterStore &store, bool ofAverages)
      : kind(kind), source(source), store(store), ofAverages(ofAverages) {}

  /// Returns the program for that many samples of the given tensors. If the
  /// model's batch is fixed, the program may have another batch size. Throws a
  /// Failure.
  std::shared_ptr<Session> find(int64_t samples, const GivenTensors &given);
  /// Says if all ranks call find() at the same time with the same arguments.
  void setByAllRanks(bool value) { byAllRanks = value; }
  /// Returns the program that was found last; null if there is none.
  std::shared_ptr<Session> newest() const;

private:
  struct Entry {
    int64_t samples;
    std::vector<GivenTensors::Tensor> tensors;
    std::shared_ptr<Session> session;
    uint64_t lastUse;
  };

  ProgramKind kind;
  const ProgramSource &source;
  ParameterStore &store;
  bool ofAverages;
  bool byAllRanks = false;
  std::vector<Entry> entries;
  uint64_t uses = 0;
};

} // namespace gensyn::runtime

#endif
