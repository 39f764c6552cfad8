// A cheat who is asked over the network.

#include "Cheats.h"
#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Proof/Wire/PartyServer.h"

#include <cstdio>

#include <unistd.h>

namespace gensyn::cheats {

int serve(proof::RunSource &honest, int64_t step, const std::string &name) {
  std::vector<Cheat> cheats;
  addLies(cheats);
  addAnswers(cheats);
  const Setting setting(honest, step);
  for (const Cheat &cheat : cheats) {
    const std::optional<Lie> lie =
        cheat.name == name ? cheat.lie(setting) : std::nullopt;
    if (!lie)
      continue;
    AlteredParty party(honest, *lie, cheat.alter);
    proof::ServerOptions options;
    options.endpoint.address = "127.0.0.1:0";
    const proof::PartyServer server(party, options);
    std::printf("listening on %s\n", server.address().c_str());
    std::fflush(stdout);
    return ::pause();
  }
  failBadInput("the program has nothing for the cheat " + quote(name));
}

} // namespace gensyn::cheats
