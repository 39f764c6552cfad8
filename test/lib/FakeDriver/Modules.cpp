// Modules, kernels and launches, on the PTX simulator.

#include "Machine.h"

#include "gensyn/Ptx/Syntax.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <sstream>

namespace gensyn::fakedriver {

/// The driver version that supports a version of PTX: 8.7 is of CUDA 12.8.
static int driverOfPtx(int major, int minor) {
  if (major < 7)
    return 11000;
  if (major == 7)
    return 11000 + 10 * minor;
  if (major == 8)
    return 12000 + 10 * (minor < 6 ? minor : minor + 1);
  return 13000 + 1000 * (major - 9) + 10 * minor;
}

static Result refuse(std::string &log, Result error, const std::string &text) {
  log = text;
  return error;
}

/// Parses a text and checks that this driver and device may run it.
static Result load(const std::string &text, std::unique_ptr<ModuleData> &module,
                   std::string &log) {
  const Machine &machine = Machine::get();
  auto syntax = ptx::parseSyntax(text);
  if (!syntax)
    return refuse(log, cuda::ErrorInvalidPtx,
                  "ptxas application ptx input, line " +
                      std::to_string(syntax.error().line) +
                      "; fatal   : " + syntax.error().message);
  int major = 0, minor = 0;
  std::sscanf(std::string(syntax->version).c_str(), "%d.%d", &major, &minor);
  if (driverOfPtx(major, minor) > machine.version)
    return refuse(log, cuda::ErrorUnsupportedPtxVersion,
                  "ptxas application ptx input, line 1; fatal   : Unsupported "
                  ".version " +
                      std::string(syntax->version));
  int sm = 0;
  std::sscanf(std::string(syntax->target).c_str(), "sm_%d", &sm);
  if (sm > machine.major * 10 + machine.minor)
    return refuse(log, cuda::ErrorNoBinaryForGpu,
                  "SM version specified by .target is higher than default SM "
                  "version assumed");
  auto code = ptx::Module::parse(text);
  if (!code)
    return refuse(log, cuda::ErrorInvalidPtx,
                  "ptxas application ptx input, line " +
                      std::to_string(code.error().line) +
                      "; error   : " + code.error().message);
  auto kernels = code->kernels();
  module.reset(new ModuleData{std::move(*code), std::move(kernels)});
  return cuda::Success;
}

static Result resultOf(const ptx::Fault &fault) {
  if (std::getenv("FAKE_DRIVER_VERBOSE"))
    std::fprintf(stderr, "fake driver: %s\n", fault.message.c_str());
  switch (fault.kind) {
  case ptx::Fault::Kind::Launch:
    return cuda::ErrorInvalidValue;
  case ptx::Fault::Kind::OutOfBounds:
  case ptx::Fault::Kind::ReadOnly:
    return cuda::ErrorIllegalAddress;
  case ptx::Fault::Kind::Misaligned:
    return cuda::ErrorMisalignedAddress;
  case ptx::Fault::Kind::Trap:
    return cuda::ErrorIllegalInstruction;
  default:
    return cuda::ErrorLaunchFailed;
  }
}

/// A launch with copies of all its parameters.
struct LaunchData {
  std::shared_ptr<ModuleData> module;
  std::string kernel;
  ptx::Dimensions grid, block;
  uint64_t sharedBytes;
  cuda::Context context;
  std::vector<std::byte> parameters;

