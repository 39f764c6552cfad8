// A profiler's library for tests: writes ranges, with their depth, to the file
// that FAKE_PROFILER_LOG names. With FAKE_PROFILER_REFUSES it cannot be used.

#include "gensyn/Runtime/Devices/NvtxApi.h"

#include <cstdio>
#include <cstdlib>

using namespace gensyn::nvtx;

namespace {

int depth = 0;

void write(const char *what, const char *name) {
  const char *path = std::getenv("FAKE_PROFILER_LOG");
  std::FILE *file = path ? std::fopen(path, "a") : nullptr;
  if (!file)
    return;
  std::fprintf(file, "%*s%s%s\n", 2 * depth, "", what, name);
  std::fclose(file);
}

int push(const char *name) {
  write("begin ", name);
  return depth++;
}

int pop() {
  --depth;
  write("end", "");
  return depth;
}

} // namespace

extern "C" __attribute__((visibility("default"))) int
InitializeInjectionNvtx2(GetExportTable get) {
  const auto *version = static_cast<const VersionTable *>(get(ExportVersion));
  const auto *callbacks =
      static_cast<const CallbackTable *>(get(ExportCallbacks));
  if (!version || version->version != 3 || !callbacks || get(2))
    return 0;
  version->setProfilerVersion(3);
  // As profilers do, it takes every function of every module.
  for (int module = 1; module <= 6; ++module) {
    FunctionTable table = nullptr;
    unsigned size = 0;
    if (!callbacks->getFunctions(module, &table, &size) || table[0] ||
        table[size])
      return 0;
    for (unsigned i = 1; i < size; ++i)
      *table[i] = [] {};
    if (module != ModuleCore)
      continue;
    *table[RangePush] = reinterpret_cast<AnyFunction>(push);
    *table[RangePop] = reinterpret_cast<AnyFunction>(pop);
  }
  return !std::getenv("FAKE_PROFILER_REFUSES") &&
         callbacks->getFunctions(7, nullptr, nullptr) == 0;
}
