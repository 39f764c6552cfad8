// Tensors of which each rank has some elements, between steps.
#ifndef GENSYN_LIB_RUNTIME_RANKS_DIVIDEDTENSORS_H
#define GENSYN_LIB_RUNTIME_RANKS_DIVIDEDTENSORS_H

#include "gensyn/Runtime/Devices/ParameterStore.h"
#include "gensyn/Runtime/Ranks/RankedProgram.h"

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace gensyn::runtime {

/// The tensors of a store as the first rank writes, evaluates and restores
/// them. They keep their shape; pages of elements that a rank does not have are
/// given back to the system. All ranks call gather(), visit(), copyWhole() and
/// replace() at the same time with the same names. With undivided tensors alone
/// no rank waits for another, but in replace().
class DividedTensors {
public:
  /// `ranks` and `state` may be null: then nothing is divided.
  DividedTensors(ParameterStore &store, communication::Communicator *ranks,
                 std::shared_ptr<ShardedState> state)
      : store(store), ranks(ranks), state(std::move(state)) {}

  /// True if this rank has some elements of the tensor alone.
  bool isDivided(const std::string &name) const { return findCut(name); }
  /// True if there is such a tensor.
  bool hasDivided() const;
  /// The elements of a tensor that this rank has, without its shape. Valid as
  /// long as the store is unchanged.
  Tensor ownPart(const std::string &name) const;

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

  /// Returns a tensor as a whole, on every rank.
  Tensor copyWhole(const std::string &name);

  using Reader = std::function<Tensor(const std::string &name)>;
  /// Replaces tensors by those that `reader` makes on the first rank, one after
  /// another. Each rank gets the elements that it is to have. A failure of a
  /// reader ends all ranks.
  void replace(const std::vector<std::string> &names, const Reader &reader);

private:
  struct Flight;
  const Cut *findCut(const std::string &name) const;
  bool isFirst() const { return !ranks || ranks->rank() == 0; }
  Flight receiveWhole(const std::string &name);
  void visitWhole(const std::vector<std::string> &names,
                  const Visitor &visitor);
  void sendRanges(const std::vector<std::string> &names);
  void distribute(const std::vector<std::string> &names, const Reader &reader);
  void receiveRanges(const std::vector<std::string> &names);
  void forgetOthers(const std::string &name, const Cut &cut);
  void wait(const Flight &flight);

  ParameterStore &store;
  communication::Communicator *ranks;
  std::shared_ptr<ShardedState> state;
  /// Divided tensors that the first rank has as a whole.
  std::set<std::string> gathered;
};

} // namespace gensyn::runtime

#endif
