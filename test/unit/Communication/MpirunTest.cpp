#include "gensyn/Communication/Mpirun.h"

#include "gensyn/Executable/Support/Failure.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include <unistd.h>

using namespace gensyn;
using namespace gensyn::communication;

namespace fs = std::filesystem;

namespace {

const Mpirun openMpi{Mpirun::Mpi::OpenMpi, "/mpi/mpirun"};
const Mpirun mpich{Mpirun::Mpi::Mpich, "/mpi/mpirun"};

/// The words behind the program's, joined.
std::string wordsOf(const Mpirun &mpirun, const RanksToStart &start) {
  std::string line;
  const auto words = mpirunWords(mpirun, start);
  EXPECT_EQ(words.front(), "/mpi/mpirun");
  for (size_t word = 1; word < words.size(); ++word)
    line += (word > 1 ? " " : "") + words[word];
  return line;
}

template <class Function> std::string messageOf(Function function) {
  try {
    function();
  } catch (const Failure &failure) {
    return failure.what();
  }
  return "no failure";
}

RanksToStart ranks(int count) {
  RanksToStart start;
  start.ranks = count;
  start.processors = 8;
  return start;
}

TEST(Mpirun, ThisMachine) {
  EXPECT_EQ(wordsOf(openMpi, ranks(8)),
            "--bind-to none --use-hwthread-cpus -n 8");
  EXPECT_EQ(wordsOf(mpich, ranks(8)), "-n 8");
}

// Open MPI refuses it otherwise.
TEST(Mpirun, MoreRanksThanProcessors) {
  EXPECT_EQ(wordsOf(openMpi, ranks(9)),
            "--bind-to none --use-hwthread-cpus --oversubscribe -n 9");
  EXPECT_EQ(wordsOf(mpich, ranks(9)), "-n 9");
}

TEST(Mpirun, Root) {
  RanksToStart start = ranks(2);
  start.isRoot = true;
  EXPECT_EQ(wordsOf(openMpi, start),
            "--allow-run-as-root --bind-to none --use-hwthread-cpus -n 2");
  EXPECT_EQ(wordsOf(mpich, start), "-n 2");
}

TEST(Mpirun, Hosts) {
  RanksToStart start = ranks(12);
  start.hosts = {{"a", 4}, {"b", 8}};
  EXPECT_EQ(wordsOf(openMpi, start), "--bind-to none --use-hwthread-cpus "
                                     "--host a:4,b:8 --map-by slot -n 12");
  EXPECT_EQ(wordsOf(mpich, start), "-hosts a:4,b:8 -n 12");
  start.ranks = 13;
  EXPECT_EQ(messageOf([&] { mpirunWords(mpich, start); }),
            "-n is 13, but the hosts have room for 12 ranks");
}

// Ranks are divided evenly where the file does not say.
TEST(Mpirun, HostsWithoutNumbers) {
  RanksToStart start = ranks(7);
  start.hosts = {{"a", 0}, {"b", 2}, {"c", 0}};
  EXPECT_EQ(wordsOf(mpich, start), "-hosts a:3,b:2,c:3 -n 7");
  start.ranksPerNode = 4;
  EXPECT_EQ(wordsOf(mpich, start), "-hosts a:4,b:2,c:4 -n 7");
  start.ranksPerNode = 1;
  EXPECT_EQ(messageOf([&] { mpirunWords(mpich, start); }),
            "-n is 7, but the hosts have room for 3 ranks");
}

// What is left of 12 ranks.
TEST(Mpirun, HostsThatAreLeftOut) {
  RanksToStart start = ranks(12);
  start.hosts = {{"a", 0}, {"b", 3}, {"c", 0}, {"d", 9}};
  RanksToStart rest = leaveOut(start, {"d"}, 1);
  EXPECT_EQ(wordsOf(mpich, rest), "-hosts a:3,b:3,c:3 -n 9");
  EXPECT_EQ(wordsOf(mpich, leaveOut(rest, {"a"}, 1)), "-hosts b:3,c:3 -n 6");
  EXPECT_EQ(wordsOf(mpich, leaveOut(start, {"d"}, 4)),
            "-hosts a:3,b:3,c:3 -n 8");
  // There is room for 15.
  EXPECT_EQ(wordsOf(mpich, leaveOut(start, {"a"}, 1)),
            "-hosts b:3,c:3,d:9 -n 12");
  start.ranksPerNode = 2;
  EXPECT_EQ(wordsOf(mpich, leaveOut(start, {"d", "b"}, 1)),
            "-hosts a:2,c:2 -n 4");
  EXPECT_EQ(leaveOut(start, {"d", "b"}, 5).ranks, 0);
  EXPECT_EQ(leaveOut(start, {"a", "b", "c", "d"}, 1).ranks, 0);
}

// The batch system says which machines there are.
TEST(Mpirun, Job) {
  RanksToStart start = ranks(9);
  start.isInJob = true;
  EXPECT_EQ(wordsOf(openMpi, start), "--bind-to none --use-hwthread-cpus -n 9");
  start.ranksPerNode = 3;
  EXPECT_EQ(wordsOf(openMpi, start), "--bind-to none --use-hwthread-cpus "
                                     "--map-by ppr:3:node -n 9");
  EXPECT_EQ(wordsOf(mpich, start), "-ppn 3 -n 9");
}

TEST(Mpirun, OneMachineHasRoomForSoMany) {
  RanksToStart start = ranks(4);
  start.ranksPerNode = 4;
  EXPECT_EQ(wordsOf(mpich, start), "-n 4");
  start.ranksPerNode = 3;
  EXPECT_EQ(messageOf([&] { mpirunWords(mpich, start); }),
            "-n is 4, more than --ranks-per-node 3 on this machine");
}

// Open MPI starts ranks on other machines without the environment.
TEST(Mpirun, Variables) {
  RanksToStart start = ranks(1);
  start.variables = {"GENSYN_LAUNCH", "HOME", "LD_LIBRARY_PATH", "A_GENSYN_X"};
  EXPECT_EQ(wordsOf(openMpi, start),
            "--bind-to none --use-hwthread-cpus -x GENSYN_LAUNCH -x "
            "LD_LIBRARY_PATH -n 1");
  EXPECT_EQ(wordsOf(mpich, start), "-n 1");
}

TEST(Mpirun, ParsesHosts) {
  const auto hosts = parseHosts("# of all\n\nnode1\nnode2 4 # four\n"
                                "node3:16\n  n-4.x slots=2",
                                "hosts");
  std::string all;
  for (const Host &host : hosts)
    all += host.name + " " + std::to_string(host.ranks) + "\n";
  EXPECT_EQ(all, "node1 0\nnode2 4\nnode3 16\nn-4.x 2\n");
}

TEST(Mpirun, RefusesOtherHosts) {
  const auto error = [](const std::string &text) {
    return messageOf([&] { parseHosts(text, "h"); });
  };
  EXPECT_EQ(error("# none\n"), "h: names no machine");
  EXPECT_EQ(error("a\n-x"), "h:2: '-x' is not the name of a machine");
  EXPECT_EQ(error("a,b"), "h:1: 'a,b' is not the name of a machine");
  EXPECT_EQ(error("a 0"), "h:1: '0' is not a number of ranks");
  EXPECT_EQ(error("a 9999999999"),
            "h:1: '9999999999' is not a number of ranks");
  EXPECT_EQ(error("a slots="), "h:1: 'slots=' is not a number of ranks");
  EXPECT_EQ(error("a 2x"), "h:1: '2x' is not a number of ranks");
  EXPECT_EQ(error("a 2 3"), "h:1: '3' is one word too many");
  EXPECT_EQ(error("a\na 2"), "h:2: 'a' is there twice");
}

/// A folder with programs that say which MPI they belong to, as PATH.
class Path : public testing::Test {
protected:
  Path() : before(std::getenv("PATH")) {
    fs::remove_all(folder);
    fs::create_directories(folder / "bin");
    fs::create_directories(folder / "lib");
    setPath(folder.string() + "/none:" + folder.string() + "/bin");
  }
  ~Path() override {
    setPath(before);
    fs::remove_all(folder);
  }

