// Compares CudaApi.h with the toolkit's header of the driver API.

#include "gensyn/Runtime/Devices/CudaApi.h"
#include "../SameSignature.h"

#include <cuda.h>
#include <gtest/gtest.h>

using namespace gensyn;
using gensyn::test::Matches;

namespace gensyn::cuda {
#define CHECK_FUNCTION(name, parameters)                                       \
  static_assert(Matches<Result parameters, decltype(::name)>::value, #name);
GENSYN_CUDA_FUNCTIONS(CHECK_FUNCTION)

static_assert(sizeof(Result) == sizeof(CUresult));
static_assert(sizeof(Address) == sizeof(CUdeviceptr));
static_assert(!Matches<Result(int), CUresult(int, int)>::value &&
              !Matches<Result(int *), CUresult(int)>::value &&
              !Matches<Result(void *), CUresult(const void *)>::value);
} // namespace gensyn::cuda

TEST(CudaApi, numbersAreThoseOfTheToolkit) {
#if CUDA_VERSION >= 13000
  EXPECT_EQ(cuda::JitSplitCompile, int(CU_JIT_SPLIT_COMPILE));
#endif
  EXPECT_EQ(cuda::Success, int(CUDA_SUCCESS));
  EXPECT_EQ(cuda::ErrorInvalidValue, int(CUDA_ERROR_INVALID_VALUE));
  EXPECT_EQ(cuda::ErrorOutOfMemory, int(CUDA_ERROR_OUT_OF_MEMORY));
  EXPECT_EQ(cuda::ErrorNotInitialized, int(CUDA_ERROR_NOT_INITIALIZED));
  EXPECT_EQ(cuda::ErrorDeviceUnavailable, int(CUDA_ERROR_DEVICE_UNAVAILABLE));
  EXPECT_EQ(cuda::ErrorNoDevice, int(CUDA_ERROR_NO_DEVICE));
  EXPECT_EQ(cuda::ErrorInvalidDevice, int(CUDA_ERROR_INVALID_DEVICE));
  EXPECT_EQ(cuda::ErrorInvalidContext, int(CUDA_ERROR_INVALID_CONTEXT));
  EXPECT_EQ(cuda::ErrorNoBinaryForGpu, int(CUDA_ERROR_NO_BINARY_FOR_GPU));
  EXPECT_EQ(cuda::ErrorInvalidPtx, int(CUDA_ERROR_INVALID_PTX));
  EXPECT_EQ(cuda::ErrorUnsupportedPtxVersion,
            int(CUDA_ERROR_UNSUPPORTED_PTX_VERSION));
  EXPECT_EQ(cuda::ErrorInvalidHandle, int(CUDA_ERROR_INVALID_HANDLE));
  EXPECT_EQ(cuda::ErrorIllegalState, int(CUDA_ERROR_ILLEGAL_STATE));
  EXPECT_EQ(cuda::ErrorNotFound, int(CUDA_ERROR_NOT_FOUND));
  EXPECT_EQ(cuda::ErrorNotReady, int(CUDA_ERROR_NOT_READY));
  EXPECT_EQ(cuda::ErrorIllegalAddress, int(CUDA_ERROR_ILLEGAL_ADDRESS));
  EXPECT_EQ(cuda::ErrorLaunchOutOfResources,
            int(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES));
  EXPECT_EQ(cuda::ErrorIllegalInstruction, int(CUDA_ERROR_ILLEGAL_INSTRUCTION));
  EXPECT_EQ(cuda::ErrorMisalignedAddress, int(CUDA_ERROR_MISALIGNED_ADDRESS));
  EXPECT_EQ(cuda::ErrorLaunchFailed, int(CUDA_ERROR_LAUNCH_FAILED));
  EXPECT_EQ(cuda::ErrorCaptureUnsupported,
            int(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED));
  EXPECT_EQ(cuda::ErrorUnknown, int(CUDA_ERROR_UNKNOWN));

  EXPECT_EQ(cuda::AttributeMultiprocessors,
            int(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT));
  EXPECT_EQ(cuda::AttributeClockKilohertz, int(CU_DEVICE_ATTRIBUTE_CLOCK_RATE));
  EXPECT_EQ(cuda::AttributeMemoryClockKilohertz,
            int(CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE));
  EXPECT_EQ(cuda::AttributeMemoryBusBits,
            int(CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH));
  EXPECT_EQ(cuda::AttributeResidentThreads,
            int(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR));
  EXPECT_EQ(cuda::AttributeL2Bytes, int(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE));
  EXPECT_EQ(cuda::AttributeMajor,
            int(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR));
  EXPECT_EQ(cuda::AttributeMinor,
            int(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR));
  EXPECT_EQ(cuda::AttributeSharedBytes,
            int(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN));

  EXPECT_EQ(cuda::PointerMemoryType, int(CU_POINTER_ATTRIBUTE_MEMORY_TYPE));
  EXPECT_EQ(cuda::PointerDevice, int(CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL));
  EXPECT_EQ(cuda::MemoryOfDevice, unsigned(CU_MEMORYTYPE_DEVICE));

  EXPECT_EQ(cuda::FunctionThreads,
            int(CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK));
  EXPECT_EQ(cuda::FunctionSharedBytes,
            int(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES));
  EXPECT_EQ(cuda::FunctionLocalBytes, int(CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES));
  EXPECT_EQ(cuda::FunctionRegisters, int(CU_FUNC_ATTRIBUTE_NUM_REGS));
  EXPECT_EQ(cuda::FunctionDynamicSharedBytes,
            int(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES));

  EXPECT_EQ(cuda::JitErrorLog, int(CU_JIT_ERROR_LOG_BUFFER));
  EXPECT_EQ(cuda::JitErrorLogBytes, int(CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES));
  EXPECT_EQ(cuda::StreamNonBlocking, unsigned(CU_STREAM_NON_BLOCKING));
  EXPECT_EQ(cuda::EventWithTiming, unsigned(CU_EVENT_DEFAULT));
  EXPECT_EQ(cuda::EventRecordExternal, unsigned(CU_EVENT_RECORD_EXTERNAL));
  EXPECT_EQ(cuda::EventWithoutTiming, unsigned(CU_EVENT_DISABLE_TIMING));
  EXPECT_EQ(cuda::CaptureThreadLocal,
            unsigned(CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
  EXPECT_EQ(cuda::CaptureSetDependencies,
            unsigned(CU_STREAM_SET_CAPTURE_DEPENDENCIES));
  static_assert(sizeof(cuda::CaptureStatus) == sizeof(CUstreamCaptureStatus));
  EXPECT_EQ(cuda::kLaunchEnd, CU_LAUNCH_PARAM_END);
  EXPECT_EQ(cuda::kLaunchBuffer, CU_LAUNCH_PARAM_BUFFER_POINTER);
  EXPECT_EQ(cuda::kLaunchBufferBytes, CU_LAUNCH_PARAM_BUFFER_SIZE);
}
