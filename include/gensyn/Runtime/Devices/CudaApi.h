// The subset of NVIDIA's driver API that is used: types, constants and
// signatures, so that building needs no CUDA toolkit. A test compares them with
// cuda.h.
#ifndef GENSYN_RUNTIME_DEVICES_CUDAAPI_H
#define GENSYN_RUNTIME_DEVICES_CUDAAPI_H

#include <cstddef>

namespace gensyn::cuda {

/// CUresult; 0 is success.
using Result = int;
/// CUdevice: the number of a device.
using Device = int;
/// CUdeviceptr: an address in a device's memory.
using Address = unsigned long long;

using Context = struct ContextHandle *;
using Module = struct ModuleHandle *;
using Function = struct FunctionHandle *;
using Stream = struct StreamHandle *;
using Event = struct EventHandle *;
using Graph = struct GraphHandle *;
using GraphNode = struct GraphNodeHandle *;
using GraphExec = struct GraphExecHandle *;

/// Values of CUresult.
enum : Result {
  Success = 0,
  ErrorInvalidValue = 1,
  ErrorOutOfMemory = 2,
  ErrorNotInitialized = 3,
  ErrorDeviceUnavailable = 46,
  ErrorNoDevice = 100,
  ErrorInvalidDevice = 101,
  ErrorInvalidContext = 201,
  ErrorNoBinaryForGpu = 209,
  ErrorInvalidPtx = 218,
  ErrorUnsupportedPtxVersion = 222,
  ErrorInvalidHandle = 400,
  ErrorIllegalState = 401,
  ErrorNotFound = 500,
  ErrorNotReady = 600,
  ErrorIllegalAddress = 700,
  ErrorLaunchOutOfResources = 701,
  ErrorIllegalInstruction = 715,
  ErrorMisalignedAddress = 716,
  ErrorLaunchFailed = 719,
  ErrorCaptureUnsupported = 900,
  ErrorUnknown = 999,
};

/// Values of CUdevice_attribute.
enum : int {
  AttributeMultiprocessors = 16,
  AttributeClockKilohertz = 13,
  AttributeMemoryClockKilohertz = 36,
  AttributeMemoryBusBits = 37,
  AttributeResidentThreads = 39,
  AttributeL2Bytes = 38,
  AttributeMajor = 75,
  AttributeMinor = 76,
  /// Maximum per block if a kernel opts in.
  AttributeSharedBytes = 97,
};

/// Values of CUpointer_attribute.
enum : int {
  /// A CUmemorytype.
  PointerMemoryType = 2,
  /// An int, the device's number.
  PointerDevice = 9,
};

/// A value of CUmemorytype.
enum : unsigned { MemoryOfDevice = 2 };

/// Values of CUfunction_attribute.
enum : int {
  FunctionThreads = 0,
  FunctionSharedBytes = 1,
  FunctionLocalBytes = 3,
  FunctionRegisters = 4,
  FunctionDynamicSharedBytes = 8,
};

/// Values of CUjit_option.
enum : int {
  JitErrorLog = 5,
  JitErrorLogBytes = 6,
  /// Threads of the compiler, 0 for one per processor. From CUDA 13.0 on.
  JitSplitCompile = 34,
};

enum : unsigned {
  /// CU_STREAM_NON_BLOCKING: not ordered with the default stream.
  StreamNonBlocking = 1,
  /// CU_EVENT_DEFAULT.
  EventWithTiming = 0,
  /// CU_EVENT_DISABLE_TIMING.
  EventWithoutTiming = 2,
  /// CU_EVENT_RECORD_EXTERNAL: a capture makes it a node of the graph.
  EventRecordExternal = 1,
  /// CU_STREAM_CAPTURE_MODE_THREAD_LOCAL.
  CaptureThreadLocal = 1,
  /// CU_STREAM_SET_CAPTURE_DEPENDENCIES: in place of those that there are.
  CaptureSetDependencies = 1,
};

/// A CUstreamCaptureStatus: CU_STREAM_CAPTURE_STATUS_ACTIVE is 1.
using CaptureStatus = int;

/// Terminator of the list `extra` of cuLaunchKernel, and its keys.
inline void *const kLaunchEnd = nullptr;
inline void *const kLaunchBuffer = reinterpret_cast<void *>(1);
inline void *const kLaunchBufferBytes = reinterpret_cast<void *>(2);

} // namespace gensyn::cuda

