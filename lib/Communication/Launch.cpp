#include "Launch.h"

#include "gensyn/Executable/Support/Error.h"

#include <cstdlib>

namespace gensyn::communication {

static int numberOf(const char *text) {
  return text ? static_cast<int>(std::strtol(text, nullptr, 10)) : 0;
}

static int rankOf(const char *text) { return text ? numberOf(text) : -1; }

std::optional<Launch> findLaunch(const Environment &environment) {
  const std::string any = "libgensyn-mpi.so";
  const char *size = environment("OMPI_COMM_WORLD_SIZE");
  // srun --mpi=pmix, or a mpirun of PRRTE.
  if (size || environment("PMIX_RANK"))
    return Launch{
        size ? "Open MPI's mpirun" : "a launcher with PMIx",
        numberOf(size),
        rankOf(environment(size ? "OMPI_COMM_WORLD_RANK" : "PMIX_RANK")),
        {openMpiPlugin, any},
        "libopenmpi-dev"};
  if (environment("PMI_RANK"))
    return Launch{"a launcher with PMI (MPICH's mpirun, srun --mpi=pmi2)",
                  numberOf(environment("PMI_SIZE")),
                  rankOf(environment("PMI_RANK")),
                  {mpichPlugin, any},
                  "libmpich-dev"};
  // A batch script has SLURM_NTASKS too, but is one process.
  const int tasks = numberOf(environment("SLURM_STEP_NUM_TASKS"));
  if (tasks > 1)
    failUnsupported(
        "srun started " + std::to_string(tasks) +
            " tasks, but gives them no means to connect",
        "srun --mpi=pmix does for Open MPI, srun --mpi=pmi2 for MPICH");
  return std::nullopt;
}

std::filesystem::path findPlugin(const std::vector<std::string> &names,
                                 const std::filesystem::path &executable) {
  const std::filesystem::path folder = executable.parent_path();
  for (const std::string &name : names)
    for (const std::filesystem::path &path :
         {folder.parent_path() / "lib" / name, folder / name}) {
      std::error_code ignored;
      if (std::filesystem::exists(path, ignored))
        return path;
    }
  return {};
}

} // namespace gensyn::communication
