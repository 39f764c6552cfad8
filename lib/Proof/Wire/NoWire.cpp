// Where there is no gRPC: PartyServer and RemoteParty say so.

#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Proof/Dispute/dispute.pb.h"
#include "gensyn/Proof/Wire/PartyServer.h"
#include "gensyn/Proof/Wire/RemoteParty.h"

namespace gensyn::proof {

[[noreturn]] static void fail() {
  failUnsupported("disputes over the network are not part of this build, which "
                  "had no gRPC");
}

struct PartyServer::State {};

PartyServer::PartyServer(Party &, const ServerOptions &) { fail(); }
PartyServer::~PartyServer() = default;
std::string PartyServer::address() const { fail(); }
bool PartyServer::stop(std::chrono::milliseconds) { fail(); }

struct RemoteParty::State {};

RemoteParty::RemoteParty(const Endpoint &, std::chrono::seconds) { fail(); }
RemoteParty::~RemoteParty() = default;
dispute::Answer RemoteParty::ask(const dispute::Question &) { fail(); }

} // namespace gensyn::proof
