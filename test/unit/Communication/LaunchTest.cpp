#include "Launch.h"

#include "gensyn/Executable/Support/Failure.h"

#include <gtest/gtest.h>

#include <map>

using namespace gensyn;
using namespace gensyn::communication;

namespace {

std::optional<Launch> find(const std::map<std::string, std::string> &names) {
  return findLaunch([&](const char *name) -> const char * {
    const auto found = names.find(name);
    return found == names.end() ? nullptr : found->second.c_str();
  });
}

TEST(Launch, OpenMpi) {
  const auto launch = find({{"OMPI_COMM_WORLD_SIZE", "4"},
                            {"OMPI_COMM_WORLD_RANK", "1"},
                            {"PMIX_RANK", "1"}});
  ASSERT_TRUE(launch);
  EXPECT_EQ(launch->size, 4);
  EXPECT_EQ(launch->rank, 1);
  EXPECT_EQ(launch->plugins.front(), "libgensyn-mpi-openmpi.so");
  EXPECT_EQ(launch->plugins.back(), "libgensyn-mpi.so");
}

TEST(Launch, SrunWithPmix) {
  const auto launch = find({{"PMIX_RANK", "0"}, {"SLURM_STEP_NUM_TASKS", "2"}});
  ASSERT_TRUE(launch);
  EXPECT_EQ(launch->size, 0);
  EXPECT_EQ(launch->rank, 0);
  EXPECT_EQ(launch->plugins.front(), "libgensyn-mpi-openmpi.so");
}

TEST(Launch, Mpich) {
  const auto launch = find({{"PMI_RANK", "0"}, {"PMI_SIZE", "1"}});
  ASSERT_TRUE(launch);
  EXPECT_EQ(launch->size, 1);
  EXPECT_EQ(launch->plugins.front(), "libgensyn-mpi-mpich.so");
}

TEST(Launch, Alone) {
  EXPECT_FALSE(find({}));
  EXPECT_FALSE(find({{"SLURM_STEP_NUM_TASKS", "1"}}));
  // A batch script is one process of several tasks' allocation.
  EXPECT_FALSE(find({{"SLURM_NTASKS", "8"}, {"SLURM_PROCID", "0"}}));
}

TEST(Launch, SrunWithoutPmi) {
  EXPECT_THROW(find({{"SLURM_STEP_NUM_TASKS", "8"}}), Failure);
}

} // namespace
