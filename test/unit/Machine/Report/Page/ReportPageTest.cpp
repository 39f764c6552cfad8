// Pages about mappings by hand: names from files cannot leave their place, and
// pictures stay small.

#include "../../Simulator/MappingBuilder.h"

#include "FloorPlan.h"
#include "Html.h"
#include "gensyn/Executable/Support/Hash.h"
#include "gensyn/Machine/ReportPage.h"

#include <gtest/gtest.h>

using namespace gensyn;
using namespace gensyn::test;
using namespace gensyn::machine;

namespace {

Mapped makeMapped(uint32_t cores) {
  Mapped mapped(cores, {4096, 4096});
  for (uint32_t core = 0; core < cores; ++core) {
    mapped.load(core, buffer(0), 0, 64);
    mapped.compute(core, mapped.body(100, {64, 64}, 1), {local(0), local(64)})
        .after(0);
    mapped.store(core, 64, buffer(1, 64 * (core % 64)), 64).after(1);
  }
  return mapped;
}

TEST(ReportPage, NamesFromFilesAreEscaped) {
  Mapped mapped = makeMapped(2);
  mapped.plan.mutable_launches(0)->set_kernel("</script><b onload='x'>\x01");
  mapped.machine.name = "<i>\"&\xff";
  const MappedProgram program(mapped.plan, mapped.mapping, mapped.machine);
  PageContent content;
  content.model = "a<b>.onnx";
  const std::string page = makePage(program, content);
  EXPECT_EQ(page.find("<b onload"), std::string::npos);
  EXPECT_EQ(page.find("<b>.onnx"), std::string::npos);
  EXPECT_EQ(page.find("<i>\""), std::string::npos);
  EXPECT_EQ(page.find('\x01'), std::string::npos);
  EXPECT_NE(page.find("a&lt;b&gt;.onnx on &lt;i&gt;&quot;&amp;"),
            std::string::npos);
  EXPECT_NE(page.find("\\u003c/script>"), std::string::npos);
}

TEST(ReportPage, SaysTheSameEachTime) {
  const Mapped mapped = makeMapped(3);
  const MappedProgram program(mapped.plan, mapped.mapping, mapped.machine);
  EXPECT_EQ(makePage(program, {}), makePage(program, {}));
  const OrderedJson json = makePageJson(program, {});
  EXPECT_EQ(json["simulation"]["picoseconds"], simulateRun(program).time);
}

TEST(FloorPlan, ManyCoresAreDrawnTogether) {
  Description machine = makeStar(10'000);
  const page::FloorPlan plan(machine);
  EXPECT_EQ(plan.level, page::FloorPlan::Level::Chip);
  EXPECT_EQ(plan.cells.size(), 1u);
  const Description chip = findMachine("spinnaker2-chip");
  const page::FloorPlan cores(chip);
  EXPECT_EQ(cores.level, page::FloorPlan::Level::Core);
  EXPECT_EQ(cores.cells.size(), 152u);
  EXPECT_TRUE(cores.cells[0].isDead);
  // No two overlap.
  for (size_t i = 0; i < cores.cells.size(); ++i)
    for (size_t j = 0; j < i; ++j) {
      const page::Cell &a = cores.cells[i], &b = cores.cells[j];
      EXPECT_FALSE(a.x < b.x + b.width && b.x < a.x + a.width &&
                   a.y < b.y + b.height && b.y < a.y + a.height)
          << i << " and " << j;
    }
  const page::FloorPlan rack(findMachine("spinnaker2-rack"));
  EXPECT_LE(rack.cells.size(), 9000u);
}

TEST(Html, Numbers) {
  EXPECT_EQ(page::coordinate(1.25), "1.3");
  EXPECT_EQ(page::coordinate(-0.04), "0");
  EXPECT_EQ(page::coordinate(-2.5), "-2.5");
  EXPECT_EQ(page::ticks(10, 5), (std::vector<int64_t>{0, 2, 4, 6, 8, 10}));
  EXPECT_EQ(page::ticks(0, 5), (std::vector<int64_t>{0}));
  EXPECT_LE(page::ticks(INT64_MAX / 4, 8).size(), 9u);
  EXPECT_EQ(page::escape("<a href='x'>&\""),
            "&lt;a href=&#39;x&#39;&gt;&amp;&quot;");
}

} // namespace
