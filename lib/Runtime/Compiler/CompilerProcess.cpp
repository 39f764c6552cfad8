// The parent's side: starts the child, sends requests, and reports how the
// child ended if it did not respond.

#include "gensyn/Runtime/Compiler/CompilerProcess.h"

#include "../Support/SharedBytes.h"
#include "CompilerService.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fstream>
#include <mutex>
#include <optional>

#include <fcntl.h>
#include <google/protobuf/message_lite.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace gensyn::runtime {

using Clock = std::chrono::steady_clock;

/// Maximum size of the child's error output that is kept.
static constexpr off_t kErrorBytes = 1 << 16;

/// The prefix of LLVM's fatal errors.
static constexpr const char *kFatalError = "LLVM ERROR: ";

class CompilerProcess::Child {
public:
  Child(const std::filesystem::path &library, const CompilerLimits &limits);
  ~Child() { end(); }
  Child(const Child &) = delete;
  Child &operator=(const Child &) = delete;

  CompilerAnswer call(const std::string &method,
                      const google::protobuf::MessageLite &request,
                      unsigned seconds);

private:
  bool wait(unsigned seconds) const;
  int end();
  std::string written() const;
  CompilerStopped explain(int status) const;

  Descriptor socket, errors;
  pid_t process = -1;
  /// The process that started it, and alone may end it: a fork has a copy of
  /// this object.
  const pid_t parent = ::getpid();
};

struct CompilerProcess::State {
  std::filesystem::path library;
  CompilerLimits limits;
  std::mutex mutex;
  std::unique_ptr<Child> child;
};

/// Returns the first number of a file; std::nullopt if it has none ("max").
static std::optional<uint64_t> firstNumber(const char *path) {
  std::ifstream file(path);
  uint64_t number;
  return file >> number ? std::optional(number) : std::nullopt;
}

uint64_t CompilerLimits::machineMemory() {
  uint64_t bytes =
      uint64_t(::sysconf(_SC_PHYS_PAGES)) * uint64_t(::sysconf(_SC_PAGESIZE));
  for (const char *path : {"/sys/fs/cgroup/memory.max",
                           "/sys/fs/cgroup/memory/memory.limit_in_bytes"})
    if (std::optional<uint64_t> limit = firstNumber(path))
      bytes = std::min(bytes, *limit);
  return bytes;
}

