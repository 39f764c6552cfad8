// A party on another machine, or in another process.
#ifndef GENSYN_PROOF_WIRE_REMOTEPARTY_H
#define GENSYN_PROOF_WIRE_REMOTEPARTY_H

#include "gensyn/Proof/Dispute/Party.h"
#include "gensyn/Proof/Wire/Endpoint.h"

#include <chrono>
#include <memory>

namespace gensyn::proof {

/// Asks a PartyServer. A connection that is lost is made again, and the
/// question repeated.
class RemoteParty final : public Party {
public:
  /// Connects; `patience` is for each question. Throws the Failures of
  /// openEndpoint(), one (I/O) if nobody answers there, one (unsupported) if
  /// the other side has another version of the protocol, and where gRPC was not
  /// there when this was built.
  RemoteParty(const Endpoint &endpoint, std::chrono::seconds patience);
  ~RemoteParty() override;

  /// Throws a Failure if there is no answer in time, or too large a one.
  dispute::Answer ask(const dispute::Question &question) override;

private:
  struct State;
  std::unique_ptr<State> state;
};

} // namespace gensyn::proof

#endif
