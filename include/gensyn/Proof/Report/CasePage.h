// A dispute as a page of one file.
#ifndef GENSYN_PROOF_REPORT_CASEPAGE_H
#define GENSYN_PROOF_REPORT_CASEPAGE_H

#include "gensyn/Proof/Dispute/Case.h"

#include <string>

namespace gensyn::proof {

/// An HTML page that loads nothing: the verdict, and how the dispute was
/// narrowed down to it. `name` is the title's.
std::string makeCasePage(const DisputeCase &dispute, const Verdict &verdict,
                         const std::string &name);

} // namespace gensyn::proof

#endif
