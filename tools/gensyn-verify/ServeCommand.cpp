// serve: answers the questions of disputes about a run.

#include "Commands.h"
#include "Parties.h"

#include "gensyn/Proof/Dispute/SignedAnswers.h"
#include "gensyn/Proof/Sign/Keys.h"
#include "gensyn/Proof/Wire/PartyServer.h"

#include <csignal>

#include <unistd.h>

namespace gensyn::verify {

/// How long a question that is being answered may delay the end.
static constexpr std::chrono::seconds kLastAnswer(1);

ExitCode runServe(const Options &options) {
  // Blocked in all threads that begin from here, and waited for below.
  sigset_t ending;
  ::sigemptyset(&ending);
  ::sigaddset(&ending, SIGINT);
  ::sigaddset(&ending, SIGTERM);
  ::pthread_sigmask(SIG_BLOCK, &ending, nullptr);

  ProgressBar progress(!options.quiet);
  const std::unique_ptr<proof::Party> party = openParty(
      options, false, [&](const std::string &what) { progress.show(what); });
  proof::ServerOptions serving;
  serving.endpoint = options.wire;
  if (serving.endpoint.address.empty())
    serving.endpoint.address = "127.0.0.1:0";
  serving.warn = [&](const std::string &reason) {
    progress.clear();
    printWarning(reason);
  };
  std::unique_ptr<proof::Signer> key;
  std::optional<proof::AnswerSigner> signer;
  if (!options.key.empty()) {
    key = proof::readPrivateKey(options.key);
    signer.emplace(*key, *party);
    serving.sign = [&](const dispute::Question &question,
                       dispute::Answer &answer) {
      signer->sign(question, answer);
    };
  }
  proof::PartyServer server(*party, serving);
  if (options.json)
    printRecord({{"event", "listening"}, {"address", server.address()}});
  else
    printLine("listening on " + server.address());
  int signal = 0;
  ::sigwait(&ending, &signal);
  progress.clear();
  // Nothing stops the step that is repeated but the end of the process.
  if (!server.stop(kLastAnswer))
    ::_exit(int(ExitCode::Ok));
  return ExitCode::Ok;
}

} // namespace gensyn::verify
