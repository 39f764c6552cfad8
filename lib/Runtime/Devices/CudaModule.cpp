// Selects and loads code: PTX through the driver's compiler, machine code
// directly.

#include "CudaModule.h"

#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/Support/Hash.h"
#include "gensyn/Executable/plan.pb.h"
#include "gensyn/Runtime/Compiler/Assembler.h"

#include <algorithm>
#include <array>
#include <tuple>

namespace gensyn::cuda {

/// The first driver that compiles the kernels of a text on several threads.
static constexpr int driverOfSplitCompile = 13000;
/// Bytes of shared memory that a block may use without opting in.
static constexpr uint64_t sharedWithoutAsking = uint64_t{48} << 10;

std::vector<const plan::Code *> chooseCode(const plan::Executable &executable,
                                           int capability) {
  struct Choice {
    int number;
    bool isMachineCode;
    const plan::Code *code;
  };
  std::vector<Choice> choices;
  for (const plan::Code &code : executable.code()) {
    const int number = runtime::numberOfArchitecture(code.target());
    const bool isMachineCode = runtime::isMachineCode(code);
    if (number > 0 && number <= capability &&
        (!isMachineCode || number / 10 == capability / 10))
      choices.push_back({number, isMachineCode, &code});
  }
  std::stable_sort(choices.begin(), choices.end(),
                   [](const Choice &a, const Choice &b) {
                     return std::tie(a.number, a.isMachineCode) >
                            std::tie(b.number, b.isMachineCode);
                   });
  std::vector<const plan::Code *> codes;
  for (const Choice &choice : choices) {
    codes.push_back(choice.code);
    // A driver compiles any PTX, so nothing after it is asked.
    if (!choice.isMachineCode)
      break;
  }
  return codes;
}

std::string describeKernel(const plan::Launch &launch) {
  return "kernel " + quote(launch.kernel()) +
         (launch.operation().empty() ? "" : " (" + launch.operation() + ")");
}

LoadedKernels::LoadedKernels(const std::shared_ptr<DeviceContext> &context,
                             const plan::Executable &executable)
    : code(CodeModule::of(context, executable)) {
  for (const plan::Launch &launch : executable.plan().launches()) {
    const CodeModule::Kernel &kernel = code->find(launch);
    functions.push_back(kernel.function);
    mostLocalBytes = std::max(mostLocalBytes, kernel.localBytes);
  }
}

CodeModule::~CodeModule() {
  if (!module)
    return;
  const CurrentContext current = context->tryEnter();
  context->driver.cuModuleUnload(module);
}

/// Returns "8.7" for a text that begins with comments and ".version 8.7".
static std::string_view versionOfPtx(std::string_view text) {
  const std::string_view word = ".version";
  size_t begin = text.find(word);
  if (begin == std::string_view::npos)
    return {};
  begin = text.find_first_not_of(" \t", begin + word.size());
  if (begin == std::string_view::npos)
    return {};
  return text.substr(begin, text.find_first_of(" \t\r\n", begin) - begin);
}

/// Returns the first line of the driver's log that has a message.
static std::string firstLine(std::string_view log) {
  size_t begin = log.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos)
    return "";
  return std::string(
      log.substr(begin, log.find_first_of("\r\n", begin) - begin));
}

[[noreturn]] static void failNoCode(const DeviceContext &context,
                                    const plan::Executable &executable) {
  std::vector<std::string> targets;
  for (const plan::Code &code : executable.code())
    targets.push_back(code.target());
  failUnsupported("the program has no code for " + context.label +
                      " of compute capability " +
                      std::to_string(context.capability / 10) + "." +
                      std::to_string(context.capability % 10),
                  targets.empty() ? "it has none at all"
                                  : "it has code for " + listed(targets));
}

[[noreturn]] static void failLoading(const DeviceContext &context,
                                     const plan::Code &code, Result error,
                                     const std::string &reason) {
  if (error == ErrorOutOfMemory)
    context.driver.check(error, "load the kernels on " + context.label);
  failUnsupported(context.label + " does not take the program's code for " +
                  code.target() + ": " + context.driver.describe(error) +
                  (reason.empty() ? "" : ": " + reason));
}

