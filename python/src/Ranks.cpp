// See Ranks.h.

#include "Ranks.h"

#include <nanobind/stl/string.h>

#include <cstdio>
#include <memory>

namespace nb = nanobind;

namespace gensyn::python {

using communication::Communicator;
using communication::PeerFailure;

/// MPI begins once a process, and these end before its static objects.
static std::unique_ptr<Communicator> ranks;
static bool hasBegun = false;

Communicator *ranksOfProcess(const std::string &library, double rankTimeout) {
  if (hasBegun)
    return ranks.get();
  hasBegun = true;
  ranks = communication::connect(
      {rankTimeout, library, [](const PeerFailure &failure) {
         std::fprintf(stderr, "gensyn: error: %s\n", failure.what());
       }});
  if (ranks && ranks->size() == 1) {
    ranks->finish();
    ranks.reset();
  }
  return ranks.get();
}

/// Ends orderly, or tells the other ranks why the script ended.
static void finishRanks(const std::string &error) {
  if (!ranks)
    return;
  try {
    if (!error.empty())
      ranks->reportFailure(Failure(ExitCode::Usage, error));
    else if (!ranks->failure())
      ranks->finish();
  } catch (const PeerFailure &) {
    // Another rank's script failed, which prints it.
  } catch (const Failure &failure) {
    std::fprintf(stderr, "gensyn: error: %s\n", failure.what());
  }
  ranks.reset();
}

void defineRanks(nb::module_ &module) {
  // What the environment says, without connecting.
  module.def("rank", [] {
    const auto launched = communication::findLauncher();
    return launched && launched->rank > 0 ? launched->rank : 0;
  });
  module.def("ranks", [] {
    const auto launched = communication::findLauncher();
    return ranks                            ? ranks->size()
           : launched && launched->size > 0 ? launched->size
                                            : 1;
  });
  module.def("have_ranks_failed",
             [] { return ranks && ranks->failure().has_value(); });
  module.def(
      "finish_ranks",
      [](const std::string &error) {
        const nb::gil_scoped_release release;
        finishRanks(error);
      },
      nb::arg("error"));
}

} // namespace gensyn::python
