// The subset of NVIDIA's NVTX that is used: how a profiler's library gets to
// know of named ranges. NVTX is only headers, which are not needed; a test
// compares these declarations with them.
#ifndef GENSYN_RUNTIME_DEVICES_NVTXAPI_H
#define GENSYN_RUNTIME_DEVICES_NVTXAPI_H

#include <cstddef>
#include <cstdint>

namespace gensyn::nvtx {

/// The environment variable that names the profiler's library, and the function
/// that it exports.
inline constexpr const char *kLibraryVariable = "NVTX_INJECTION64_PATH";
inline constexpr const char *kInitialize = "InitializeInjectionNvtx2";

using AnyFunction = void (*)();
/// The slots of a module's functions, by their numbers, and a null at the end.
using FunctionTable = AnyFunction **;

/// Modules are numbered from 1 on; those are their sizes, the unused number 0
/// of functions included: core, CUDA, OpenCL, CUDA runtime, core 2, sync.
inline constexpr unsigned kModuleSizes[] = {0, 16, 9, 15, 7, 16, 7};
enum : int { ModuleCore = 1 };
/// Functions of the core module.
enum : unsigned { RangePush = 9, RangePop = 11 };
using RangePushFunction = int (*)(const char *name);
using RangePopFunction = int (*)();

enum : uint32_t { ExportCallbacks = 1, ExportVersion = 3 };

struct CallbackTable {
  size_t bytes;
  /// Returns 0 if there is no such module.
  int (*getFunctions)(int module, FunctionTable *table, unsigned *size);
};

struct VersionTable {
  size_t bytes;
  uint32_t version;
  uint32_t reserved;
  void (*setProfilerVersion)(uint32_t version);
};

/// Returns a CallbackTable or a VersionTable, or null.
using GetExportTable = const void *(*)(uint32_t id);
/// What the profiler's library exports. Sets functions of the tables, and
/// returns 0 if it cannot be used.
using Initialize = int (*)(GetExportTable get);

} // namespace gensyn::nvtx

#endif
