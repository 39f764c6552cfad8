// The compiler process: limits, the library, and a loop over requests.

#include "CompilerService.h"
#include "../Support/SharedBytes.h"
#include "gensyn/Runtime/Compiler/CompilerApi.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>

#include <dlfcn.h>
#include <fcntl.h>
#include <malloc.h>
#include <poll.h>
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef __has_feature
#define __has_feature(name) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
#define GENSYN_ADDRESS_SANITIZER
#include <sanitizer/common_interface_defs.h>
#endif

namespace gensyn::runtime {

namespace {

/// Passes and parsers recurse with the nesting of models, and the stack of the
/// thread that started the process may be small.
constexpr size_t kStackBytes = size_t{256} << 20;

class CompilerService {
public:
  CompilerService(const std::filesystem::path &library, CompilerLimits limits,
                  int socket)
      : library(library), limits(limits), socket(socket) {}
  void run();

private:
  bool open();
  bool answer(const SharedMessage &request);

  const std::filesystem::path &library;
  CompilerLimits limits;
  int socket;
  decltype(&gensyn_compiler_call) call = nullptr;
  decltype(&gensyn_compiler_free) release = nullptr;
};

} // namespace

/// Returns the bytes of private memory that this process uses now.
[[maybe_unused]] static uint64_t usedMemory() {
  std::ifstream file("/proc/self/statm");
  uint64_t size = 0, resident = 0, shared = 0, text = 0, lib = 0, data = 0;
  file >> size >> resident >> shared >> text >> lib >> data;
  return data * uint64_t(::sysconf(_SC_PAGESIZE));
}

static void limitMemory([[maybe_unused]] uint64_t bytes) {
#ifndef GENSYN_ADDRESS_SANITIZER
  // Private memory rather than address space: model files are mapped, and may
  // be large.
  if (bytes == 0)
    return;
  rlimit limit = {};
  if (::getrlimit(RLIMIT_DATA, &limit) != 0)
    return;
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, usedMemory() + bytes);
  ::setrlimit(RLIMIT_DATA, &limit);
#endif
}

/// Returns the mode in which the compiler is opened. TensorFlow puts LLVM, MLIR
/// and protobuf of other versions into the global scope of a Python process;
/// the compiler must not call those.
static int openMode() {
  // LLVM and MLIR call each other through 27,000 symbols, of which a program
  // needs few: to look up all of them takes a third of the time of opening.
  int mode = RTLD_LAZY | RTLD_LOCAL;
#ifdef RTLD_DEEPBIND
  if (::dlsym(RTLD_DEFAULT, "TF_Version"))
    mode |= RTLD_DEEPBIND;
#endif
  return mode;
}

bool CompilerService::open() {
  const char *reason = nullptr;
  if (void *opened = ::dlopen(library.c_str(), openMode())) {
    call = reinterpret_cast<decltype(call)>(
        ::dlsym(opened, "gensyn_compiler_call"));
    release = reinterpret_cast<decltype(release)>(
        ::dlsym(opened, "gensyn_compiler_free"));
    if (call && release)
      return sendMessage(socket, "", 0, nullptr);
    reason = "is not a gensyn compiler";
  } else {
    reason = ::dlerror();
  }
  sendMessage(socket, reason ? reason : "", kNoLibrary, nullptr);
  return false;
}

bool CompilerService::answer(const SharedMessage &request) {
  uint8_t *response = nullptr;
  size_t size = 0;
  int status = 1;
  std::unique_ptr<SharedBytes> shared;
  try {
    SharedBytes bytes(Descriptor(::dup(request.file.get())), request.size);
    status = call(request.word.c_str(), bytes.data(), bytes.size(), &response,
                  &size);
    if (status == 0 && size) {
      shared = std::make_unique<SharedBytes>(size);
      std::memcpy(shared->data(), response, size);
    }
  } catch (const std::bad_alloc &) {
    status = 2;
  }
  release(response);
  const bool isSent =
      sendMessage(socket, "", status, status == 0 ? shared.get() : nullptr);
  // The memory of the request is returned to the system while the process waits
  // for the next one.
  ::malloc_trim(0);
  return isSent;
}

void CompilerService::run() {
  if (!open())
    return;
  limitMemory(limits.memory); // beyond what the library itself takes
  while (std::optional<SharedMessage> request = receiveMessage(socket))
    if (!answer(*request))
      return;
}

/// Lets the kernel's OOM killer end this process before its parent.
static void offerToKiller() {
  if (int file = ::open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
      file >= 0) {
    [[maybe_unused]] ssize_t written = ::write(file, "1000", 4);
    ::close(file);
  }
}

/// Returns a copy of the standard error descriptor for sanitizer reports; -1
/// without sanitizers.
static int keepReports() {
#ifdef GENSYN_ADDRESS_SANITIZER
  const int reports = ::dup(STDERR_FILENO);
  __sanitizer_set_report_fd(reinterpret_cast<void *>(intptr_t{reports}));
  return reports;
#else
  return -1;
#endif
}

/// Closes all descriptors of the parent: otherwise this process would keep the
/// lock on a folder, or a pipe open.
static void closeOthers(int socket, int errors) {
  const int reports = keepReports();
  ::dup2(errors, STDERR_FILENO);
  if (int nothing = ::open("/dev/null", O_RDWR); nothing >= 0)
    for (int standard : {STDIN_FILENO, STDOUT_FILENO})
      ::dup2(nothing, standard);
  unsigned first = STDERR_FILENO + 1;
  for (int kept : {std::min(socket, reports), std::max(socket, reports)}) {
    if (kept > static_cast<int>(first))
      ::close_range(first, static_cast<unsigned>(kept) - 1, 0);
    first = std::max(first, static_cast<unsigned>(kept + 1));
  }
  ::close_range(first, ~0U, 0);
}

/// Returns a descriptor that becomes readable when the parent ends. Where the
/// system has none, returns -1 and this process ends with the parent's thread
/// that started it.
static int watchParent(int parent) {
  const int watched =
      static_cast<int>(::syscall(SYS_pidfd_open, parent, 0 /*flags*/));
  if (watched < 0)
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent)
    ::_exit(0); // it ended before
  return watched;
}

void serveCompiler(const std::filesystem::path &library, CompilerLimits limits,
                   int socket, int errors, int parent) {
  ::prctl(PR_SET_NAME, "gensyn-compiler");
  // A key press signals the whole process group; the parent decides how to
  // react.
  for (int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT})
    ::signal(signal, SIG_IGN);
  for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT})
    ::signal(signal, SIG_DFL);
  rlimit none = {};
  ::setrlimit(RLIMIT_CORE, &none);
  offerToKiller();
  closeOthers(socket, errors);
  const int watched = watchParent(parent);
  CompilerService service(library, limits, socket);
  pthread_attr_t attributes;
  ::pthread_attr_init(&attributes);
  ::pthread_attr_setstacksize(&attributes, kStackBytes);
  pthread_t thread;
  auto body = [](void *self) -> void * {
    static_cast<CompilerService *>(self)->run();
    ::_exit(0);
    return nullptr;
  };
  if (::pthread_create(&thread, &attributes, body, &service) != 0)
    ::_exit(0);
  // A process and not its thread is waited for, as PR_SET_PDEATHSIG would: a
  // compiler serves all threads of its parent.
  pollfd poll = {watched, POLLIN, 0};
  while (watched >= 0 && ::poll(&poll, 1, -1) < 0 && errno == EINTR)
    ;
  if (watched < 0)
    ::pthread_join(thread, nullptr);
  ::_exit(0);
}

} // namespace gensyn::runtime
