// See Commitment.h.

#include "Commitment.h"

#include "../Terminal/Terminal.h"
#include "OptionChecks.h"

#include "gensyn/Executable/Support/Files.h"
#include "gensyn/Executable/Support/InputFiles.h"

namespace gensyn::run {

Commitment::Commitment(const Options &options) : path(options.commit) {
  if (path.empty())
    return;
  checkOutputs(options);
  requireWritableFile(path);
  committer.emplace();
}

void Commitment::requireNoInput() const {
  if (committer)
    gensyn::requireNoInput(path);
}

void Commitment::write() const {
  if (committer)
    committer->write(path);
}

void Commitment::describe(OrderedJson &row) const {
  if (committer)
    row["commitment"] = toHex(committer->commitment().root);
}

void Commitment::print(const std::string &word) const {
  if (committer)
    terminal::printLine(word + " " + toHex(committer->commitment().root));
}

} // namespace gensyn::run
