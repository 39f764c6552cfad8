// The near end of gensyn-kernel-runner (test/lib/KernelRunner): it gets a plan
// and its kernels, then for each run the inputs. Each reply begins with an
// error, or nothing.

#include "gensyn/CheckBits/EmulatedCode.h"
#include "gensyn/CheckBits/MessageStream.h"

#include <cstring>
#include <utility>

#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

namespace gensyn::checkbits {

/// Receives a message, or throws a Failure.
static std::string receive(const MessageStream &stream) {
  std::optional<std::string> message = stream.receive();
  if (!message)
    failBadInput("the process that runs the kernels has ended");
  return *message;
}

static void receiveReply(const MessageStream &stream) {
  if (std::string error = receive(stream); !error.empty())
    failBadInput(error);
}

static std::string_view bytesOf(const Tensor &tensor) {
  return {reinterpret_cast<const char *>(tensor.data()),
          static_cast<size_t>(tensor.byteSize())};
}

/// Starts a process whose standard input and output are one socket. Returns its
/// number, and the other end in `socket`.
static int startProcess(llvm::ArrayRef<std::string> command, int &socket) {
  std::vector<char *> words;
  for (const std::string &word : command)
    words.push_back(const_cast<char *>(word.c_str()));
  words.push_back(nullptr);
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    failBadInput("no socket for another process");
  const int process = ::fork();
  if (process == 0) {
    ::dup2(ends[1], STDIN_FILENO);
    ::dup2(ends[1], STDOUT_FILENO);
    ::execvp(words[0], words.data());
    ::_exit(127);
  }
  ::close(ends[1]);
  socket = ends[0];
  if (process < 0)
    failBadInput("no process to run the kernels");
  return process;
}

llvm::Expected<EmulatedCode>
EmulatedCode::load(llvm::ArrayRef<std::string> command, const plan::Plan &plan,
                   llvm::StringRef object) {
  try {
    int socket = -1;
    const int process = startProcess(command, socket);
    EmulatedCode code(socket, process);
    const MessageStream stream(socket, socket);
    stream.send(plan.SerializeAsString());
    stream.send(object);
    receiveReply(stream);
    return code;
  } catch (const Failure &failure) {
    return llvm::createStringError(command.front() + ": " + failure.what());
  }
}

EmulatedCode::EmulatedCode(EmulatedCode &&other) noexcept
    : socket(std::exchange(other.socket, -1)),
      process(std::exchange(other.process, -1)) {}

EmulatedCode::~EmulatedCode() {
  if (process < 0)
    return;
  ::close(socket);
  ::kill(process, SIGKILL);
  ::waitpid(process, nullptr, 0);
}

llvm::Expected<std::vector<uint64_t>>
EmulatedCode::run(llvm::ArrayRef<Tensor> inputs,
                  llvm::MutableArrayRef<Tensor> outputs, int64_t pieces) const {
  try {
    const MessageStream stream(socket, socket);
    std::vector<int64_t> header = {pieces, int64_t(inputs.size())};
    for (const Tensor &output : outputs)
      header.push_back(output.byteSize());
    stream.send({reinterpret_cast<const char *>(header.data()),
                 header.size() * sizeof(int64_t)});
    for (const Tensor &input : inputs)
      stream.send(bytesOf(input));
    receiveReply(stream);
    for (Tensor &output : outputs) {
      const std::string bytes = receive(stream);
      if (bytes.size() != static_cast<size_t>(output.byteSize()))
        failBadInput("a result has another size");
      std::memcpy(output.data(), bytes.data(), bytes.size());
    }
    const std::string positions = receive(stream);
    std::vector<uint64_t> faults(positions.size() / sizeof(uint64_t));
    std::memcpy(faults.data(), positions.data(), positions.size());
    return faults;
  } catch (const Failure &failure) {
    return llvm::createStringError(failure.what());
  }
}

} // namespace gensyn::checkbits
