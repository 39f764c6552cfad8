// dispute, referee: who of two parties is wrong.

#include "Commands.h"
#include "Parties.h"

#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/Support/OutputFiles.h"
#include "gensyn/Executable/Support/Printable.h"
#include "gensyn/Proof/Dispute/Case.h"
#include "gensyn/Proof/Report/CasePage.h"
#include "gensyn/Proof/Sign/Keys.h"
#include "gensyn/Runtime/Models/Model.h"
#include "gensyn/Runtime/Support/NumberFormatting.h"

#include <tuple>

namespace gensyn::verify {

static std::optional<Digest> readRoot(const std::string &text,
                                      const char *option) {
  if (text.empty())
    return std::nullopt;
  const std::optional<Digest> root = parseDigest(text);
  if (!root)
    throw Failure(ExitCode::Usage, std::string(option) + ": " + quote(text) +
                                       " is not 64 hexadecimal digits");
  return root;
}

static proof::DisputeOptions makeDispute(const Options &options) {
  proof::DisputeOptions dispute;
  dispute.firstRoot = readRoot(options.firstRoot, "--first-root");
  dispute.secondRoot = readRoot(options.secondRoot, "--second-root");
  dispute.mostBytes = options.mostBytes;
  return dispute;
}

namespace {

/// The public keys that the options name.
struct Signers {
  explicit Signers(const Options &options) {
    if (!options.firstSigner.empty())
      first = proof::readPublicKey(options.firstSigner);
    if (!options.secondSigner.empty())
      second = proof::readPublicKey(options.secondSigner);
  }
  void require(proof::DisputeOptions &dispute, const Options &options) const {
    dispute.firstSigned = {first.get(), isRemote(options.run)};
    dispute.secondSigned = {second.get(), isRemote(options.second)};
  }

