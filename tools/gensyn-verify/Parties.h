// The parties of a dispute, as the command line names them.
#ifndef GENSYN_TOOLS_GENSYN_VERIFY_PARTIES_H
#define GENSYN_TOOLS_GENSYN_VERIFY_PARTIES_H

#include "Options.h"

#include "gensyn/Proof/Dispute/Party.h"

#include <functional>
#include <memory>

namespace gensyn::verify {

/// Called with what a party does: "repeating step 17".
using ShowProgress = std::function<void(const std::string &)>;

/// Opens the run folder of the first or the second party, or connects to it.
/// Throws a Failure.
std::unique_ptr<proof::Party> openParty(const Options &options, bool isSecond,
                                        const ShowProgress &progress);

} // namespace gensyn::verify

#endif
