// The text of an op of a program, from which it is evaluated alone.

#ifndef GENSYN_LIB_PIPELINES_PROOF_LISTENTRIES_H
#define GENSYN_LIB_PIPELINES_PROOF_LISTENTRIES_H

#include "gensyn/Dialect/Repro/Transforms/ProgramEntries.h"
#include "gensyn/Executable/proof.pb.h"

namespace gensyn {

/// Writes an op as a module of its own, and the constants that it reads.
void describeEntry(const repro::ProgramEntry &entry,
                   plan::EntriesResponse::Described &described);

} // namespace gensyn

#endif