  static void setPath(const std::string &path) {
    ::setenv("PATH", path.c_str(), 1);
  }
  void add(const std::string &name, const std::string &version) {
    const fs::path file = folder / "bin" / name;
    std::ofstream(file) << "#!/bin/sh\necho '" << version << "'\n";
    fs::permissions(file, fs::perms::all);
  }
  std::string find(const std::string &mpi) {
    return messageOf([&] {
      const Mpirun found = findMpirun(mpi, folder / "bin" / "program");
      throw Failure(ExitCode::Ok,
                    (found.mpi == Mpirun::Mpi::Mpich ? "mpich " : "openmpi ") +
                        found.file.filename().string());
    });
  }

  const std::string before;
  const fs::path folder = fs::temp_directory_path() /
                          ("gensyn mpi's " + std::to_string(::getpid()));
};

TEST_F(Path, TheLauncherOfAnMpi) {
  add("mpirun", "HYDRA build details:");
  EXPECT_EQ(find("mpich"), "mpich mpirun");
  EXPECT_EQ(find(""), "mpich mpirun");
  EXPECT_EQ(find("openmpi"), "no mpirun of openmpi is in PATH");
  add("mpirun.openmpi", "mpirun.openmpi (OpenRTE) 4.1.4");
  EXPECT_EQ(find("openmpi"), "openmpi mpirun.openmpi");
  EXPECT_EQ(find("mpich"), "mpich mpirun");
  EXPECT_EQ(find(""), "openmpi mpirun.openmpi");
}

TEST_F(Path, TheMpiThatHasAPlugin) {
  add("mpirun", "mpirun (Open MPI) 5.0.1");
  add("mpirun.mpich", "HYDRA build details:");
  std::ofstream(folder / "lib" / "libgensyn-mpi-mpich.so") << "";
  EXPECT_EQ(find(""), "mpich mpirun.mpich");
  EXPECT_EQ(find("openmpi"), "openmpi mpirun");
}

TEST_F(Path, NoLauncher) {
  EXPECT_EQ(find(""), "no mpirun is in PATH");
  add("mpirun", "Another MPI");
  EXPECT_EQ(find(""), "no mpirun is in PATH");
}

} // namespace
