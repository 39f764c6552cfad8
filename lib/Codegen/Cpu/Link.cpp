// Links objects to a shared object with lld, in this process.

#include "KernelCode.h"
#include "lld/Common/Driver.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <mutex>

LLD_HAS_DRIVER(elf)

using namespace mlir;

namespace gensyn::cpu {

static llvm::Error writeFile(StringRef path, StringRef bytes) {
  std::error_code code;
  llvm::raw_fd_ostream file(path, code);
  if (code)
    return llvm::errorCodeToError(code);
  file << bytes;
  file.close();
  return llvm::errorCodeToError(file.error());
}

static FailureOr<std::string> runLinker(ArrayRef<std::string> arguments,
                                        const std::string &output,
                                        std::string &error) {
  // The linker's state is global.
  static std::mutex mutex;
  static bool usable = true;
  std::lock_guard<std::mutex> lock(mutex);
  if (!usable) {
    error = "the linker crashed before and cannot run again";
    return failure();
  }
  std::vector<const char *> pointers;
  for (const std::string &argument : arguments)
    pointers.push_back(argument.c_str());
  std::string text;
  llvm::raw_string_ostream messages(text);
  // lld ends the process on a malformed object unless crash recovery is
  // enabled.
  llvm::CrashRecoveryContext::Enable();
  auto unwatch =
      llvm::make_scope_exit([] { llvm::CrashRecoveryContext::Disable(); });
  lld::Result result =
      lld::lldMain(pointers, messages, messages, {{lld::Gnu, &lld::elf::link}});
  usable = result.canRunAgain;
  if (result.retCode != 0) {
    error = StringRef(text).split('\n').first.str();
    return failure();
  }
  auto file = llvm::MemoryBuffer::getFile(output, /*IsText=*/false,
                                          /*RequiresNullTerminator=*/false,
                                          /*IsVolatile=*/true);
  if (!file) {
    error = file.getError().message();
    return failure();
  }
  return (*file)->getBuffer().str();
}

Linker::Linker(ArrayRef<std::string> options, ArrayRef<StringRef> objects) {
  llvm::SmallString<128> path;
  if (std::error_code code =
          llvm::sys::fs::createUniqueDirectory("gensyn-link", path)) {
    problem = "no temporary folder: " + code.message();
    return;
  }
  folder = path.str().str();
  arguments = {"ld.lld", "--build-id=none", "--threads=1", "-o",
               folder + "/linked"};
  llvm::append_range(arguments, options);
  for (auto [number, object] : llvm::enumerate(objects))
    if (!add(object, Twine(number) + ".o", arguments))
      return;
}

Linker::~Linker() {
  if (!folder.empty())
    llvm::sys::fs::remove_directories(folder);
}

bool Linker::add(StringRef bytes, Twine name,
                 std::vector<std::string> &arguments) {
  std::string path = (folder + "/" + name).str();
  if (llvm::Error failed = writeFile(path, bytes)) {
    problem = llvm::toString(std::move(failed));
    return false;
  }
  arguments.push_back(std::move(path));
  return true;
}

FailureOr<std::string> Linker::link(ArrayRef<StringRef> more,
                                    std::string &error) {
  std::vector<std::string> all = arguments;
  for (auto [number, bytes] : llvm::enumerate(more))
    if (problem.empty())
      add(bytes, "more" + Twine(number), all);
  if (!problem.empty()) {
    error = problem;
    return failure();
  }
  return runLinker(all, folder + "/linked", error);
}

static FailureOr<std::string> link(ArrayRef<std::string> options,
                                   ArrayRef<std::string> objects,
                                   std::string &error) {
  return Linker(options, SmallVector<StringRef>(objects.begin(), objects.end()))
      .link({}, error);
}

FailureOr<std::string> linkObjects(ArrayRef<std::string> objects,
                                   std::string &error) {
  // No undefined symbols, such as calls of a math library.
  return link({"-shared", "-z", "defs", "--strip-debug"}, objects, error);
}

FailureOr<std::string> joinObjects(ArrayRef<std::string> objects,
                                   std::string &error) {
  return link({"-r"}, objects, error);
}

} // namespace gensyn::cpu
