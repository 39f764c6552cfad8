// Opens the driver by dlopen: building needs no part of CUDA, and the same
// binary runs on machines without it.

#include "gensyn/Runtime/Devices/CudaDriver.h"

#include "gensyn/Executable/Support/Error.h"

#include <charconv>

#include <dlfcn.h>

namespace gensyn::cuda {

/// The first version that has all functions of GENSYN_CUDA_FUNCTIONS.
static constexpr int oldestDriver = 11040;

std::string versionText(int version) {
  return std::to_string(version / 1000) + "." +
         std::to_string(version % 1000 / 10);
}

int driverOfPtx(std::string_view text) {
  int major = 0, minor = 0;
  const char *end = text.data() + text.size();
  auto [dot, error] = std::from_chars(text.data(), end, major);
  if (error != std::errc() || dot == end || *dot != '.' ||
      std::from_chars(dot + 1, end, minor).ec != std::errc())
    return 0;
  if (major < 7)
    return 11000;
  if (major == 7)
    return 11000 + 10 * minor;
  // PTX 8.5 is of CUDA 12.5 and PTX 8.6 of CUDA 12.7; the release between them
  // had no PTX version of its own.
  if (major == 8)
    return 12000 + 10 * (minor <= 5 ? minor : minor + 1);
  return 13000 + 1000 * (major - 9) + 10 * minor;
}

std::string Driver::describe(Result error) const {
  const char *text = nullptr, *name = nullptr;
  if (cuGetErrorString(error, &text) || cuGetErrorName(error, &name) || !text ||
      !name)
    return "error " + std::to_string(error) + " of the driver";
  return std::string(text) + " (" + name + ")";
}

void Driver::check(Result error, std::string_view tried) const {
  if (error == Success)
    return;
  throw Failure(error == ErrorOutOfMemory ? ExitCode::OutOfResources
                                          : ExitCode::Bug,
                "the NVIDIA driver cannot " + std::string(tried) + ": " +
                    describe(error));
}

Driver::Driver() {
  const char *file = "libcuda.so.1";
  const char *instead = "--backend ptx-sim runs the same PTX without a GPU";
  void *library = ::dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char *reason = ::dlerror();
    std::string found = reason ? reason : file;
    failUnsupported(found.find("No such file") != std::string::npos
                        ? "no NVIDIA driver: libcuda.so.1 was not found"
                        : "the NVIDIA driver cannot be opened: " + found,
                    instead);
  }
  auto find = [&](const char *name) { return ::dlsym(library, name); };
  auto getVersion = reinterpret_cast<decltype(cuDriverGetVersion)>(
      find("cuDriverGetVersion"));
  if (!getVersion || getVersion(&version))
    failUnsupported("libcuda.so.1 is not an NVIDIA driver", instead);
  std::string missing;
#define GENSYN_CUDA_FIND(name, parameters)                                     \
  name = reinterpret_cast<decltype(name)>(find(#name));                        \
  if (!name)                                                                   \
    missing = #name;
  GENSYN_CUDA_FUNCTIONS(GENSYN_CUDA_FIND)
#undef GENSYN_CUDA_FIND
  if (version < oldestDriver || !missing.empty())
    failUnsupported(
        "the NVIDIA driver is too old: it is for CUDA " + versionText(version) +
            (version < oldestDriver
                 ? ", and CUDA " + versionText(oldestDriver) + " is needed"
                 : ", and has no " + missing),
        "update the driver");
  Result error = cuInit(0);
  if (error)
    failUnsupported(error == ErrorNoDevice
                        ? "the NVIDIA driver finds no GPU"
                        : "the NVIDIA driver does not start: " +
                              describe(error),
                    instead);
}

const Driver &Driver::get() {
  // A failed attempt is repeated at the next call: a constructor that throws
  // does not initialize the static.
  static const Driver driver;
  return driver;
}

} // namespace gensyn::cuda
