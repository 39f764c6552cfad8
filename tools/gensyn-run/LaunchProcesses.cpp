// See LaunchProcesses.h.

#include "LaunchProcesses.h"

#include "gensyn/Executable/Support/Error.h"

#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <sstream>

#include <fcntl.h>
#include <sys/prctl.h>
#include <unistd.h>

namespace gensyn::run {

namespace fs = std::filesystem;

/// Returns a file of /proc, or as much of it as there is when its process ends.
static std::string readAll(const fs::path &path) {
  std::string text;
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return text;
  char buffer[16384];
  for (ssize_t size; (size = ::read(file, buffer, sizeof(buffer))) > 0;)
    text.append(buffer, static_cast<size_t>(size));
  ::close(file);
  return text;
}

namespace {
/// What /proc/N/stat says.
struct Facts {
  std::string program;
  char state = 'Z';
  uint64_t ticks = 0, startTime = 0;
};
} // namespace

/// A process that is gone has the state Z.
static Facts readFacts(const fs::path &folder) {
  const std::string text = readAll(folder / "stat");
  // The name is in parentheses, and may have some in it.
  const size_t begin = text.find('('), end = text.rfind(')');
  Facts facts;
  if (begin == std::string::npos || end == std::string::npos)
    return facts;
  facts.program = text.substr(begin + 1, end - begin - 1);
  std::istringstream words(text.substr(end + 1));
  words >> facts.state;
  std::string word;
  // The state is field 3; 14 and 15 are the times, 22 is the start.
  for (int field = 4; field <= 22 && words >> word; ++field) {
    uint64_t number = 0;
    std::from_chars(word.data(), word.data() + word.size(), number);
    if (field == 14 || field == 15)
      facts.ticks += number;
    if (field == 22)
      facts.startTime = number;
  }
  return facts;
}

LocalRanks::LocalRanks(std::string variable)
    : variable(std::move(variable)), program(readFacts("/proc/self").program) {}

LocalRanks::State LocalRanks::look() {
  State state;
  std::map<pid_t, Known> now;
  std::error_code error;
  for (fs::directory_iterator next("/proc", error), end; !error && next != end;
       next.increment(error)) {
    const std::string name = next->path().filename().string();
    pid_t process = 0;
    const auto [rest, wrong] =
        std::from_chars(name.data(), name.data() + name.size(), process);
    if (wrong != std::errc() || *rest || process == ::getpid())
      continue;
    const Facts facts = readFacts(next->path());
    if (facts.program != program || facts.state == 'Z' || facts.state == 'X')
      continue;
    const auto before = known.find(process);
    bool isRank = before != known.end() &&
                  before->second.startTime == facts.startTime &&
                  before->second.isRank;
    if (!isRank) {
      const std::string environment =
          '\0' + readAll(next->path() / "environ") + '\0';
      isRank = environment.find('\0' + variable + '\0') != std::string::npos;
    }
    now[process] = {facts.startTime, isRank};
    if (!isRank)
      continue;
    state.processes.push_back(process);
    state.allStopped &= facts.state == 'T' || facts.state == 't';
    state.ticks += facts.ticks;
  }
  known = std::move(now);
  return state;
}

pid_t startProcess(const std::vector<std::string> &words) {
  std::vector<char *> pointers;
  for (const std::string &word : words)
    pointers.push_back(const_cast<char *>(word.c_str()));
  pointers.push_back(nullptr);
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child < 0)
    throw Failure(ExitCode::OutOfResources,
                  quote(words.front()) +
                      " cannot be started: " + std::strerror(errno));
  if (child > 0)
    return child;
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  // The parent may have ended before.
  if (::getppid() != parent)
    ::_exit(1);
  if (const int null = ::open("/dev/null", O_RDONLY); null > 0) {
    ::dup2(null, STDIN_FILENO);
    ::close(null);
  }
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::execv(pointers.front(), pointers.data());
  ::_exit(127);
}

} // namespace gensyn::run