std::shared_ptr<CodeModule>
CodeModule::of(const std::shared_ptr<DeviceContext> &context,
               const plan::Executable &executable) {
  const auto codes = chooseCode(executable, context->capability);
  if (codes.empty())
    failNoCode(*context, executable);
  auto &modules = context->modules;
  std::erase_if(modules,
                [](const auto &entry) { return entry.second.expired(); });
  for (const plan::Code *code : codes) {
    const std::string digest =
        hashHex(code->data().data(), code->data().size());
    if (auto found = modules.find(digest); found != modules.end())
      return found->second.lock();
    std::shared_ptr<CodeModule> made(new CodeModule(context));
    const Result error = made->load(*code);
    if (error == ErrorOutOfMemory || (error && code == codes.back()))
      failLoading(*context, *code, error, "");
    if (error)
      continue;
    modules.emplace(digest, made);
    return made;
  }
  return nullptr; // not reached: the last code loads or fails
}

/// Returns an error for machine code that the driver does not take.
Result CodeModule::load(const plan::Code &code) {
  if (runtime::isMachineCode(code))
    return context->driver.cuModuleLoadDataEx(&module, code.data().data(), 0,
                                              nullptr, nullptr);
  loadPtx(code);
  return Success;
}

void CodeModule::loadPtx(const plan::Code &code) {
  const Driver &driver = context->driver;
  std::string_view version = versionOfPtx(code.data());
  if (int needed = driverOfPtx(version); needed > driver.version)
    failUnsupported("the NVIDIA driver is too old: it is for CUDA " +
                        versionText(driver.version) + ", and PTX " +
                        std::string(version) + " for " + code.target() +
                        " needs CUDA " + versionText(needed),
                    "update the driver, or compile for an older generation");
  std::array<char, 16384> log{};
  int options[] = {JitErrorLog, JitErrorLogBytes, JitSplitCompile};
  void *values[] = {log.data(), reinterpret_cast<void *>(log.size()), nullptr};
  const unsigned count = driver.version < driverOfSplitCompile ? 2 : 3;
  if (Result error = driver.cuModuleLoadDataEx(&module, code.data().c_str(),
                                               count, options, values)) {
    log.back() = 0;
    failLoading(*context, code, error, firstLine(log.data()));
  }
}

/// Asks for the kernel of a launch, which no launch has named before.
CodeModule::Kernel CodeModule::describe(const plan::Launch &launch) const {
  const Driver &driver = context->driver;
  Kernel kernel;
  Result error = driver.cuModuleGetFunction(&kernel.function, module,
                                            launch.kernel().c_str());
  if (error == ErrorNotFound)
    failBadInput("the program is malformed: there is no kernel " +
                 quote(launch.kernel()));
  driver.check(error, "find " + describeKernel(launch));
  auto ask = [&](int attribute) {
    int value = 0;
    driver.check(driver.cuFuncGetAttribute(&value, attribute, kernel.function),
                 "describe " + describeKernel(launch));
    return static_cast<uint64_t>(value);
  };
  kernel.localBytes = ask(FunctionLocalBytes);
  kernel.sharedBytes = ask(FunctionSharedBytes);
  return kernel;
}

const CodeModule::Kernel &CodeModule::find(const plan::Launch &launch) {
  auto found = kernels.find(launch.kernel());
  if (found == kernels.end())
    found = kernels.emplace(launch.kernel(), describe(launch)).first;
  Kernel &kernel = found->second;
  const uint64_t bytes = kernel.sharedBytes + launch.shared_bytes();
  if (bytes > context->sharedBytes)
    failUnsupported(describeKernel(launch) + " needs " + std::to_string(bytes) +
                        " bytes of shared memory, and a block of " +
                        context->label + " has " +
                        std::to_string(context->sharedBytes),
                    "compile for this GPU");
  // Another program may have asked for more.
  if (bytes > sharedWithoutAsking && launch.shared_bytes() > kernel.asked) {
    const Driver &driver = context->driver;
    driver.check(
        driver.cuFuncSetAttribute(kernel.function, FunctionDynamicSharedBytes,
                                  static_cast<int>(launch.shared_bytes())),
        "give " + describeKernel(launch) + " its shared memory");
    kernel.asked = launch.shared_bytes();
  }
  return kernel;
}

} // namespace gensyn::cuda
