// Failures of a rank while transfers are in flight.
#ifndef GENSYN_LIB_RUNTIME_RANKS_REPORTFAILURES_H
#define GENSYN_LIB_RUNTIME_RANKS_REPORTFAILURES_H

#include "gensyn/Communication/Communicator.h"

#include <exception>

namespace gensyn::runtime {

/// Calls `function`. If it throws, the other ranks are told while what is on
/// its way still has its memory, and it is thrown on.
template <class Function>
void reportFailures(communication::Communicator &ranks, Function function) {
  try {
    function();
  } catch (const Failure &failure) {
    ranks.reportFailure(failure);
    throw;
  } catch (const std::exception &failure) {
    ranks.reportFailure(Failure(ExitCode::OutOfResources, failure.what()));
    throw;
  }
}

} // namespace gensyn::runtime

#endif