/// F(symbol, parameters) for each function; all return a Result.
#define GENSYN_CUDA_FUNCTIONS(F)                                               \
  F(cuInit, (unsigned flags))                                                  \
  F(cuDriverGetVersion, (int *version))                                        \
  F(cuGetErrorName, (Result error, const char **text))                         \
  F(cuGetErrorString, (Result error, const char **text))                       \
  F(cuDeviceGetCount, (int *count))                                            \
  F(cuDeviceGet, (Device * device, int number))                                \
  F(cuDeviceGetName, (char *name, int bytes, Device device))                   \
  F(cuDeviceGetAttribute, (int *value, int attribute, Device device))          \
  F(cuDevicePrimaryCtxRetain, (Context * context, Device device))              \
  F(cuDevicePrimaryCtxRelease_v2, (Device device))                             \
  F(cuCtxPushCurrent_v2, (Context context))                                    \
  F(cuCtxPopCurrent_v2, (Context * context))                                   \
  F(cuCtxSynchronize, ())                                                      \
  F(cuMemGetInfo_v2, (size_t *free, size_t *total))                            \
  F(cuPointerGetAttribute, (void *value, int attribute, Address address))      \
  F(cuMemAlloc_v2, (Address * address, size_t bytes))                          \
  F(cuMemFree_v2, (Address address))                                           \
  F(cuMemHostAlloc, (void **memory, size_t bytes, unsigned flags))             \
  F(cuMemFreeHost, (void *memory))                                             \
  F(cuMemcpyDtoH_v2, (void *to, Address from, size_t bytes))                   \
  F(cuMemcpyHtoDAsync_v2,                                                      \
    (Address to, const void *from, size_t bytes, Stream stream))               \
  F(cuMemcpyDtoHAsync_v2,                                                      \
    (void *to, Address from, size_t bytes, Stream stream))                     \
  F(cuMemcpyDtoDAsync_v2,                                                      \
    (Address to, Address from, size_t bytes, Stream stream))                   \
  F(cuMemsetD8Async,                                                           \
    (Address to, unsigned char value, size_t count, Stream stream))            \
  F(cuMemsetD32Async,                                                          \
    (Address to, unsigned value, size_t count, Stream stream))                 \
  F(cuModuleLoadDataEx, (Module * module, const void *image, unsigned options, \
                         int *option, void **values))                          \
  F(cuModuleUnload, (Module module))                                           \
  F(cuModuleGetFunction,                                                       \
    (Function * function, Module module, const char *name))                    \
  F(cuFuncGetAttribute, (int *value, int attribute, Function function))        \
  F(cuFuncSetAttribute, (Function function, int attribute, int value))         \
  F(cuLaunchKernel,                                                            \
    (Function function, unsigned gridX, unsigned gridY, unsigned gridZ,        \
     unsigned blockX, unsigned blockY, unsigned blockZ, unsigned sharedBytes,  \
     Stream stream, void **parameters, void **extra))                          \
  F(cuStreamCreate, (Stream * stream, unsigned flags))                         \
  F(cuStreamDestroy_v2, (Stream stream))                                       \
  F(cuStreamSynchronize, (Stream stream))                                      \
  F(cuStreamWaitEvent, (Stream stream, Event event, unsigned flags))           \
  F(cuStreamBeginCapture_v2, (Stream stream, unsigned mode))                   \
  F(cuStreamEndCapture, (Stream stream, Graph * graph))                        \
  F(cuStreamGetCaptureInfo_v2,                                                 \
    (Stream stream, CaptureStatus * status, unsigned long long *number,        \
     Graph *graph, const GraphNode **dependencies, size_t *count))             \
  F(cuStreamUpdateCaptureDependencies,                                         \
    (Stream stream, GraphNode * dependencies, size_t count, unsigned flags))   \
  F(cuEventCreate, (Event * event, unsigned flags))                            \
  F(cuEventDestroy_v2, (Event event))                                          \
  F(cuEventRecord, (Event event, Stream stream))                               \
  F(cuEventRecordWithFlags, (Event event, Stream stream, unsigned flags))      \
  F(cuEventSynchronize, (Event event))                                         \
  F(cuEventElapsedTime, (float *milliseconds, Event from, Event to))           \
  F(cuGraphAddEmptyNode, (GraphNode * node, Graph graph,                       \
                          const GraphNode *dependencies, size_t count))        \
  F(cuGraphInstantiateWithFlags,                                               \
    (GraphExec * executable, Graph graph, unsigned long long flags))           \
  F(cuGraphLaunch, (GraphExec executable, Stream stream))                      \
  F(cuGraphExecDestroy, (GraphExec executable))                                \
  F(cuGraphDestroy, (Graph graph))

#endif
