// Runs ptxas and reads its output.

#include "gensyn/Runtime/Compiler/Assembler.h"

#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/Support/Files.h"
#include "gensyn/Executable/plan.pb.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace gensyn::runtime {

namespace fs = std::filesystem;

int numberOfArchitecture(std::string_view name) {
  int number = 0;
  if (!name.starts_with("sm_"))
    return 0;
  const char *end = name.data() + name.size();
  auto [rest, error] = std::from_chars(name.data() + 3, end, number);
  return error == std::errc() && rest == end ? number : 0;
}

static constexpr std::string_view elfMagic = "\x7f"
                                             "ELF";

bool isMachineCode(const plan::Code &code) {
  return code.data().starts_with(elfMagic);
}

std::vector<std::string> listMachineCode(const plan::Executable &executable) {
  std::vector<std::string> targets;
  for (const plan::Code &code : executable.code())
    if (numberOfArchitecture(code.target()) && isMachineCode(code))
      targets.push_back(code.target());
  return targets;
}

namespace {
/// A temporary folder, removed with its contents.
class WorkFolder {
public:
  WorkFolder() {
    std::error_code error;
    const fs::path place = fs::temp_directory_path(error);
    std::string name = (place / "gensyn-ptxas.XXXXXX").string();
    if (error || !::mkdtemp(name.data()))
      failInputOutput((error ? std::string("the folder for temporary files")
                             : place.string()) +
                      ": cannot be written: " +
                      (error ? error.message() : std::strerror(errno)));
    folder = name;
  }
  ~WorkFolder() {
    std::error_code ignored;
    fs::remove_all(folder, ignored);
  }
  WorkFolder(const WorkFolder &) = delete;
  WorkFolder &operator=(const WorkFolder &) = delete;
  fs::path operator/(const char *name) const { return folder / name; }

private:
  fs::path folder;
};

/// Files that capture both output streams of a program.
class SpawnFiles {
public:
  explicit SpawnFiles(const fs::path &log) {
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null",
                                       O_RDONLY, 0);
    ::posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log.c_str(),
                                       O_WRONLY | O_CREAT | O_TRUNC, 0600);
    ::posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  }
  ~SpawnFiles() { ::posix_spawn_file_actions_destroy(&actions); }
  SpawnFiles(const SpawnFiles &) = delete;
  SpawnFiles &operator=(const SpawnFiles &) = delete;

  posix_spawn_file_actions_t actions;
};
} // namespace

static bool isProgram(const fs::path &path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored) &&
         ::access(path.c_str(), X_OK) == 0;
}

Assembler::Assembler(const fs::path &path) : program(path) {
  if (!path.empty()) {
    if (!isProgram(path))
      failInputOutput("--ptxas " + path.string() + ": not an executable file");
    // A path with a slash keeps spawn from searching PATH.
    program = fs::absolute(path);
    return;
  }
  const char *known = std::getenv("PATH");
  std::string_view rest = known ? known : "";
  while (!rest.empty()) {
    const size_t end = rest.find(':');
    const std::string_view folder = rest.substr(0, end);
    rest = end == std::string_view::npos ? "" : rest.substr(end + 1);
    if (!folder.empty() && isProgram(fs::path(folder) / "ptxas")) {
      program = fs::absolute(fs::path(folder) / "ptxas");
      return;
    }
  }
  failUnsupported("--assemble needs ptxas of the CUDA toolkit, and none is in "
                  "PATH",
                  "--ptxas says where it is; without --assemble the driver "
                  "does its work when the program is loaded");
}

/// Runs a program and returns its exit status; throws if it cannot be started.
static int runProgram(std::vector<std::string> words, const fs::path &log) {
  std::vector<char *> arguments;
  for (std::string &word : words)
    arguments.push_back(word.data());
  arguments.push_back(nullptr);
  SpawnFiles files(log);
  pid_t child = 0;
  if (int error = ::posix_spawn(&child, words[0].c_str(), &files.actions,
                                nullptr, arguments.data(), environ))
    failInputOutput(words[0] + ": cannot be run: " + std::strerror(error));
  int status = 0;
  while (::waitpid(child, &status, 0) < 0)
    if (errno != EINTR)
      failInputOutput(words[0] +
                      ": cannot be waited for: " + std::strerror(errno));
  return status;
}

/// Returns the first line that has an error message; ptxas prints warnings
/// before it fails.
static std::string readReason(const fs::path &log) {
  MappedFile file(log, MappedFile::Origin::Own);
  const std::string text(reinterpret_cast<const char *>(file.data()),
                         std::min(file.size(), size_t(1) << 16));
  std::string first;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    const std::string line = text.substr(begin, end - begin);
    begin = end + 1;
    if (line.find("fatal") != std::string::npos ||
        line.find("error") != std::string::npos)
      return line;
    if (first.empty())
      first = line;
  }
  return first;
}

std::string Assembler::assemble(const std::string &ptx,
                                const std::string &target) const {
  WorkFolder folder;
  const fs::path from = folder / "program.ptx", to = folder / "program.cubin",
                 log = folder / "log";
  writeText(from, ptx);
  const int status = runProgram(
      {program.string(), "-arch=" + target, "-o", to.string(), from.string()},
      log);
  auto fail = [&](const std::string &reason) {
    failUnsupported(program.string() + " makes no machine code for " + target +
                        (reason.empty() ? "" : ": " + reason),
                    "an older one may not know the generation; without "
                    "--assemble the driver does its work when the program is "
                    "loaded");
  };
  if (WIFSIGNALED(status))
    fail("it was ended by signal " + std::to_string(WTERMSIG(status)));
  if (WEXITSTATUS(status) != 0) {
    std::string reason = readReason(log);
    // Messages omit the path of the temporary folder.
    if (size_t begin = reason.find(from.string()); begin != std::string::npos)
      reason.replace(begin, from.string().size(), "program.ptx");
    fail(reason.empty() ? "it exits with " + std::to_string(WEXITSTATUS(status))
                        : quote(reason));
  }
  std::error_code ignored;
  std::string bytes;
  if (fs::is_regular_file(to, ignored)) {
    MappedFile file(to, MappedFile::Origin::Own);
    bytes.assign(reinterpret_cast<const char *>(file.data()), file.size());
  }
  if (!bytes.starts_with(elfMagic))
    fail("its output is not an ELF file");
  return bytes;
}

void Assembler::addMachineCode(plan::Executable &executable) const {
  for (int i = 0, count = executable.code_size(); i < count; ++i) {
    const plan::Code code = executable.code(i);
    if (!numberOfArchitecture(code.target()) || isMachineCode(code))
      continue;
    plan::Code &made = *executable.add_code();
    made.set_target(code.target());
    made.set_data(assemble(code.data(), code.target()));
  }
}

} // namespace gensyn::runtime
