// See Mpirun.h.

#include "gensyn/Communication/Mpirun.h"

#include "Launch.h"
#include "gensyn/Executable/Support/Error.h"

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <thread>

#include <unistd.h>

namespace gensyn::communication {

namespace fs = std::filesystem;

extern "C" char **environ;

namespace {
/// More ranks than any machine has are a mistake of the file.
constexpr int mostRanks = 1 << 20;

/// An MPI, and how its launcher is recognized.
struct Known {
  const char *name;
  Mpirun::Mpi mpi;
  /// Debian has both MPIs at once, each with a name of its own.
  std::vector<const char *> commands;
  /// What `--version` prints.
  std::vector<const char *> marks;
  const char *package;
  const char *plugin;
};

const std::vector<Known> &knownMpis() {
  static const std::vector<Known> known = {
      {"openmpi",
       Mpirun::Mpi::OpenMpi,
       {"mpirun.openmpi", "mpirun"},
       {"Open MPI", "OpenRTE", "PRRTE"},
       "openmpi-bin",
       openMpiPlugin},
      {"mpich",
       Mpirun::Mpi::Mpich,
       {"mpirun.mpich", "mpirun", "mpiexec.hydra"},
       {"HYDRA"},
       "mpich",
       mpichPlugin},
  };
  return known;
}

/// Returns what a program prints for --version.
std::string versionOf(const fs::path &program) {
  std::string command = "'";
  for (const char c : program.string())
    command += c == '\'' ? std::string("'\\''") : std::string(1, c);
  command += "' --version 2>&1 < /dev/null";
  std::string text;
  if (std::FILE *output = ::popen(command.c_str(), "r")) {
    char buffer[4096];
    text.assign(buffer, std::fread(buffer, 1, sizeof(buffer), output));
    ::pclose(output);
  }
  return text;
}

bool isLauncherOf(const Known &known, const fs::path &program) {
  const std::string version = versionOf(program);
  for (const char *mark : known.marks)
    if (version.find(mark) != std::string::npos)
      return true;
  return false;
}

/// Returns an empty path if there is none.
fs::path findInPath(const Known &known) {
  const char *path = std::getenv("PATH");
  for (const char *command : known.commands) {
    std::istringstream folders(path ? path : "");
    for (std::string folder; std::getline(folders, folder, ':');) {
      const fs::path program =
          fs::path(folder.empty() ? "." : folder) / command;
      if (::access(program.c_str(), X_OK) == 0 && isLauncherOf(known, program))
        return program;
    }
  }
  return {};
}

/// The number of ranks that a host has room for.
int roomOn(const Host &host, const RanksToStart &start) {
  const int count = static_cast<int>(start.hosts.size());
  const int share = (start.ranks + count - 1) / count;
  const int ranks = host.ranks           ? host.ranks
                    : start.ranksPerNode ? start.ranksPerNode
                                         : share;
  return start.ranksPerNode ? std::min(ranks, start.ranksPerNode) : ranks;
}

/// Places for all ranks on the hosts: `node1:4,node2:4`.
std::string hostList(const RanksToStart &start) {
  std::string list;
  int64_t room = 0;
  for (const Host &host : start.hosts) {
    const int ranks = roomOn(host, start);
    room += ranks;
    list += (list.empty() ? "" : ",") + host.name + ":" + std::to_string(ranks);
  }
  if (room < start.ranks)
    throw Failure(ExitCode::Usage, "-n is " + std::to_string(start.ranks) +
                                       ", but the hosts have room for " +
                                       std::to_string(room) +
                                       (room == 1 ? " rank" : " ranks"));
  return list;
}
} // namespace

std::vector<Host> parseHosts(const std::string &text, const std::string &file) {
  std::vector<Host> hosts;
  std::istringstream lines(text);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    line = line.substr(0, line.find('#'));
    const size_t mark = line.find(':');
    if (mark != std::string::npos)
      line[mark] = ' ';
    std::istringstream words(line);
    std::string name, count, more;
    words >> name >> count >> more;
    if (name.empty())
      continue;
    const auto fail = [&](const std::string &what) {
      failBadInput(file + ":" + std::to_string(number) + ": " + what,
                   "a line has the name of a machine and the number of ranks "
                   "there: node1 4");
    };
    // It becomes a word of a list, and of a command.
    if (name.front() == '-' ||
        name.find_first_not_of("abcdefghijklmnopqrstuvwxyz"
                               "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_") !=
            std::string::npos)
      fail(quote(name) + " is not the name of a machine");
    if (!more.empty())
      fail(quote(more) + " is one word too many");
    Host host{name, 0};
    if (!count.empty()) {
      const std::string slots = "slots=";
      const size_t begin = count.starts_with(slots) ? slots.size() : 0;
      const char *end = count.data() + count.size();
      const auto [rest, error] =
          std::from_chars(count.data() + begin, end, host.ranks);
      if (error != std::errc() || rest != end || host.ranks < 1 ||
          host.ranks > mostRanks)
        fail(quote(count) + " is not a number of ranks");
    }
    for (const Host &other : hosts)
      if (other.name == name)
        fail(quote(name) + " is there twice");
    hosts.push_back(host);
  }
  if (hosts.empty())
    failBadInput(file + ": names no machine");
  return hosts;
}