  Result run() const {
    const Machine &machine = Machine::get();
    if (!machine.modules.count(module.get()))
      return cuda::ErrorInvalidHandle;
    ptx::Memory memory;
    // Pinned memory of the host has one address for all (unified addressing).
    for (const Ranges *ranges : {&machine.deviceMemory, &machine.pinnedMemory})
      for (const auto &[begin, range] : ranges->all())
        if (range.owner == context)
          memory.add(reinterpret_cast<void *>(begin), range.bytes);
    ptx::Launch launch;
    launch.kernel = kernel;
    launch.grid = grid;
    launch.block = block;
    launch.dynamicSharedBytes = sharedBytes;
    launch.parameters = parameters;
    launch.threads = machine.threads;
    if (auto fault = module->code.launch(launch, memory))
      return resultOf(*fault);
    return cuda::Success;
  }
};

/// The bytes of a kernel's parameters, from either way of passing them.
static Result readParameters(const ptx::KernelInfo &info, void **parameters,
                             void **extra, std::vector<std::byte> &bytes) {
  bytes.resize(info.parameterBytes);
  if (parameters && extra)
    return cuda::ErrorInvalidValue;
  if (parameters) {
    for (size_t i = 0; i < info.parameters.size(); ++i)
      std::memcpy(bytes.data() + info.parameters[i].offset, parameters[i],
                  info.parameters[i].size);
    return cuda::Success;
  }
  const void *buffer = nullptr;
  size_t size = 0;
  for (void **next = extra; next && *next != cuda::kLaunchEnd; next += 2) {
    if (*next == cuda::kLaunchBuffer)
      buffer = next[1];
    else if (*next == cuda::kLaunchBufferBytes)
      size = *static_cast<size_t *>(next[1]);
    else
      return cuda::ErrorInvalidValue;
  }
  if (size != info.parameterBytes || (size && !buffer))
    return cuda::ErrorInvalidValue;
  if (size)
    std::memcpy(bytes.data(), buffer, size);
  return cuda::Success;
}

static Result checkLaunch(const FunctionData &function,
                          const ptx::Dimensions &grid,
                          const ptx::Dimensions &block, uint64_t sharedBytes) {
  const uint64_t threads = uint64_t(block.x) * block.y * block.z;
  if (!grid.x || !grid.y || !grid.z || !threads || grid.x > 0x7FFFFFFF ||
      grid.y > 65535 || grid.z > 65535 || block.x > 1024 || block.y > 1024 ||
      block.z > 64 || threads > 1024)
    return cuda::ErrorInvalidValue;
  if (sharedBytes > function.dynamicSharedBytes ||
      (sharedBytes + function.info.sharedBytes > 48 * 1024 &&
       sharedBytes + function.info.sharedBytes > Machine::get().sharedBytes()))
    return cuda::ErrorInvalidValue;
  if (const auto &wanted = function.info.requiredBlock;
      wanted && *wanted != std::array{block.x, block.y, block.z})
    return cuda::ErrorInvalidValue;
  if (const auto &most = function.info.maximalBlock;
      most && threads > uint64_t((*most)[0]) * (*most)[1] * (*most)[2])
    return cuda::ErrorInvalidValue;
  return cuda::Success;
}

} // namespace gensyn::fakedriver

