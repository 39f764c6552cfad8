// Tensors of which each rank has some elements, between steps.
#ifndef GENSYN_LIB_RUNTIME_RANKS_DIVIDEDTENSORS_H
#define GENSYN_LIB_RUNTIME_RANKS_DIVIDEDTENSORS_H

#include "gensyn/Runtime/Devices/ParameterStore.h"
#include "gensyn/Runtime/Ranks/RankedProgram.h"

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace gensyn::runtime {

/// The tensors of a store as ranks write, evaluate and restore them: the first
/// rank alone, or, where files are concerned, all that share them with it. They
/// keep their shape; pages of elements that a rank does not have are given back
/// to the system. All ranks call gather(), visit(), visitRanges(), copyWhole(),
/// digest() and replace() at the same time with the same names. With undivided
/// tensors alone no rank waits for another in gather(), visit() and
/// copyWhole().
class DividedTensors {
public:
  /// `ranks` and `state` may be null: then nothing is divided.
  DividedTensors(ParameterStore &store, communication::Communicator *ranks,
                 std::shared_ptr<ShardedState> state)
      : store(store), ranks(ranks), state(std::move(state)) {}

  /// True if this rank has some elements of the tensor alone.
  bool isDivided(const std::string &name) const { return findCut(name); }
  /// True if this rank has some of its elements alone after a step.
  bool isToBeDivided(const std::string &name) const {
    return ranks && state && state->cuts.contains(name);
  }
  /// True if there is such a tensor.
  bool hasDivided() const;
  /// The elements of a tensor that this rank has, without its shape. Valid as
  /// long as the store is unchanged.
  Tensor ownPart(const std::string &name) const;

  /// Says which ranks write and read files with the first one, by rank; with an
  /// empty list it does so alone.
  void shareFiles(std::vector<bool> which) { sharers = std::move(which); }
  /// True if a rank shares files with the first one.
  bool sharesFiles() const;
  /// True if this rank reads and writes files.
  bool usesFiles() const { return isFirst() || isSharer(ranks->rank()); }

  /// Makes tensors whole on the first rank, until forget().
  void gather(const std::vector<std::string> &names);
  /// Ends what gather() began; called before the next step.
  void forget();

  using Visitor =
      std::function<void(const std::string &name, const Tensor &tensor)>;
  /// Calls `visitor` for each tensor in turn, on the first rank alone if
  /// tensors are divided. The first rank has a tensor as a whole for the call,
  /// and meanwhile receives the next one; the visitor keeps no copy. A failure
  /// of a visitor ends all ranks.
  void visit(const std::vector<std::string> &names, const Visitor &visitor);

  using RangeVisitor = std::function<void(
      const std::string &name, uint64_t offset, std::span<const std::byte>)>;
  /// Calls `visitor` for ranges of bytes of each tensor in turn, on the ranks
  /// that share files: each has those elements that it has alone, and an even
  /// share of the tensors of all ranks. The first rank has those of ranks that
  /// share none, too, which it receives. A failure of a visitor ends all ranks.
  void visitRanges(const std::vector<std::string> &names,
                   const RangeVisitor &visitor);

  /// Tensors with the texts before them, in a stream of bytes.
  using Stream = std::vector<std::pair<std::string, std::string>>;
  /// Returns the digest of a stream, on every rank.
  std::string digest(const Stream &stream);

  /// Returns a tensor as a whole, on every rank.
  Tensor copyWhole(const std::string &name);

  /// Reads bytes of a tensor from an offset on.
  using RangeReader = std::function<void(
      const std::string &name, uint64_t offset, std::span<std::byte> bytes)>;
  /// Replaces tensors, one after another. With `readsFiles`, each rank that
  /// shares files reads the elements that it is to have, and the first one
  /// those of the other ranks; otherwise it reads all. A failure of a reader
  /// ends all ranks.
  void replace(const std::vector<std::string> &names, const RangeReader &reader,
               bool readsFiles);

private:
  struct Flight;
  bool isSharer(int rank) const {
    return size_t(rank) < sharers.size() && sharers[size_t(rank)];
  }
  std::map<std::string, Cut> divideFiles(const std::vector<std::string> &names);
  std::span<std::byte> makeRoom(const std::string &name);
  const Cut *findCut(const std::string &name) const;
  bool isFirst() const { return !ranks || ranks->rank() == 0; }
  Flight receive(const std::string &name, const std::vector<bool> &without);
  void visitReceived(const std::vector<std::string> &names,
                     const std::vector<bool> &without,
                     const std::function<void(const std::string &)> &visitor);
  void sendRanges(const std::vector<std::string> &names);
  void distribute(const std::vector<std::string> &names,
                  const RangeReader &reader, const std::vector<bool> &without);
  void receiveRanges(const std::vector<std::string> &names,
                     const RangeReader *reader);
  void forgetOthers(const std::string &name, const Cut &cut);
  void wait(const Flight &flight);

  ParameterStore &store;
  communication::Communicator *ranks;
  std::shared_ptr<ShardedState> state;
  std::vector<bool> sharers;
  /// Divided tensors that the first rank has as a whole.
  std::set<std::string> gathered;
};

} // namespace gensyn::runtime

#endif
