// The thread that opens and finalizes a transport. Both wait for all ranks, and
// would wait for ever if one of them is stopped.
#ifndef GENSYN_COMMUNICATION_TRANSPORTTHREAD_H
#define GENSYN_COMMUNICATION_TRANSPORTTHREAD_H

#include <functional>
#include <memory>

namespace gensyn::communication {

/// One thread for all calls, as MPI asks for the same one at the start and the
/// end.
class TransportThread {
public:
  TransportThread();
  /// Leaves a function alone that has not returned.
  ~TransportThread();

  /// Runs a function on the thread; false if it has not returned after so many
  /// seconds. It then goes on, so it owns what it uses; the thread runs no
  /// other one.
  bool run(double seconds, std::function<void()> function);

private:
  struct State;
  std::shared_ptr<State> state;
};

} // namespace gensyn::communication

#endif