/// Creates an anonymous file that keeps only the first bytes written to it.
static Descriptor makeErrorFile() {
  Descriptor file(::memfd_create("gensyn", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (file.get() >= 0 && (::ftruncate(file.get(), kErrorBytes) != 0 ||
                          ::fcntl(file.get(), F_ADD_SEALS, F_SEAL_GROW) != 0))
    return Descriptor();
  return file;
}

CompilerProcess::Child::Child(const std::filesystem::path &library,
                              const CompilerLimits &limits)
    : errors(makeErrorFile()) {
  int pair[2];
  if (errors.get() < 0 ||
      ::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
    throw Failure(ExitCode::OutOfResources,
                  std::string("no process for the compiler: ") +
                      std::strerror(errno));
  socket = Descriptor(pair[0]);
  Descriptor other(pair[1]);
  process = ::fork();
  if (process == 0) {
    ::close(pair[0]);
    serveCompiler(library, limits, pair[1], errors.get(), parent);
  }
  if (process < 0)
    throw Failure(ExitCode::OutOfResources,
                  std::string("no process for the compiler: ") +
                      std::strerror(errno));
  other = Descriptor();
  std::optional<SharedMessage> ready = receiveMessage(socket.get());
  if (ready && ready->status == kNoLibrary)
    failUnsupported("the compiler cannot be opened: " + ready->word);
  if (!ready)
    throw Failure(ExitCode::Unsupported, explain(end()).reason);
}

/// Waits until a message can be received; false on timeout.
bool CompilerProcess::Child::wait(unsigned seconds) const {
  const Clock::time_point last = Clock::now() + std::chrono::seconds(seconds);
  while (true) {
    int64_t left = -1;
    if (seconds) {
      left = std::chrono::duration_cast<std::chrono::milliseconds>(last -
                                                                   Clock::now())
                 .count();
      left = std::clamp<int64_t>(left, 0, 1 << 30);
    }
    pollfd poll = {socket.get(), POLLIN, 0};
    int ready = ::poll(&poll, 1, static_cast<int>(left));
    if (ready > 0)
      return true;
    if (ready == 0)
      return false;
    if (errno != EINTR)
      return true; // the receive reports the error
  }
}

CompilerAnswer
CompilerProcess::Child::call(const std::string &method,
                             const google::protobuf::MessageLite &request,
                             unsigned seconds) {
  std::optional<SharedMessage> answer;
  {
    SharedBytes bytes(request.ByteSizeLong());
    request.SerializeToArray(bytes.data(), static_cast<int>(bytes.size()));
    if (sendMessage(socket.get(), method, 0, &bytes)) {
      if (!wait(seconds)) {
        end();
        throw CompilerStopped{ExitCode::OutOfResources,
                              "the compiler took more than " +
                                  std::to_string(seconds) + " seconds",
                              "--compiler-seconds allows more"};
      }
      answer = receiveMessage(socket.get());
    }
  }
  if (!answer)
    throw explain(end());
  auto bytes =
      std::make_shared<SharedBytes>(std::move(answer->file), answer->size);
  return {answer->status, {bytes->data(), bytes->size()}, bytes};
}

/// Kills the process if it is still running; returns its wait status.
int CompilerProcess::Child::end() {
  int status = 0;
  if (process < 0 || ::getpid() != parent)
    return status;
  // A crashed process has closed its socket, but may not have exited yet.
  pid_t ended = 0;
  if (pollfd poll = {socket.get(), POLLIN, 0};
      ::poll(&poll, 1, 0) == 1 && (poll.revents & POLLHUP))
    ended = ::waitpid(process, &status, 0);
  if (ended != process) {
    ::kill(process, SIGKILL);
    while (::waitpid(process, &status, 0) < 0 && errno == EINTR)
      ;
  }
  process = -1;
  return status;
}

/// Returns what the child wrote to its standard error, without the final
/// newline.
std::string CompilerProcess::Child::written() const {
  std::string text(kErrorBytes, '\0');
  ssize_t size = ::pread(errors.get(), text.data(), text.size(), 0);
  text.resize(size > 0 ? std::min(size_t(size), text.find('\0')) : 0);
  while (!text.empty() && std::strchr("\n\r ", text.back()))
    text.pop_back();
  return text;
}

CompilerStopped CompilerProcess::Child::explain(int status) const {
  const std::string text = written();
  const std::string words = text.substr(text.rfind('\n') + 1);
  auto says = [&](const char *text) {
    return words.find(text) != std::string::npos;
  };
  const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  // The signs that memory ran out: of the kernel, of LLVM and of the C++
  // library.
  if (signal == SIGKILL || says("ut of memory") || says("Allocation failed") ||
      says("bad_alloc") || says("length_error"))
    return {ExitCode::OutOfResources, "the compiler ran out of memory",
            "a smaller batch needs less of it; --compiler-memory says how much "
            "there may be"};
  if (signal) {
    const char *name = ::sigabbrev_np(signal);
    return {ExitCode::BadInput,
            std::string("the compiler stopped (SIG") + (name ? name : "?") +
                ")" + (words.empty() ? "" : ": " + quote(words)),
            "gensyn-run itself is not affected; please report it as a bug, "
            "with the file"};
  }
  // llvm::report_fatal_error: the IR needs something that a back end does not
  // support. Any other end of the process is a bug.
  if (const size_t fatal = text.rfind(kFatalError);
      WEXITSTATUS(status) == 1 && fatal != std::string::npos)
    return {ExitCode::BadInput,
            "the compiler stopped: " + quote(text.substr(fatal)), ""};
  return {ExitCode::Bug,
          "the compiler ended with exit code " +
              std::to_string(WEXITSTATUS(status)) +
              (words.empty() ? "" : ": " + quote(words)),
          "this is a bug in gensyn-run; please report it"};
}

CompilerProcess::CompilerProcess(const std::filesystem::path &library,
                                 CompilerLimits limits)
    : state(std::make_unique<State>()) {
  state->library = library;
  state->limits = limits;
  state->child = std::make_unique<Child>(library, limits);
}

CompilerProcess::~CompilerProcess() = default;

CompilerAnswer
CompilerProcess::call(const std::string &method,
                      const google::protobuf::MessageLite &request) {
  std::lock_guard<std::mutex> lock(state->mutex);
  if (!state->child)
    state->child = std::make_unique<Child>(state->library, state->limits);
  try {
    return state->child->call(
        method, request, method == "reference.run" ? 0 : state->limits.seconds);
  } catch (const CompilerStopped &) {
    state->child.reset();
    throw;
  }
}

} // namespace gensyn::runtime
