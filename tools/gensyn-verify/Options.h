// The command line of gensyn-verify.
#ifndef GENSYN_TOOLS_GENSYN_VERIFY_OPTIONS_H
#define GENSYN_TOOLS_GENSYN_VERIFY_OPTIONS_H

#include "gensyn/Proof/Wire/Endpoint.h"
#include "gensyn/Runtime/Data/DataSource.h"
#include "gensyn/Runtime/Models/ModelOptions.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace gensyn::verify {

enum class Command {
  None,
  Show,
  Check,
  Dispute,
  Referee,
  Report,
  Serve,
  Keygen,
  Sign
};

struct Options : runtime::ModelOptions {
  Command command = Command::None;
  std::filesystem::path run;
  runtime::DataSource data, evalData;
  std::filesystem::path parameters;
  /// check: what an inference of infer read.
  std::filesystem::path inputs;
  /// check: segments to repeat (0: all), and which ones; nothing: as chance
  /// has it.
  int64_t segments = 5;
  std::optional<uint64_t> seed;
  /// check: ops to compare with the reference.
  uint64_t ops = 0;
  /// dispute: the run of the other party, and what is not that of `run`. Both
  /// may be "grpc://HOST:PORT".
  std::filesystem::path second;
  runtime::DataSource secondData;
  std::filesystem::path secondModel, secondParameters;
  /// dispute, referee: the file of the case, hexadecimal roots, and a limit.
  std::filesystem::path caseFile;
  /// report: the page to write.
  std::filesystem::path page;
  std::string firstRoot, secondRoot;
  /// keygen, sign, serve: the file of a private key.
  std::filesystem::path key;
  /// check; dispute, referee: the public keys that must have signed.
  std::filesystem::path signer, firstSigner, secondSigner;
  uint64_t mostBytes = uint64_t(256) << 20;
  /// serve: where it listens. dispute: the files of TLS for remote parties.
  proof::Endpoint wire;
  /// dispute: seconds that a remote party has for an answer.
  int64_t patience = 600;
  bool json = false;
  bool quiet = false;
};

/// True for a party that is asked over the network: "grpc://HOST:PORT".
bool isRemote(const std::filesystem::path &party);

/// Parses the command line. For help or version, prints it and leaves `command`
/// at None. Throws a Failure (usage).
Options parseOptions(int argc, char **argv);

} // namespace gensyn::verify

#endif