namespace gensyn::cuda {

using namespace fakedriver;

static constexpr const char *elfMagic = "\x7f"
                                        "ELF";

static bool isMachineCode(const void *image) {
  return std::strncmp(static_cast<const char *>(image), elfMagic,
                      std::strlen(elfMagic)) == 0;
}

static Result loadModule(Module *module, const char *image, std::string &log) {
  Machine &machine = Machine::get();
  if (!image)
    return ErrorInvalidValue;
  if (isMachineCode(image)) {
    // Machine code has a line that names the GPU and precedes the PTX.
    int sm = 0, begin = 0;
    std::sscanf(image + std::strlen(elfMagic), " simulated sm_%d%n", &sm,
                &begin);
    if (begin == 0 || sm / 10 != machine.major || sm % 10 > machine.minor)
      return ErrorNoBinaryForGpu;
    image += std::strlen(elfMagic) + size_t(begin);
  }
  std::unique_ptr<ModuleData> data;
  if (Result error = load(image, data, log))
    return error;
  auto shared = std::make_shared<ModuleData>(*data);
  machine.modules.emplace(shared.get(), shared);
  *module = reinterpret_cast<Module>(shared.get());
  return Success;
}

GENSYN_FAKE_EXPORT cuModuleLoadDataEx(Module *module, const void *image,
                                      unsigned options, int *option,
                                      void **values) {
  GENSYN_FAKE_BEGIN(Current, image && isMachineCode(image));
  char *text = nullptr;
  size_t bytes = 0;
  void **bytesValue = nullptr;
  for (unsigned i = 0; i < options; ++i) {
    if (option[i] == JitErrorLog)
      text = static_cast<char *>(values[i]);
    if (option[i] == JitErrorLogBytes) {
      bytes = reinterpret_cast<uintptr_t>(values[i]);
      bytesValue = &values[i];
    }
    if (option[i] == JitSplitCompile) {
      if (machine.version < 13000)
        return ErrorInvalidValue;
      trace("split-compile", reinterpret_cast<uintptr_t>(values[i]));
    }
  }
  std::string log;
  Result error = loadModule(module, static_cast<const char *>(image), log);
  if (text && bytes) {
    std::snprintf(text, bytes, "%s", log.c_str());
    *bytesValue = reinterpret_cast<void *>(std::min(bytes - 1, log.size()));
  }
  return error;
}

GENSYN_FAKE_EXPORT cuModuleLoadData(Module *module, const void *image) {
  GENSYN_FAKE_BEGIN(Current);
  std::string log;
  return loadModule(module, static_cast<const char *>(image), log);
}

GENSYN_FAKE_EXPORT cuModuleLoad(Module *module, const char *path) {
  GENSYN_FAKE_BEGIN(Current);
  std::ifstream file(path);
  if (!file)
    return 301; // CUDA_ERROR_FILE_NOT_FOUND
  std::stringstream text;
  text << file.rdbuf();
  std::string log;
  return loadModule(module, text.str().c_str(), log);
}

GENSYN_FAKE_EXPORT cuModuleUnload(Module module) {
  GENSYN_FAKE_BEGIN(Current);
  return machine.modules.erase(reinterpret_cast<ModuleData *>(module))
             ? Success
             : ErrorInvalidHandle;
}

GENSYN_FAKE_EXPORT cuModuleGetFunction(Function *function, Module module,
                                       const char *name) {
  GENSYN_FAKE_BEGIN(Current);
  auto found = machine.modules.find(reinterpret_cast<ModuleData *>(module));
  if (found == machine.modules.end())
    return ErrorInvalidHandle;
  FunctionData *known = nullptr;
  machine.functions.each([&](FunctionData &each) {
    if (each.module == found->second && each.info.name == name)
      known = &each;
  });
  if (known) {
    *function = reinterpret_cast<Function>(known);
    return Success;
  }
  for (const ptx::KernelInfo &info : found->second->kernels)
    if (info.name == name) {
      auto made = std::make_unique<FunctionData>();
      made->module = found->second;
      made->info = info;
      *function =
          reinterpret_cast<Function>(machine.functions.add(std::move(made)));
      return Success;
    }
  return ErrorNotFound;
}

GENSYN_FAKE_EXPORT cuFuncGetAttribute(int *value, int attribute,
                                      Function function) {
  GENSYN_FAKE_BEGIN(Current);
  const FunctionData *found = machine.functions.find(function);
  if (!found)
    return ErrorInvalidHandle;
  switch (attribute) {
  case FunctionThreads:
    *value = 1024;
    return Success;
  case FunctionSharedBytes:
    *value = static_cast<int>(found->info.sharedBytes);
    return Success;
  case FunctionLocalBytes:
    *value = static_cast<int>(found->info.localBytes);
    return Success;
  case FunctionRegisters:
    *value = 32;
    return Success;
  case FunctionDynamicSharedBytes:
    *value = static_cast<int>(found->dynamicSharedBytes);
    return Success;
  default:
    return ErrorInvalidValue;
  }
}

GENSYN_FAKE_EXPORT cuFuncSetAttribute(Function function, int attribute,
                                      int value) {
  GENSYN_FAKE_BEGIN(Current);
  FunctionData *found = machine.functions.find(function);
  if (!found)
    return ErrorInvalidHandle;
  if (attribute != FunctionDynamicSharedBytes)
    return Success;
  if (value < 0 ||
      uint64_t(value) + found->info.sharedBytes > machine.sharedBytes())
    return ErrorInvalidValue;
  found->dynamicSharedBytes = uint64_t(value);
  return Success;
}

GENSYN_FAKE_EXPORT
cuLaunchKernel(Function function, unsigned gridX, unsigned gridY,
               unsigned gridZ, unsigned blockX, unsigned blockY,
               unsigned blockZ, unsigned sharedBytes, Stream stream,
               void **parameters, void **extra) {
  GENSYN_FAKE_BEGIN(Current);
  const FunctionData *found = machine.functions.find(function);
  StreamData *target = machine.find(stream);
  if (!found || !machine.modules.count(found->module.get()) || !target ||
      (stream && target->context != Machine::current()))
    return ErrorInvalidHandle;
  ptx::Dimensions grid{gridX, gridY, gridZ}, block{blockX, blockY, blockZ};
  if (Result error = checkLaunch(*found, grid, block, sharedBytes))
    return error;
  LaunchData launch{found->module, found->info.name,   grid, block,
                    sharedBytes,   Machine::current(), {}};
  if (Result error =
          readParameters(found->info, parameters, extra, launch.parameters))
    return error;
  target->hasLaunched = true;
  return machine.add(*target,
                     [launch = std::move(launch)] { return launch.run(); });
}

} // namespace gensyn::cuda
