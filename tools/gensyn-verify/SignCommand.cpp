// keygen, sign: keys, and signatures of runs.

#include "Commands.h"

#include "gensyn/Proof/Sign/Keys.h"
#include "gensyn/Runtime/Support/NumberFormatting.h"

namespace gensyn::verify {

ExitCode runKeygen(const Options &options) {
  std::filesystem::path shown = options.key;
  shown.replace_extension(".pub");
  if (shown == options.key)
    throw Failure(ExitCode::Usage,
                  options.key.string() +
                      ": is the name of the public key's file, expected one "
                      "as maker.key");
  const proof::PublicKey key = proof::generateKey(options.key, shown);
  if (options.json) {
    printRecord({{"event", "key"},
                 {"private_file", options.key.string()},
                 {"public_file", shown.string()},
                 {"public_key", hexOf(key)},
                 {"fingerprint", fingerprint(key)}});
    return ExitCode::Ok;
  }
  printLine("private    " + options.key.string());
  printLine("public     " + shown.string());
  printLine("key        " + fingerprint(key));
  return ExitCode::Ok;
}

ExitCode runSign(const Options &options) {
  const std::unique_ptr<proof::Signer> signer =
      proof::readPrivateKey(options.key);
  const proof::RunCommitments commitments = proof::readCommitments(options.run);
  const proof::RunSignature made =
      proof::signRun(commitments.points.back(), *signer, proof::currentTime());
  proof::appendSignature(options.run, made);
  if (options.json) {
    printRecord({{"event", "signed"},
                 {"root", toHex(made.root)},
                 {"step", made.step},
                 {"public_key", hexOf(made.key)},
                 {"fingerprint", fingerprint(made.key)},
                 {"time", made.time}});
    return ExitCode::Ok;
  }
  printLine("root       " + toHex(made.root) + " after step " +
            runtime::groupDigits(made.step));
  printLine("key        " + fingerprint(made.key));
  printLine("time       " + made.time);
  return ExitCode::Ok;
}

} // namespace gensyn::verify
