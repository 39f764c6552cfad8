// Opens the plug-in of the MPI whose launcher started this process.

#include "Engine.h"
#include "Launch.h"

#include "gensyn/Executable/Support/Error.h"

#include <algorithm>
#include <cstdlib>
#include <thread>

#include <dlfcn.h>
#include <sched.h>

namespace gensyn::communication {

namespace fs = std::filesystem;

/// Returns the plug-in's file.
static fs::path choosePlugin(const Launch &launch, const fs::path &executable) {
  if (const char *given = std::getenv("GENSYN_MPI_PLUGIN"); given && *given)
    return given;
  if (fs::path found = findPlugin(launch.plugins, executable); !found.empty())
    return found;
  const fs::path expected =
      executable.parent_path().parent_path() / "lib" / launch.plugins.front();
  failUnsupported(
      launch.launcher + " started " +
          (launch.size ? std::to_string(launch.size) + " ranks" : "a rank") +
          ", but " + expected.string() + " does not exist",
      "it is built where " + launch.packages +
          " is installed; GENSYN_MPI_PLUGIN names another file");
}

static GensynTransport openPlugin(const fs::path &file,
                                  const EngineOptions &options) {
  // Plug-ins of MPI itself look for its symbols among the global ones.
  void *library = dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (!library) {
    const char *reason = dlerror();
    failUnsupported(quote(file.string()) +
                    " cannot be loaded: " + (reason ? reason : ""));
  }
  const auto version = reinterpret_cast<GensynTransportVersion>(
      dlsym(library, "gensynTransportVersion"));
  const auto open = reinterpret_cast<GensynTransportOpen>(
      dlsym(library, "gensynTransportOpen"));
  if (!version || !open)
    failUnsupported(quote(file.string()) + " is no transport plug-in");
  if (version() != GENSYN_TRANSPORT_VERSION)
    failUnsupported(quote(file.string()) + " has version " +
                        std::to_string(version()) + ", expected " +
                        std::to_string(GENSYN_TRANSPORT_VERSION),
                    "plug-in and program belong to the same build");
  // It goes on after the time is over, so it may not use what is here.
  struct Opened {
    GensynTransport transport;
    char error[1024] = "";
    int32_t status = 0;
  };
  const auto opened = std::make_shared<Opened>();
  if (!options.opener->run(options.startTimeout(), [opened, open] {
        opened->status =
            open(&opened->transport, opened->error, sizeof(opened->error));
      }))
    throw Failure(ExitCode::OutOfResources,
                  "the other ranks did not start within " +
                      secondsText(options.startTimeout()));
  if (opened->status)
    throw Failure(ExitCode::OutOfResources,
                  quote(file.string()) + " cannot connect: " + opened->error);
  return opened->transport;
}

HostPlace placeOnHost(const Communicator &ranks) {
  HostPlace place;
  for (int rank = 0; rank < ranks.size(); ++rank) {
    const bool isHere = ranks.host(rank) == ranks.host(ranks.rank());
    place.ranks += isHere;
    place.number += isHere && rank < ranks.rank();
  }
  return place;
}

unsigned threadsOfRank(const Communicator &ranks) {
  cpu_set_t set;
  const unsigned all = std::max(1u, std::thread::hardware_concurrency());
  const unsigned own = ::sched_getaffinity(0, sizeof(set), &set) == 0
                           ? unsigned(CPU_COUNT(&set))
                           : all;
  return std::max(1u, std::min(own, all / placeOnHost(ranks).ranks));
}

std::optional<Launched> findLauncher() noexcept {
  try {
    const auto launch =
        findLaunch([](const char *name) { return std::getenv(name); });
    if (launch)
      return Launched{launch->launcher, launch->rank, launch->size};
  } catch (const std::exception &) {
    // Tasks that cannot connect.
  }
  return std::nullopt;
}

std::unique_ptr<Communicator> connect(const ConnectOptions &options) {
  const std::optional<Launch> launch =
      findLaunch([](const char *name) { return std::getenv(name); });
  if (!launch)
    return nullptr;
  const fs::path file = choosePlugin(*launch, options.executable);
  EngineOptions engineOptions;
  engineOptions.timeout = options.rankTimeout;
  engineOptions.onLoss = options.onLoss;
  engineOptions.opener = std::make_shared<TransportThread>();
  const GensynTransport transport = openPlugin(file, engineOptions);
  auto engine = std::make_unique<Engine>(transport, engineOptions);
  Engine &state = *engine;
  auto ranks = std::make_unique<Communicator>(std::move(engine));
  // As many processes that are alone would each write the run's files.
  if (launch->size && launch->size != state.size) {
    ranks->finish();
    failUnsupported(launch->launcher + " started " +
                        std::to_string(launch->size) + " ranks, but " +
                        quote(file.string()) + " connects " +
                        std::to_string(state.size),
                    "launcher and plug-in belong to the same MPI");
  }
  try {
    state.setHosts(ranks->gather(state.host(state.rank)));
  } catch (const PeerFailure &) {
    // The caller's next call throws it. Here, the process could end before the
    // caller has printed it.
  }
  return ranks;
}

} // namespace gensyn::communication