Mpirun findMpirun(const std::string &mpi, const fs::path &executable) {
  std::optional<Mpirun> any;
  std::string packages;
  for (const Known &known : knownMpis()) {
    if (!mpi.empty() && mpi != known.name)
      continue;
    packages += (packages.empty() ? "" : " or ") + std::string(known.package);
    const fs::path program = findInPath(known);
    if (program.empty())
      continue;
    const Mpirun found{known.mpi, program};
    if (!mpi.empty() || !findPlugin({known.plugin}, executable).empty())
      return found;
    if (!any)
      any = found;
  }
  if (any)
    return *any;
  failUnsupported(mpi.empty() ? std::string("no mpirun is in PATH")
                              : "no mpirun of " + mpi + " is in PATH",
                  "Debian's package " + packages + " has it");
}

RanksToStart describeProcess() {
  RanksToStart start;
  start.processors =
      std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  start.isRoot = ::geteuid() == 0;
  for (const char *name :
       {"SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID", "COBALT_JOBID"})
    start.isInJob |= std::getenv(name) != nullptr;
  for (char **entry = environ; *entry; ++entry) {
    const std::string variable = *entry;
    start.variables.push_back(variable.substr(0, variable.find('=')));
  }
  return start;
}

RanksToStart leaveOut(const RanksToStart &start,
                      const std::set<std::string> &hosts, int64_t multiple) {
  RanksToStart rest = start;
  rest.hosts.clear();
  int64_t room = 0;
  for (const Host &host : start.hosts)
    if (!hosts.contains(host.name)) {
      rest.hosts.push_back({host.name, roomOn(host, start)});
      room += rest.hosts.back().ranks;
    }
  const int64_t ranks = std::min<int64_t>(start.ranks, room);
  rest.ranks = static_cast<int>(ranks / multiple * multiple);
  return rest;
}

std::vector<std::string> mpirunWords(const Mpirun &mpirun,
                                     const RanksToStart &start) {
  const bool isOpenMpi = mpirun.mpi == Mpirun::Mpi::OpenMpi;
  const std::string perNode = std::to_string(start.ranksPerNode);
  std::vector<std::string> words = {mpirun.file.string()};
  const auto add = [&](std::initializer_list<std::string> more) {
    words.insert(words.end(), more);
  };
  if (isOpenMpi && start.isRoot)
    add({"--allow-run-as-root"});
  // A rank divides its machine's processors among the ranks there, and its
  // threads move freely. Bound to a core, all of them would share it.
  if (isOpenMpi)
    add({"--bind-to", "none", "--use-hwthread-cpus"});
  if (!start.hosts.empty()) {
    add({isOpenMpi ? "--host" : "-hosts", hostList(start)});
    if (isOpenMpi)
      add({"--map-by", "slot"});
  } else if (start.isInJob) {
    if (start.ranksPerNode && isOpenMpi)
      add({"--map-by", "ppr:" + perNode + ":node"});
    else if (start.ranksPerNode)
      add({"-ppn", perNode});
  } else if (start.ranksPerNode && start.ranks > start.ranksPerNode) {
    throw Failure(ExitCode::Usage,
                  "-n is " + std::to_string(start.ranks) +
                      ", more than --ranks-per-node " + perNode +
                      " on this machine",
                  "--hosts names more machines");
  } else if (isOpenMpi && start.ranks > start.processors) {
    add({"--oversubscribe"});
  }
  // MPICH passes on the whole environment.
  if (isOpenMpi)
    for (const std::string &name : start.variables)
      if (name.starts_with("GENSYN_") || name == "LD_LIBRARY_PATH")
        add({"-x", name});
  add({"-n", std::to_string(start.ranks)});
  return words;
}

} // namespace gensyn::communication