  std::unique_ptr<proof::Verifier> first, second;
};

} // namespace

static ExitCode codeOf(const proof::Verdict &verdict) {
  return verdict.kind == proof::Verdict::Kind::Equal ? ExitCode::Ok
                                                     : ExitCode::Mismatch;
}

static OrderedJson describe(const proof::Verdict &verdict,
                            const proof::DisputeCase &dispute,
                            const Options &options) {
  OrderedJson row = {{"event", "verdict"},
                     {"verdict", name(verdict.kind)},
                     {"first_wrong", verdict.isFirstWrong()},
                     {"second_wrong", verdict.isSecondWrong()},
                     {"reason", verdict.reason}};
  if (verdict.step)
    row["step"] = *verdict.step;
  for (const proof::Verdict::Iteration &at : verdict.path)
    row["path"].push_back(OrderedJson{{"value", at.value},
                                      {"iteration", at.iteration},
                                      {"operation", at.operation}});
  if (verdict.value)
    row["value"] = *verdict.value;
  if (!verdict.operation.empty())
    row["operation"] = verdict.operation;
  if (!verdict.op.empty())
    row["op"] = verdict.op;
  if (!verdict.right.empty()) {
    row["element"] = verdict.element;
    row["first"] = verdict.first;
    row["second"] = verdict.second;
    row["right"] = verdict.right;
  }
  for (const auto &[key, signer, ofAnswers] :
       {std::tuple("first_required", options.firstSigner,
                   dispute.isFirstSigned()),
        std::tuple("second_required", options.secondSigner,
                   dispute.isSecondSigned())})
    if (!signer.empty())
      row[key] = ofAnswers ? "answers" : "root";
  row["answers"] = dispute.answers();
  row["bytes"] = dispute.bytes();
  return row;
}

/// What a party had to sign: without its answers the case is the word of
/// whoever asked for them.
static void printRequired(const std::string &party,
                          const std::filesystem::path &signer, bool ofAnswers) {
  if (!signer.empty())
    printLine("required   signatures of the " + party + " on its last root" +
              (ofAnswers ? " and its answers" : ", not on its answers"));
}

static void print(const proof::Verdict &verdict,
                  const proof::DisputeCase &dispute, const Options &options) {
  if (options.json) {
    printRecord(describe(verdict, dispute, options));
    return;
  }
  if (options.quiet)
    return;
  if (verdict.step)
    printLine("step       " + runtime::groupDigits(*verdict.step));
  for (const proof::Verdict::Iteration &at : verdict.path)
    printLine("in         iteration " +
              runtime::groupDigits(int64_t(at.iteration)) + " of " +
              at.operation + ": value " + std::to_string(at.value));
  if (!verdict.op.empty())
    printLine("op         " + verdict.operation + ", " + verdict.op +
              ": value " + std::to_string(*verdict.value));
  else if (!verdict.operation.empty())
    printLine("input      " + verdict.operation);
  if (!verdict.right.empty()) {
    std::string index;
    for (int64_t at : verdict.element)
      index += (index.empty() ? "" : ", ") + std::to_string(at);
    printLine("element    [" + index + "]");
    printLine("first      " + verdict.first);
    printLine("second     " + verdict.second);
    printLine("right      " + verdict.right);
  }
  printLine("answers    " + runtime::groupDigits(dispute.answers()) + ", " +
            runtime::groupDigits(int64_t(dispute.bytes())) + " bytes");
  printRequired("first", options.firstSigner, dispute.isFirstSigned());
  printRequired("second", options.secondSigner, dispute.isSecondSigned());
  switch (verdict.kind) {
  case proof::Verdict::Kind::Equal:
    printLine("equal      " + verdict.reason);
    return;
  case proof::Verdict::Kind::Different:
    printLine("different  these are different runs: " + verdict.reason);
    return;
  case proof::Verdict::Kind::Undecided:
    printLine("undecided  " + verdict.reason);
    return;
  default:
    printLine("wrong      " + verdict.reason);
  }
}

/// The compiler of a referee. Its memory and time are bounded, since the case
/// is anybody's.
static std::shared_ptr<runtime::Compiler> openReferee(const Options &options) {
  runtime::ModelOptions limited = options;
  limited.compilerMemory = (uint64_t(1) << 30) + 4 * options.mostBytes;
  if (!limited.compilerSeconds)
    limited.compilerSeconds = 600;
  return runtime::openCompiler(limited);
}

ExitCode runDispute(const Options &options) {
  OutputFiles outputs;
  if (!options.caseFile.empty())
    outputs.claim(options.caseFile);
  const Signers signers(options);
  ProgressBar progress(!options.quiet);
  auto show = [&](const std::string &what) { progress.show(what); };
  proof::DisputeOptions settling = makeDispute(options);
  // Before connections start threads, of which its process would be a copy.
  const std::shared_ptr<runtime::Compiler> compiler = openReferee(options);
  const std::unique_ptr<proof::Party> first = openParty(options, false, show),
                                      second = openParty(options, true, show);
  settling.compiler = compiler.get();
  settling.progress = show;
  signers.require(settling, options);
  proof::DisputeCase dispute;
  const proof::Verdict verdict = dispute.settle(*first, *second, settling);
  progress.clear();
  if (!options.caseFile.empty()) {
    outputs.add(options.caseFile, dispute.serialize());
    outputs.write();
    outputs.commit();
  }
  print(verdict, dispute, options);
  return codeOf(verdict);
}

static proof::Verdict decide(const proof::DisputeCase &dispute,
                             const Options &options) {
  const Signers signers(options);
  proof::DisputeOptions settling = makeDispute(options);
  signers.require(settling, options);
  const std::shared_ptr<runtime::Compiler> compiler = openReferee(options);
  settling.compiler = compiler.get();
  return dispute.decide(settling);
}

ExitCode runReferee(const Options &options) {
  const proof::DisputeCase dispute =
      proof::DisputeCase::read(options.caseFile, 2 * options.mostBytes);
  const proof::Verdict verdict = decide(dispute, options);
  print(verdict, dispute, options);
  return codeOf(verdict);
}

ExitCode runReport(const Options &options) {
  OutputFiles outputs;
  outputs.claim(options.page);
  const proof::DisputeCase dispute =
      proof::DisputeCase::read(options.caseFile, 2 * options.mostBytes);
  const proof::Verdict verdict = decide(dispute, options);
  outputs.add(options.page,
              proof::makeCasePage(dispute, verdict,
                                  options.caseFile.filename().string()));
  outputs.write();
  outputs.commit();
  print(verdict, dispute, options);
  return codeOf(verdict);
}

} // namespace gensyn::verify
