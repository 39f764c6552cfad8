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
                                        StringRef output, std::string &error) {
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

FailureOr<std::string> linkObjects(ArrayRef<std::string> objects,
                                   std::string &error) {
  llvm::SmallString<128> folder;
  if (std::error_code code =
          llvm::sys::fs::createUniqueDirectory("gensyn-link", folder)) {
    error = "no temporary folder: " + code.message();
    return failure();
  }
  auto remove =
      llvm::make_scope_exit([&] { llvm::sys::fs::remove_directories(folder); });
  const std::string output = (folder + "/kernels.so").str();
  // No undefined symbols, such as calls of a math library.
  std::vector<std::string> arguments = {
      "ld.lld",        "-shared",     "-z", "defs", "--build-id=none",
      "--strip-debug", "--threads=1", "-o", output};
  for (auto [number, object] : llvm::enumerate(objects)) {
    std::string path = (folder + "/" + Twine(number) + ".o").str();
    if (llvm::Error failed = writeFile(path, object)) {
      error = llvm::toString(std::move(failed));
      return failure();
    }
    arguments.push_back(path);
  }
  return runLinker(arguments, output, error);
}

} // namespace gensyn::cpu
