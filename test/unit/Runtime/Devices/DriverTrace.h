// The simulating driver (test/lib/FakeDriver) as its tests see it: its trace,
// and functions that the runtime does not call.

#ifndef GENSYN_TEST_UNIT_RUNTIME_DEVICES_DRIVERTRACE_H
#define GENSYN_TEST_UNIT_RUNTIME_DEVICES_DRIVERTRACE_H

#include "gensyn/Runtime/Devices/CudaApi.h"

#include <filesystem>
#include <fstream>
#include <string>

#include <dlfcn.h>

namespace gensyn::test {

/// Lines of a trace that begin with a function's name.
inline int countCalls(const std::filesystem::path &trace,
                      const std::string &call) {
  std::ifstream file(trace);
  int count = 0;
  for (std::string line; std::getline(file, line);)
    count += line.starts_with(call);
  return count;
}

/// Graphs of a trace that were launched before anybody waited for the results
/// of the one before.
inline int countAhead(const std::filesystem::path &trace) {
  std::ifstream file(trace);
  int count = 0, running = 0;
  std::string before;
  for (std::string line; std::getline(file, line); before = line) {
    if (line.starts_with("cuGraphLaunch"))
      count += running++ > 0;
    // Who waits for a slot of inputs goes on with a copy.
    if (line.starts_with("cuCtxPopCurrent") &&
        before.starts_with("cuEventSynchronize"))
      --running;
  }
  return count;
}

/// A function of the driver, such as of type Result(cuda::Context *). The
/// driver must be open.
template <class Function> Function *findDriverFunction(const char *name) {
  void *library = ::dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
  return library ? reinterpret_cast<Function *>(::dlsym(library, name))
                 : nullptr;
}

/// The context of the calling thread.
inline cuda::Context currentContext() {
  static auto *get =
      findDriverFunction<cuda::Result(cuda::Context *)>("cuCtxGetCurrent");
  cuda::Context context = nullptr;
  get(&context);
  return context;
}

} // namespace gensyn::test

#endif
