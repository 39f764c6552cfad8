// See StandardStreams.h.

#include "gensyn/Pipelines/StandardStreams.h"

#include "gensyn/Executable/Support/Error.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

namespace gensyn {

PrintableStream::~PrintableStream() {
  if (!line.empty())
    put(line);
}

void PrintableStream::put(llvm::StringRef text) {
  target << printable(text, limit, "\t");
  bytes += text.size();
}

void PrintableStream::write_impl(const char *data, size_t size) {
  line.append(data, size);
  size_t begin = 0;
  for (size_t end; (end = line.find('\n', begin)) != std::string::npos;
       begin = end + 1) {
    put(llvm::StringRef(line).slice(begin, end));
    target << '\n';
  }
  line.erase(0, begin);
  target.flush();
}

/// Runs in the child process, until all writers are gone.
[[noreturn]] static void passOn(int from, int to) {
  // It must outlive the processes whose output it reads.
  for (int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE})
    (void)std::signal(signal, SIG_IGN);
  {
    llvm::raw_fd_ostream target(to, /*shouldClose=*/false, /*unbuffered=*/true);
    PrintableStream lines(target, std::string::npos);
    std::array<char, 1 << 16> some;
    for (ssize_t size; (size = ::read(from, some.data(), some.size())) != 0;)
      if (size > 0)
        lines.write(some.data(), static_cast<size_t>(size));
      else if (errno != EINTR)
        break;
    lines.flush();
  }
  ::_exit(0);
}

PrintableErrors::PrintableErrors() {
  std::array<int, 2> ends;
  kept = ::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  if (kept < 0)
    return; // it is closed
  if (::pipe2(ends.data(), O_CLOEXEC) == 0) {
    llvm::outs().flush();
    child = ::fork();
    if (child == 0) {
      ::close(ends[1]);
      passOn(ends[0], kept);
    }
    ::close(ends[0]);
    if (child > 0)
      ::dup2(ends[1], STDERR_FILENO);
    ::close(ends[1]);
  }
  if (child < 0)
    throw Failure(ExitCode::OutOfResources,
                  "no process for messages: " +
                      std::generic_category().message(errno));
}

PrintableErrors::~PrintableErrors() {
  if (kept < 0)
    return;
  ::dup2(kept, STDERR_FILENO);
  ::close(kept);
  while (::waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
  }
}

void writeToStdout(llvm::StringRef text) {
  llvm::raw_fd_ostream &stream = llvm::outs();
  stream << text;
  stream.flush();
  if (const std::error_code error = stream.error()) {
    stream.clear_error(); // else LLVM ends the process
    failInputOutput("standard output cannot be written: " + error.message());
  }
}

} // namespace gensyn
