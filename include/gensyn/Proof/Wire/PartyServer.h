// Lets others ask a party.
#ifndef GENSYN_PROOF_WIRE_PARTYSERVER_H
#define GENSYN_PROOF_WIRE_PARTYSERVER_H

#include "gensyn/Proof/Dispute/Party.h"
#include "gensyn/Proof/Wire/Endpoint.h"

#include <chrono>
#include <functional>
#include <memory>
#include <string>

namespace gensyn::proof {

struct ServerOptions {
  /// Port 0 is any that is free.
  Endpoint endpoint;
  /// Called with the reason why a question has no answer, which the other side
  /// is not told: it may have names of files. From any thread; may be null.
  std::function<void(const std::string &)> warn;
  /// Signs an answer, also one that there is none; may be null.
  std::function<void(const dispute::Question &, dispute::Answer &)> sign;
};

/// Answers questions from the moment it is constructed, one at a time.
class PartyServer {
public:
  /// `party` must outlive it. Throws the Failures of openEndpoint(), one (I/O)
  /// if the address cannot be listened on, and one (unsupported) where gRPC was
  /// not there when this was built.
  PartyServer(Party &party, const ServerOptions &options);
  /// Waits for the question that is being answered.
  ~PartyServer();

  /// "127.0.0.1:41873"
  std::string address() const;

  /// Takes no more questions. Returns false if one is still being answered
  /// after so long: nothing stops that but the end of the process.
  bool stop(std::chrono::milliseconds wait);

private:
  struct State;
  std::unique_ptr<State> state;
};

} // namespace gensyn::proof

#endif
