// Selects and loads code: PTX through the driver's compiler, machine code
// directly.

#include "CudaModule.h"

#include "gensyn/Executable/Support/Error.h"
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

LoadedModule::LoadedModule(std::shared_ptr<DeviceContext> owner,
                           const plan::Executable &executable)
    : context(std::move(owner)) {
  load(executable);
  try {
    for (const plan::Launch &launch : executable.plan().launches())
      functions.push_back(find(launch));
  } catch (...) {
    context->driver.cuModuleUnload(module);
    throw;
  }
}

LoadedModule::~LoadedModule() {
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

void LoadedModule::load(const plan::Executable &executable) {
  const auto codes = chooseCode(executable, context->capability);
  if (codes.empty())
    failNoCode(*context, executable);
  for (const plan::Code *code : codes) {
    if (!runtime::isMachineCode(*code))
      return loadPtx(*code);
    const Result error = loadMachineCode(*code);
    if (error == Success)
      return;
    if (error == ErrorOutOfMemory || code == codes.back())
      failLoading(*context, *code, error, "");
  }
}

Result LoadedModule::loadMachineCode(const plan::Code &code) {
  return context->driver.cuModuleLoadDataEx(&module, code.data().data(), 0,
                                            nullptr, nullptr);
}

void LoadedModule::loadPtx(const plan::Code &code) {
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

Function LoadedModule::find(const plan::Launch &launch) {
  const Driver &driver = context->driver;
  auto [entry, isNew] = byName.try_emplace(launch.kernel(), nullptr);
  Function &function = entry->second;
  if (isNew) {
    Result error =
        driver.cuModuleGetFunction(&function, module, launch.kernel().c_str());
    if (error == ErrorNotFound)
      failBadInput("the program is malformed: there is no kernel " +
                   quote(launch.kernel()));
    driver.check(error, "find " + describeKernel(launch));
    int local = 0;
    driver.check(
        driver.cuFuncGetAttribute(&local, FunctionLocalBytes, function),
        "describe " + describeKernel(launch));
    mostLocalBytes = std::max(mostLocalBytes, static_cast<uint64_t>(local));
  }
  int fixed = 0;
  driver.check(driver.cuFuncGetAttribute(&fixed, FunctionSharedBytes, function),
               "describe " + describeKernel(launch));
  const uint64_t bytes = uint64_t(fixed) + launch.shared_bytes();
  if (bytes > context->sharedBytes)
    failUnsupported(describeKernel(launch) + " needs " + std::to_string(bytes) +
                        " bytes of shared memory, and a block of " +
                        context->label + " has " +
                        std::to_string(context->sharedBytes),
                    "compile for this GPU");
  uint32_t &asked = sharedOfName[launch.kernel()];
  if (bytes > sharedWithoutAsking && launch.shared_bytes() > asked) {
    asked = launch.shared_bytes();
    driver.check(driver.cuFuncSetAttribute(function, FunctionDynamicSharedBytes,
                                           static_cast<int>(asked)),
                 "give " + describeKernel(launch) + " its shared memory");
  }
  return function;
}

} // namespace gensyn::cuda
