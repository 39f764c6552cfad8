// Launches of a plan on the simulator: the memory that a kernel sees.

#include "gensyn/Runtime/Devices/PtxLaunch.h"
#include "../../Executable/TestFiles.h"
#include "gensyn/Executable/plan.pb.h"

#include <gtest/gtest.h>

using namespace gensyn;
using namespace gensyn::runtime;
using namespace gensyn::test;

namespace {

// Writes 7 to its second buffer.
constexpr const char *kStore = R"(.version 7.0
.target sm_80
.address_size 64
.visible .entry store(.param .u64 a, .param .u64 b)
{
  .reg .b64 %rd<2>;
  .reg .b32 %r<2>;
  ld.param.u64 %rd1, [b];
  mov.u32 %r1, 7;
  st.global.u32 [%rd1], %r1;
  ret;
}
)";

Place placeOf(uint32_t *words, uint64_t bytes, bool writable) {
  Place place{};
  place.begin = reinterpret_cast<uint8_t *>(words);
  place.bytes = bytes;
  place.writable = writable;
  return place;
}

plan::Launch storeOf(uint32_t a, uint32_t b) {
  plan::Launch launch;
  launch.set_kernel("store");
  launch.add_buffers(a);
  launch.add_buffers(b);
  return launch;
}

TEST(PtxLaunch, AnOperandThatIsAlsoAResultIsWritten) {
  alignas(64) uint32_t words[16] = {};
  const std::vector<Place> places = {placeOf(words, 64, false),
                                     placeOf(words, 64, true)};
  auto module = ptx::Module::parse(kStore);
  ASSERT_TRUE(module);
  const plan::Launch writeSecond = storeOf(0, 1);
  PtxLaunch both(writeSecond, places);
  EXPECT_FALSE(module->launch(both.launch, both.memory));
  EXPECT_EQ(words[0], 7u);
  const plan::Launch writeFirst = storeOf(0, 0);
  PtxLaunch readOnly(writeFirst, places);
  EXPECT_TRUE(module->launch(readOnly.launch, readOnly.memory));
}

TEST(PtxLaunch, BuffersThatOverlapAreABug) {
  alignas(64) uint32_t words[32] = {};
  const std::vector<Place> places = {placeOf(words, 128, false),
                                     placeOf(words + 16, 64, true)};
  const plan::Launch source = storeOf(0, 1);
  EXPECT_NE(failureOf([&] {
              PtxLaunch launch(source, places);
            }).find("has buffers that overlap"),
            std::string::npos);
}

} // namespace
