// Compares NvtxApi.h with the toolkit's headers.

#include "gensyn/Runtime/Devices/NvtxApi.h"

#include <gtest/gtest.h>
#include <iterator>
#include <nvtx3/nvToolsExt.h>
#include <type_traits>

using namespace gensyn;

TEST(NvtxApi, isThatOfTheToolkit) {
  EXPECT_EQ(NVTX_VERSION, 3);
  EXPECT_EQ(size_t(NVTX_CB_MODULE_SIZE), std::size(nvtx::kModuleSizes));
  EXPECT_EQ(nvtx::ModuleCore, int(NVTX_CB_MODULE_CORE));
  EXPECT_EQ(nvtx::RangePush, unsigned(NVTX_CBID_CORE_RangePushA));
  EXPECT_EQ(nvtx::RangePop, unsigned(NVTX_CBID_CORE_RangePop));
  EXPECT_EQ(nvtx::ExportCallbacks, uint32_t(NVTX_ETID_CALLBACKS));
  EXPECT_EQ(nvtx::ExportVersion, uint32_t(NVTX_ETID_VERSIONINFO));
  for (const auto &[module, size] :
       {std::pair<int, int>(NVTX_CB_MODULE_CORE, NVTX_CBID_CORE_SIZE),
        {NVTX_CB_MODULE_CUDA, NVTX_CBID_CUDA_SIZE},
        {NVTX_CB_MODULE_OPENCL, NVTX_CBID_OPENCL_SIZE},
        {NVTX_CB_MODULE_CUDART, NVTX_CBID_CUDART_SIZE},
        {NVTX_CB_MODULE_CORE2, NVTX_CBID_CORE2_SIZE},
        {NVTX_CB_MODULE_SYNC, NVTX_CBID_SYNC_SIZE}})
    EXPECT_EQ(nvtx::kModuleSizes[module], unsigned(size));
  EXPECT_EQ(sizeof(nvtx::CallbackTable), sizeof(NvtxExportTableCallbacks));
  EXPECT_EQ(sizeof(nvtx::VersionTable), sizeof(NvtxExportTableVersionInfo));
  EXPECT_EQ(offsetof(nvtx::VersionTable, setProfilerVersion),
            offsetof(NvtxExportTableVersionInfo, SetInjectionNvtxVersion));
  const bool isPush =
      std::is_same_v<nvtx::RangePushFunction, nvtxRangePushA_impl_fntype>;
  const bool isPop =
      std::is_same_v<nvtx::RangePopFunction, nvtxRangePop_impl_fntype>;
  EXPECT_TRUE(isPush && isPop);
}
