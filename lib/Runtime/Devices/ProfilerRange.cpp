// Opens the profiler's library and gives it slots for all functions of NVTX, of
// which two are called. Whatever is wrong with it, programs run as without it.

#include "ProfilerRange.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>

#include <dlfcn.h>

namespace gensyn::nvtx {
namespace {

constexpr unsigned kModules = std::size(kModuleSizes);
constexpr unsigned kMostFunctions = *std::ranges::max_element(kModuleSizes);

AnyFunction functions[kModules][kMostFunctions];
/// The profiler keeps the table's address.
AnyFunction *slots[kModules][kMostFunctions + 1];

int getFunctions(int module, FunctionTable *table, unsigned *size) {
  if (module < 1 || module >= static_cast<int>(kModules))
    return 0;
  for (unsigned i = 1; i < kModuleSizes[module]; ++i)
    slots[module][i] = &functions[module][i];
  if (table)
    *table = slots[module];
  if (size)
    *size = kModuleSizes[module];
  return 1;
}

const void *getExportTable(uint32_t id) {
  static constexpr CallbackTable callbacks = {sizeof(CallbackTable),
                                              getFunctions};
  static constexpr VersionTable version = {sizeof(VersionTable), 3, 0,
                                           [](uint32_t) {}};
  return id == ExportCallbacks ? static_cast<const void *>(&callbacks)
         : id == ExportVersion ? &version
                               : nullptr;
}

Profiler open() {
  const char *path = std::getenv(kLibraryVariable);
  void *library =
      path && *path ? ::dlopen(path, RTLD_LAZY | RTLD_LOCAL) : nullptr;
  if (!library)
    return {};
  auto initialize = reinterpret_cast<Initialize>(::dlsym(library, kInitialize));
  if (!initialize || initialize(getExportTable) == 0) {
    ::dlclose(library);
    return {};
  }
  AnyFunction push = functions[ModuleCore][RangePush],
              pop = functions[ModuleCore][RangePop];
  if (!push || !pop)
    return {};
  return {reinterpret_cast<RangePushFunction>(push),
          reinterpret_cast<RangePopFunction>(pop)};
}

} // namespace

const Profiler &Profiler::get() {
  static const Profiler profiler = open();
  return profiler;
}

} // namespace gensyn::nvtx
