// The ranks that this process trains together with.
#ifndef GENSYN_PYTHON_RANKS_H
#define GENSYN_PYTHON_RANKS_H

#include "gensyn/Communication/Communicator.h"

#include <nanobind/nanobind.h>

#include <string>

namespace gensyn::python {

/// Connects to the ranks that a launcher started, at the first call; null if
/// this process is alone. Plug-ins are beside `library`. Throws as
/// communication::connect(), and a Failure (usage) after finish_ranks().
communication::Communicator *ranksOfProcess(const std::string &library,
                                            double rankTimeout);

/// Adds functions about ranks to the extension module.
void defineRanks(nanobind::module_ &module);

} // namespace gensyn::python

#endif
