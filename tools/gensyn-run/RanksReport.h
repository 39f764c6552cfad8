// The table of the ranks at the end of a run.
#ifndef GENSYN_TOOLS_GENSYN_RUN_RANKSREPORT_H
#define GENSYN_TOOLS_GENSYN_RUN_RANKSREPORT_H

#include "Options.h"

#include "gensyn/Communication/Communicator.h"
#include "gensyn/Runtime/Models/Model.h"

namespace gensyn::run {

/// Called by all ranks: the first one prints, for each of them, its machine,
/// microbatches, seconds of computing, exchanging and updating, bytes sent and
/// memory; with --json an object. Nothing with --quiet.
void reportRanks(const Options &options, const runtime::Model &model,
                 communication::Communicator &ranks);

} // namespace gensyn::run

#endif
