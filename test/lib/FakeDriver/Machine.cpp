// The environment, calls, errors and devices. Contexts.cpp has the contexts.

#include "Machine.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <thread>

namespace gensyn::fakedriver {

static const char *environment(const char *name) {
  const char *text = std::getenv(name);
  return text ? text : "";
}

Machine &Machine::get() {
  // Never destroyed: programs may call from their own destructors.
  static auto *machine = new Machine;
  return *machine;
}

void Machine::reset() {
  for (const auto &[begin, range] : deviceMemory.all())
    std::free(reinterpret_cast<void *>(begin));
  for (const auto &[begin, range] : pinnedMemory.all())
    std::free(reinterpret_cast<void *>(begin));
  deviceMemory.clear();
  pinnedMemory.clear();
  defaultStream = StreamData();
  streams.clear();
  events.clear();
  functions.clear();
  modules.clear();
  graphs.clear();
  executables.clear();
  used = 0;
  broken = cuda::Success;
}

void Machine::removeMemory(cuda::Context owner) {
  std::vector<uint64_t> gone;
  for (const auto &[begin, range] : deviceMemory.all())
    if (range.owner == owner)
      gone.push_back(begin);
  for (uint64_t begin : gone) {
    used -= *deviceMemory.remove(begin);
    std::free(reinterpret_cast<void *>(begin));
  }
}

void Machine::readEnvironment() {
  auto number = [](const char *name, long long otherwise) {
    const char *text = environment(name);
    return *text ? std::strtoll(text, nullptr, 10) : otherwise;
  };
  devices = static_cast<int>(number("FAKE_DRIVER_DEVICES", 1));
  version = static_cast<int>(number("FAKE_DRIVER_VERSION", 13000));
  capacity = static_cast<size_t>(number("FAKE_DRIVER_MEMORY_BYTES", 8LL << 30));
  threads = static_cast<unsigned>(
      number("FAKE_DRIVER_THREADS", std::thread::hardware_concurrency()));
  isEager = *environment("FAKE_DRIVER_EAGER") != 0;
  graphSeed.reset();
  if (const char *seed = environment("FAKE_DRIVER_GRAPH_SEED"); *seed)
    graphSeed = std::strtoull(seed, nullptr, 10);
  major = 9;
  minor = 0;
  if (const char *capability = environment("FAKE_DRIVER_COMPUTE_CAPABILITY");
      *capability)
    std::sscanf(capability, "%d.%d", &major, &minor);
}

uint64_t Machine::sharedBytes() const {
  const int capability = major * 10 + minor;
  if (capability < 80)
    return 64 * 1024;
  if (capability == 80 || capability == 87)
    return 163 * 1024;
  if (capability < 90 || major == 12)
    return 99 * 1024;
  return 227 * 1024;
}

bool Machine::isCapturing() {
  bool any = defaultStream.capture != nullptr;
  streams.each([&](StreamData &stream) { any |= stream.capture != nullptr; });
  return any;
}

/// The number of an error to provoke in this function ("name" or
/// "name:number"), or Success.
static Result provoked(const char *function) {
  std::string wanted = environment("FAKE_DRIVER_FAIL_AT");
  size_t colon = wanted.find(':');
  std::string name = function;
  if (size_t suffix = name.rfind("_v");
      suffix != std::string::npos && wanted.substr(0, colon) != name)
    name.resize(suffix);
  if (wanted.empty() || wanted.substr(0, colon) != name)
    return cuda::Success;
  return colon == std::string::npos ? static_cast<Result>(cuda::ErrorUnknown)
                                    : std::atoi(wanted.c_str() + colon + 1);
}

void trace(const char *what, size_t amount) {
  if (const char *path = environment("FAKE_DRIVER_TRACE"); *path)
    if (std::FILE *file = std::fopen(path, "a")) {
      std::fprintf(file, "%s %zu\n", what, amount);
      std::fclose(file);
    }
}

Call::Call(const char *function, Needs needs, size_t amount)
    : lock(Machine::get().mutex) {
  trace(function, amount);
  Machine &machine = Machine::get();
  if (machine.contexts.empty())
    machine.readEnvironment();
  error = provoked(function);
  if (error)
    return;
  if (needs != Nothing && !machine.isInitialized)
    error = cuda::ErrorNotInitialized;
  else if (needs == Current && machine.broken)
    error = machine.broken;
  else if (needs == Current && !Machine::current())
    error = cuda::ErrorInvalidContext;
}

namespace {
struct ErrorText {
  Result error;
  const char *name, *text;
};
constexpr ErrorText errorTexts[] = {
    {cuda::Success, "CUDA_SUCCESS", "no error"},
    {cuda::ErrorInvalidValue, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
    {cuda::ErrorOutOfMemory, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
    {cuda::ErrorNotInitialized, "CUDA_ERROR_NOT_INITIALIZED",
     "initialization error"},
    {cuda::ErrorNoDevice, "CUDA_ERROR_NO_DEVICE",
     "no CUDA-capable device is detected"},
    {cuda::ErrorInvalidDevice, "CUDA_ERROR_INVALID_DEVICE",
     "invalid device ordinal"},
    {cuda::ErrorInvalidContext, "CUDA_ERROR_INVALID_CONTEXT",
     "invalid device context"},
    {cuda::ErrorNoBinaryForGpu, "CUDA_ERROR_NO_BINARY_FOR_GPU",
     "no kernel image is available for execution on the device"},
    {cuda::ErrorInvalidPtx, "CUDA_ERROR_INVALID_PTX",
     "a PTX JIT compilation failed"},
    {cuda::ErrorUnsupportedPtxVersion, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION",
     "the provided PTX was compiled with an unsupported toolchain."},
    {cuda::ErrorIllegalState, "CUDA_ERROR_ILLEGAL_STATE",
     "the operation cannot be performed in the present state"},
    {cuda::ErrorInvalidHandle, "CUDA_ERROR_INVALID_HANDLE",
     "invalid resource handle"},
    {cuda::ErrorNotFound, "CUDA_ERROR_NOT_FOUND", "named symbol not found"},
    {cuda::ErrorNotReady, "CUDA_ERROR_NOT_READY", "device not ready"},
    {cuda::ErrorIllegalAddress, "CUDA_ERROR_ILLEGAL_ADDRESS",
     "an illegal memory access was encountered"},
    {cuda::ErrorLaunchOutOfResources, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES",
     "too many resources requested for launch"},
    {cuda::ErrorIllegalInstruction, "CUDA_ERROR_ILLEGAL_INSTRUCTION",
     "an illegal instruction was encountered"},
    {cuda::ErrorMisalignedAddress, "CUDA_ERROR_MISALIGNED_ADDRESS",
     "misaligned address"},
    {cuda::ErrorLaunchFailed, "CUDA_ERROR_LAUNCH_FAILED",
     "unspecified launch failure"},
    {cuda::ErrorCaptureUnsupported, "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED",
     "operation not permitted when stream is capturing"},
    {cuda::ErrorUnknown, "CUDA_ERROR_UNKNOWN", "unknown error"},
};

const ErrorText *findText(Result error) {
  auto found =
      std::find_if(std::begin(errorTexts), std::end(errorTexts),
                   [&](const ErrorText &each) { return each.error == error; });
  return found == std::end(errorTexts) ? nullptr : found;
}
} // namespace

} // namespace gensyn::fakedriver

namespace gensyn::cuda {

using namespace fakedriver;

GENSYN_FAKE_EXPORT cuInit(unsigned flags) {
  GENSYN_FAKE_BEGIN(Nothing);
  if (flags)
    return ErrorInvalidValue;
  machine.isInitialized = true;
  return machine.devices > 0 ? Success : ErrorNoDevice;
}

GENSYN_FAKE_EXPORT cuDriverGetVersion(int *version) {
  GENSYN_FAKE_BEGIN(Nothing);
  *version = machine.version;
  return Success;
}

GENSYN_FAKE_EXPORT cuGetErrorName(Result error, const char **text) {
  const auto *found = findText(error);
  *text = found ? found->name : nullptr;
  return found ? Success : ErrorInvalidValue;
}

GENSYN_FAKE_EXPORT cuGetErrorString(Result error, const char **text) {
  const auto *found = findText(error);
  *text = found ? found->text : nullptr;
  return found ? Success : ErrorInvalidValue;
}

GENSYN_FAKE_EXPORT cuDeviceGetCount(int *count) {
  GENSYN_FAKE_BEGIN(Initialized);
  *count = machine.devices;
  return Success;
}

GENSYN_FAKE_EXPORT cuDeviceGet(Device *device, int number) {
  GENSYN_FAKE_BEGIN(Initialized);
  if (number < 0 || number >= machine.devices)
    return ErrorInvalidDevice;
  *device = number;
  return Success;
}

GENSYN_FAKE_EXPORT cuDeviceGetName(char *name, int bytes, Device device) {
  GENSYN_FAKE_BEGIN(Initialized);
  std::snprintf(name, static_cast<size_t>(bytes), "Simulated GPU");
  return Success;
}

GENSYN_FAKE_EXPORT cuDeviceGetAttribute(int *value, int attribute,
                                        Device device) {
  GENSYN_FAKE_BEGIN(Initialized);
  switch (attribute) {
  case AttributeMajor:
    *value = machine.major;
    return Success;
  case AttributeMinor:
    *value = machine.minor;
    return Success;
  case AttributeSharedBytes:
    *value = static_cast<int>(machine.sharedBytes());
    return Success;
  case AttributeMultiprocessors:
    *value = 1;
    return Success;
  case AttributeResidentThreads:
    *value = 2048;
    return Success;
  case AttributeClockKilohertz:
  case AttributeMemoryClockKilohertz:
    *value = 1000;
    return Success;
  case AttributeMemoryBusBits:
    *value = 64;
    return Success;
  case AttributeL2Bytes:
    *value = 1 << 20;
    return Success;
  default:
    return ErrorInvalidValue;
  }
}

GENSYN_FAKE_EXPORT cuDeviceTotalMem_v2(size_t *bytes, Device device) {
  GENSYN_FAKE_BEGIN(Initialized);
  *bytes = machine.capacity;
  return Success;
}

} // namespace gensyn::cuda
