// launch: starts the ranks of a training run, and goes on with the run when it
// loses one.

#include "../Terminal/Terminal.h"
#include "Commands.h"
#include "LaunchHosts.h"
#include "LaunchProcesses.h"
#include "Ranks.h"

#include "gensyn/Communication/Mpirun.h"
#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/Support/Files.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <optional>

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace gensyn::run {

namespace fs = std::filesystem;
using namespace communication;

namespace {
/// Seconds that a launcher has to end after its ranks, and ranks after it.
constexpr int longestEnd = 5;
/// Seconds before a restart: the first one, and at most.
constexpr int firstPause = 1, longestPause = 60;

/// The exit code for the last signal.
constexpr int lastSignal = 192;

/// Exit codes of MPICH for an error that it cannot go on with: 128 and the
/// class, of which communication has these two.
constexpr int mpichOther = 128 + 15, mpichIntern = 128 + 16;

/// How an attempt ended.
struct Outcome {
  int code = 0;
  /// Why it may succeed if it is made again; empty: it would not.
  std::string lost;
  /// The machine whose rank was lost, if that is known.
  std::string machine;
};

/// The newest checkpoint of a run.
struct Newest {
  fs::file_time_type time = fs::file_time_type::min();
  std::string name;
};

class Launch {
public:
  Launch(const Options &options, const Options &train);
  ExitCode run();

private:
  bool hasBegun() const;
  std::vector<std::string> wordsOfAttempt() const;
  Outcome attempt();
  int notedCode(std::string &machine) const;
  Outcome outcomeOf(int status) const;
  bool hadRanks() const;
  std::optional<std::string> findHang(double seconds);
  void endRanks();
  int nextSignal(double seconds);
  void passOn(pid_t mpirun);
  Newest newestCheckpoint() const;
  struct stat logFacts() const;
  double pauseOfProbes();
  std::string leaveOutLost(const std::string &machine);

  const Options &options, &train;
  const fs::path executable;
  const Mpirun mpirun;
  RanksToStart start;
  /// True if all ranks are on this machine.
  bool allAreHere;
  LocalRanks ranks;
  /// What was in the run folder before.
  const struct stat firstLog;
  sigset_t signals;
  /// Requests to stop: the first one ends the run after its step.
  int stops = 0;
  /// Of an attempt, in seconds: since a rank was seen here, and since one
  /// computed.
  double absent = 0, idle = 0;
  bool wasSeen = false;
  struct stat logBefore = {};
  uint64_t ticks = 0;
};
} // namespace

/// A launch is told apart from all others by its process.
static std::string markOfLaunch() {
  static const std::string mark = [] {
    char host[256] = "";
    ::gethostname(host, sizeof(host) - 1);
    return std::string(host) + "." + std::to_string(::getpid());
  }();
  return mark;
}

Launch::Launch(const Options &options, const Options &train)
    : options(options), train(train), executable(executableOfProcess()),
      mpirun(findMpirun(options.mpi, executable)),
      ranks(std::string(launchVariable) + "=" + markOfLaunch()),
      firstLog(logFacts()) {
  ::setenv(launchVariable, markOfLaunch().c_str(), 1);
  start = describeProcess();
  start.ranks = options.ranks;
  start.ranksPerNode = options.ranksPerNode;
  if (!options.hosts.empty())
    start.hosts = parseHosts(readText(options.hosts, size_t(64) << 20),
                             options.hosts.string());
  mpirunWords(mpirun, start); // finds errors
  allAreHere = start.hosts.empty() && !start.isInJob;
  sigemptyset(&signals);
  for (const int number : {SIGINT, SIGTERM, SIGCHLD})
    sigaddset(&signals, number);
  struct sigaction before = {};
  // Not under nohup.
  if (::sigaction(SIGHUP, nullptr, &before) == 0 &&
      before.sa_handler != SIG_IGN)
    sigaddset(&signals, SIGHUP);
  ::sigprocmask(SIG_BLOCK, &signals, nullptr);
}

struct stat Launch::logFacts() const {
  struct stat facts = {};
  ::stat((train.folder / "log.jsonl").c_str(), &facts);
  return facts;
}

/// True if nothing was written to a file, and it was not replaced.
static bool isSame(const struct stat &first, const struct stat &second) {
  return first.st_ino == second.st_ino &&
         first.st_ctim.tv_sec == second.st_ctim.tv_sec &&
         first.st_ctim.tv_nsec == second.st_ctim.tv_nsec;
}

/// A run that has begun makes a new log. Before, the folder may hold an earlier
/// run, and --resume would go on with that.
bool Launch::hasBegun() const {
  return train.resume || !isSame(firstLog, logFacts());
}

std::vector<std::string> Launch::wordsOfAttempt() const {
  std::vector<std::string> words = options.launched;
  if (!train.resume && hasBegun()) {
    std::erase(words, "--overwrite");
    words.insert(words.begin() + 1, "--resume");
  }
  if (start.ranks != options.ranks)
    removeGroups(words);
  std::vector<std::string> all = mpirunWords(mpirun, start);
  all.push_back(executable.string());
  all.insert(all.end(), words.begin(), words.end());
  return all;
}

Newest Launch::newestCheckpoint() const {
  Newest newest;
  std::error_code error;
  for (fs::directory_iterator next(train.folder / "checkpoints", error), end;
       !error && next != end; next.increment(error)) {
    const std::string name = next->path().filename().string();
    std::error_code gone;
    const fs::file_time_type time = next->last_write_time(gone);
    if (!gone && name.starts_with("step-") && time > newest.time)
      newest = {time, name};
  }
  return newest;
}

/// Returns a signal, or 0 after so many seconds.
int Launch::nextSignal(double seconds) {
  const auto whole = static_cast<time_t>(seconds);
  const timespec limit = {whole,
                          static_cast<long>(1e9 * (seconds - double(whole)))};
  const int number = ::sigtimedwait(&signals, nullptr, &limit);
  return std::max(number, 0);
}

/// The terminal's signals reach this process alone. A launcher that gets
/// SIGTERM kills its ranks soon; SIGUSR1 it passes on, and ranks take it for a
/// request to stop.
void Launch::passOn(pid_t mpirun) {
  ++stops;
  ::kill(mpirun, stops == 1 ? SIGUSR1 : stops == 2 ? SIGTERM : SIGKILL);
}

Outcome Launch::attempt() {
  absent = idle = 0;
  wasSeen = false;
  logBefore = logFacts();
  const pid_t mpirun = startProcess(wordsOfAttempt());
  std::optional<std::string> hang;
  int status = 0;
  while (::waitpid(mpirun, &status, WNOHANG) == 0) {
    // A run may be short.
    const double seconds = wasSeen ? 1 : 0.2;
    const int number = nextSignal(seconds);
    if (number && number != SIGCHLD)
      passOn(mpirun);
    // Counts looks, not the time that passed: this process may have been
    // stopped too.
    if (number || hang || !(hang = findHang(seconds)))
      continue;
    // With the processes that some launchers have beside it.
    ::kill(-mpirun, SIGKILL);
  }
  endRanks();
  const Outcome outcome = hang ? Outcome{0, *hang, ""} : outcomeOf(status);
  std::error_code ignored;
  fs::remove(noteOfExit(train.folder), ignored);
  return outcome;
}

/// True if an attempt has had ranks; those of a short run may have been there
/// between two looks.
bool Launch::hadRanks() const {
  return wasSeen || !isSame(logBefore, logFacts());
}

/// A launcher may wait for ever for a rank that was killed while it connected,
/// or that was stopped when the others had ended. Called after so many seconds.
std::optional<std::string> Launch::findHang(double seconds) {
  const int timeout = std::max(1, static_cast<int>(train.rankTimeout));
  const LocalRanks::State now = ranks.look();
  if (now.processes.empty()) {
    absent += seconds;
    // The others find out that these are gone, after as long as a start at
    // most.
    const int limit = !allAreHere  ? 6 * timeout + longestEnd
                      : hadRanks() ? longestEnd
                                   : timeout + longestEnd;
    if (absent < limit || (!allAreHere && !wasSeen))
      return std::nullopt;
    return hadRanks() ? "mpirun did not end after its ranks"
                      : "mpirun started no rank";
  }
  // A rank that waits for others uses some of a processor's time too.
  idle = wasSeen && now.ticks == ticks ? idle + seconds : 0;
  wasSeen = true;
  absent = 0;
  ticks = now.ticks;
  if (idle < (now.allStopped ? timeout : 6 * timeout) + longestEnd)
    return std::nullopt;
  return "the ranks that are left do nothing";
}

/// Otherwise the next attempt would find the run folder locked.
void Launch::endRanks() {
  for (int tenths = 0;; ++tenths) {
    const LocalRanks::State left = ranks.look();
    if (left.processes.empty() || tenths >= 20 * longestEnd)
      return;
    if (tenths >= 10 * longestEnd)
      for (const pid_t process : left.processes)
        ::kill(process, SIGKILL);
    ::usleep(100'000);
  }
}

/// Returns the exit code that the first rank has left, otherwise 0, and the
/// machine.
int Launch::notedCode(std::string &machine) const {
  int code = 0;
  std::string launch, noted;
  std::ifstream(noteOfExit(train.folder)) >> code >> launch >> noted;
  if (launch != markOfLaunch() || code <= 0 || code >= 256)
    return 0;
  machine = noted;
  return code;
}

Outcome Launch::outcomeOf(int status) const {
  if (WIFSIGNALED(status))
    return {0,
            "mpirun was killed by signal " + std::to_string(WTERMSIG(status)),
            ""};
  int code = WEXITSTATUS(status);
  std::string machine;
  const int noted = notedCode(machine);
  if (!code)
    code = noted;
  const std::string text = " (exit code " + std::to_string(code) + ")";
  if (code == static_cast<int>(ExitCode::OutOfResources))
    return {code, "a rank was lost or had no resources" + text, machine};
  // Neither the command's nor a signal's: Open MPI's and MPICH's own errors, as
  // when they lose a machine, or a rank that connects. Open MPI has 1 for
  // mistakes too, which stay.
  if (code > lastSignal || code == mpichOther || code == mpichIntern ||
      (code == 1 && (hadRanks() || !isSame(firstLog, logFacts()))))
    return {code, "mpirun failed" + text, machine};
  // What Open MPI and MPICH say of SIGKILL.
  if (code == 128 + SIGKILL || code == SIGKILL)
    return {code, "a rank was killed" + text, machine};
  return {code, "", ""};
}

/// True if the command itself ends with this code.
static bool isOfTrain(int code) {
  const ExitCode own[] = {ExitCode::Ok,          ExitCode::Usage,
                          ExitCode::BadInput,    ExitCode::Unsupported,
                          ExitCode::InputOutput, ExitCode::Bug,
                          ExitCode::Interrupted};
  return std::find(std::begin(own), std::end(own), ExitCode(code)) !=
         std::end(own);
}

/// Returns seconds that have passed, or a negative number after a request to
/// stop.
double Launch::pauseOfProbes() {
  constexpr double seconds = 0.2;
  const int number = nextSignal(seconds);
  if (number && number != SIGCHLD)
    ++stops;
  return stops ? -1 : number ? 0 : seconds;
}

/// Leaves out machines that cannot be reached, and one that has lost ranks
/// again; called after a restart in vain. Returns the end of a warning, empty
/// if all machines stay.
std::string Launch::leaveOutLost(const std::string &machine) {
  if (start.hosts.size() < 2)
    return "";
  std::set<std::string> lost =
      findUnreachable(mpirun, start, train.rankTimeout + longestEnd,
                      [&] { return pauseOfProbes(); });
  std::string why = " cannot be reached";
  // If none can be, this machine may be the one that has no network.
  if (lost.size() == start.hosts.size())
    return "";
  if (lost.empty() && !machine.empty()) {
    lost.insert(machine);
    why = " has lost ranks twice without a new checkpoint";
  }
  if (lost.empty() || stops)
    return "";
  const RanksToStart rest =
      communication::leaveOut(start, lost, train.parallel.count());
  const std::string what = listed({lost.begin(), lost.end()}) + why;
  const std::string ranksLeft = counted(rest.ranks, "rank");
  if (rest.ranks == 0 || rest.ranks < options.minRanks) {
    printWarning(what + ", and the other hosts have room for " + ranksLeft +
                 " alone");
    return "";
  }
  start = rest;
  return "; " + what + (lost.size() > 1 ? ", are" : ", is") +
         " left out, and " + ranksLeft +
         (rest.ranks > 1 ? " go on" : " goes on");
}

ExitCode Launch::run() {
  Newest before = newestCheckpoint();
  std::string lastLost;
  bool isRestart = false;
  int pause = firstPause;
  // Restarts that had no new checkpoint.
  int64_t vain = 0;
  for (;;) {
    const Outcome outcome = attempt();
    if (outcome.lost.empty() && (!stops || isOfTrain(outcome.code)))
      return ExitCode(outcome.code);
    // A signal may have ended a rank that was not ready for it.
    if (stops)
      return ExitCode::Interrupted;
    const Newest newest = newestCheckpoint();
    const bool advanced = newest.time > before.time;
    before = newest;
    const std::string lostHost = findHost(start, outcome.machine);
    std::string leftOut;
    if (options.maxRestarts && isRestart && !advanced)
      leftOut = leaveOutLost(lostHost == lastLost ? lostHost : "");
    if (stops)
      return ExitCode::Interrupted;
    lastLost = lostHost;
    isRestart = true;
    // Otherwise fewer machines have a chance of their own.
    const bool isVain = !advanced && leftOut.empty();
    vain += isVain;
    pause = isVain ? pause : firstPause;
    if (!options.maxRestarts || vain > options.maxRestarts)
      throw Failure(ExitCode::OutOfResources,
                    outcome.lost + ", and the run is not started again" +
                        (options.maxRestarts
                             ? " after " +
                                   counted(options.maxRestarts, "restart") +
                                   " without a new checkpoint"
                             : ""),
                    "--resume goes on with it");
    printWarning(
        outcome.lost + leftOut + "; restart in " + std::to_string(pause) +
        " s" +
        (newest.name.empty() || !hasBegun() ? "" : " from " + newest.name) +
        (!isVain ? ""
                 : ", " + std::to_string(vain) + " of " +
                       std::to_string(options.maxRestarts) +
                       " without a new checkpoint"));
    for (int second = 0; second < pause; ++second)
      if (const int number = nextSignal(1); number && number != SIGCHLD)
        return ExitCode::Interrupted;
    pause = std::min(2 * pause, longestPause);
  }
}

ExitCode runLaunch(const Options &options) {
  const std::vector<std::string> &command = options.launched;
  if (command.empty() || command.front() != "train")
    throw Failure(ExitCode::Usage,
                  command.empty() ? std::string("launch has no command")
                                  : "launch starts ranks that train, not " +
                                        quote(command.front()),
                  "gensyn-run launch -n 4 -- train ...");
  // Its errors are found before anything starts.
  std::vector<std::string> words = {options.words.front()};
  words.insert(words.end(), command.begin(), command.end());
  std::vector<char *> pointers;
  for (std::string &word : words)
    pointers.push_back(word.data());
  const Options train =
      parseOptions(static_cast<int>(pointers.size()), pointers.data());
  if (train.command == Command::None)
    return ExitCode::Ok;
  return Launch(options, train).run();
}

} // namespace gensyn::run
