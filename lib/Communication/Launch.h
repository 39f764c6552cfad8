// Tells from the environment if a process is one of several ranks.
#ifndef GENSYN_COMMUNICATION_LAUNCH_H
#define GENSYN_COMMUNICATION_LAUNCH_H

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace gensyn::communication {

/// How a launcher started this process.
struct Launch {
  /// For messages, such as "Open MPI's mpirun".
  std::string launcher;
  /// The number of ranks; 0 if the launcher does not say.
  int size = 0;
  /// This one; -1 if the launcher does not say.
  int rank = -1;
  /// The plug-ins that connect its ranks, the most suitable first.
  std::vector<std::string> plugins;
  /// What provides them, for messages.
  std::string packages;
};

/// The files of plug-ins.
inline constexpr const char *openMpiPlugin = "libgensyn-mpi-openmpi.so";
inline constexpr const char *mpichPlugin = "libgensyn-mpi-mpich.so";

/// Returns the first of these plug-ins that is beside the executable or in the
/// lib folder next to the executable's; empty if none is.
std::filesystem::path findPlugin(const std::vector<std::string> &names,
                                 const std::filesystem::path &executable);

/// Returns the value of a variable, or null.
using Environment = std::function<const char *(const char *name)>;

/// Returns how the process was started; nothing if it is alone. Throws a
/// Failure if a launcher gives its ranks no means to connect.
std::optional<Launch> findLaunch(const Environment &environment);

} // namespace gensyn::communication

#endif
