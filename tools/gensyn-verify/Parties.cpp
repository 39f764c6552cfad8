// See Parties.h.

#include "Parties.h"

#include "../Terminal/Terminal.h"

#include "gensyn/Proof/Dispute/AnsweringParty.h"
#include "gensyn/Proof/Dispute/RepeatedRun.h"
#include "gensyn/Proof/Dispute/dispute.pb.h"
#include "gensyn/Proof/Wire/RemoteParty.h"

namespace gensyn::verify {

namespace {

/// Answers by repeating the run of a folder.
class FolderParty final : public proof::Party {
public:
  explicit FolderParty(proof::RepeatOptions options)
      : run(std::move(options)), party(run) {}

  dispute::Answer ask(const dispute::Question &question) override {
    return party.ask(question);
  }

private:
  proof::RepeatedRun run;
  proof::AnsweringParty party;
};

} // namespace

static proof::RepeatOptions makeRepeat(const Options &options, bool isSecond) {
  proof::RepeatOptions repeat;
  repeat.run.run = isSecond ? options.second : options.run;
  repeat.run.model = options;
  repeat.run.model.warn = terminal::printWarning;
  repeat.run.data = options.data;
  repeat.run.evalData = options.evalData;
  repeat.run.parameters = options.parameters;
  if (!isSecond)
    return repeat;
  if (!options.secondModel.empty())
    repeat.run.model.model = options.secondModel;
  if (!options.secondData.empty())
    repeat.run.data = options.secondData;
  if (!options.secondParameters.empty())
    repeat.run.parameters = options.secondParameters;
  return repeat;
}

std::unique_ptr<proof::Party> openParty(const Options &options, bool isSecond,
                                        const ShowProgress &progress) {
  const std::filesystem::path &run = isSecond ? options.second : options.run;
  if (isRemote(run)) {
    proof::Endpoint endpoint = options.wire;
    endpoint.address = run.string().substr(std::string("grpc://").size());
    return std::make_unique<proof::RemoteParty>(
        endpoint, std::chrono::seconds(options.patience));
  }
  proof::RepeatOptions repeat = makeRepeat(options, isSecond);
  repeat.progress = progress;
  return std::make_unique<FolderParty>(std::move(repeat));
}

} // namespace gensyn::verify
