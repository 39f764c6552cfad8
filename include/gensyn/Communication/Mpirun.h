// Starts ranks: which mpirun there is, and what it is told.
#ifndef GENSYN_COMMUNICATION_MPIRUN_H
#define GENSYN_COMMUNICATION_MPIRUN_H

#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace gensyn::communication {

/// A machine of a run.
struct Host {
  std::string name;
  /// The number of ranks that it has room for; 0 if the file does not say.
  int ranks = 0;
};

/// Parses a file of hosts. A line has the name of a machine and, optionally,
/// the number of ranks there: `node1`, `node1 4`, and what Open MPI and MPICH
/// write, `node1 slots=4` and `node1:4`. `#` begins a comment. Throws a Failure
/// (bad input) that names `file` and the line.
std::vector<Host> parseHosts(const std::string &text, const std::string &file);

/// The launcher of an MPI.
struct Mpirun {
  enum class Mpi { OpenMpi, Mpich };
  Mpi mpi = Mpi::OpenMpi;
  std::filesystem::path file;
};

/// Returns the launcher in the folders of PATH that belongs to an MPI
/// (`openmpi`, `mpich`); with an empty name to the first one whose plug-in is
/// there too, otherwise to any. `executable` is the file of this program, from
/// which plug-ins are found. Throws a Failure (unsupported) if there is none.
Mpirun findMpirun(const std::string &mpi,
                  const std::filesystem::path &executable);

/// What ranks are started, and from where.
struct RanksToStart {
  int ranks = 1;
  /// Empty: this machine, or those that a batch system has given the job.
  std::vector<Host> hosts;
  /// 0: not limited.
  int ranksPerNode = 0;

  /// Of this process: the processors that it may use; true for root; true in a
  /// job of a batch system, whose machines mpirun knows; the names of its
  /// environment's variables.
  int processors = 1;
  bool isRoot = false;
  bool isInJob = false;
  std::vector<std::string> variables;
};

/// Fills in the facts of this process.
RanksToStart describeProcess();

/// Returns the same without some hosts. Each of the others keeps its room; as
/// many ranks are started as fit in there, at most as many as before, and a
/// multiple of `multiple`: none may be left.
RanksToStart leaveOut(const RanksToStart &start,
                      const std::set<std::string> &hosts, int64_t multiple);

/// Returns the words of a command that starts a program as ranks; the program's
/// words follow them. Throws a Failure (usage) if the ranks have no room.
std::vector<std::string> mpirunWords(const Mpirun &mpirun,
                                     const RanksToStart &ranks);

} // namespace gensyn::communication

#endif
