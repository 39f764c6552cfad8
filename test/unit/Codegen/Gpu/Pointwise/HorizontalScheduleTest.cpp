// Components of one kernel: found by their blocks, one body or several.

#include "../RunOnSimulator.h"
#include "ProgramText.h"

#include <gtest/gtest.h>

using namespace gensyn;
using namespace gensyn::gpu::testing;
using gensyn::cpu::testing::countOf;

namespace {

std::string typeOf(const std::string &shape) {
  return "tensor<" + shape + "f32>";
}

/// A kernel that updates parameters of the shapes ("3x4x") by gradients and a
/// step that all share; `second` is the op of every other component.
std::string makeUpdates(const std::vector<std::string> &shapes,
                        const std::string &second) {
  std::string arguments, inputs, types, body, yielded, results;
  auto join = [](std::string &list, const std::string &item) {
    list += (list.empty() ? "" : ", ") + item;
  };
  join(arguments, "%step: tensor<f32>");
  join(inputs, "%s = %step : tensor<f32>");
  for (size_t i = 0; i < shapes.size(); ++i) {
    const std::string n = std::to_string(i), type = typeOf(shapes[i]);
    join(arguments, "%p" + n + ": " + type + ", %g" + n + ": " + type);
    join(inputs, "%a" + n + " = %p" + n + " : " + type + ", %b" + n + " = %g" +
                     n + " : " + type);
    join(types, type);
    body += "%w" + n + " = repro.broadcast %s dims [] : tensor<f32> to " +
            type + "\n%m" + n + " = repro.mul %w" + n + ", %b" + n + " : " +
            type + "\n%r" + n + " = repro." + (i % 2 ? second : "sub") + " %a" +
            n + ", %m" + n + " : " + type + "\n";
    join(yielded, "%r" + n);
    join(results, "%k#" + n);
  }
  return "func.func @f(" + arguments + ") -> (" + types +
         ") {\n%k:" + std::to_string(shapes.size()) +
         " = repro.kernel \"update\" (" + inputs + ") -> (" + types + ") {\n" +
         body + "repro.yield " + yielded + " : " + types + "\n}\nreturn " +
         results + " : " + types + "\n}";
}

std::string expectHorizontal(const std::string &text) {
  Program program(text);
  gpu::testing::Compiled compiled(program, 80);
  EXPECT_EQ(compiled.takenBy, std::vector<std::string>{"horizontal"});
  expectBits(program, compiled, program.makeInputs(5));
  return compiled.ptx;
}

// The body is there once, for vectors and for the rest, however many
// components there are.
TEST(GpuHorizontal, OneBody) {
  std::string ptx = expectHorizontal(
      makeUpdates({"3x4x", "1000x", "7x11x", "513x", "2x2x2x2x", "5x"}, "sub"));
  EXPECT_EQ(countOf(ptx, "sub.rn.f32"), 5u);
  EXPECT_EQ(countOf(ptx, "st.global.v4.b32"), 1u);
}

TEST(GpuHorizontal, Many) {
  std::vector<std::string> shapes;
  for (int i = 0; i < 45; ++i)
    shapes.push_back(std::to_string(2 + 13 * i) + "x");
  std::string ptx = expectHorizontal(makeUpdates(shapes, "sub"));
  EXPECT_EQ(countOf(ptx, "sub.rn.f32"), 5u);
}

TEST(GpuHorizontal, OneLarge) {
  std::string ptx =
      expectHorizontal(makeUpdates({"300x", "1024x1025x", "4096x"}, "sub"));
  EXPECT_EQ(countOf(ptx, "st.global.v4.b32"), 4u);
}

TEST(GpuHorizontal, BodiesThatDiffer) {
  std::string ptx =
      expectHorizontal(makeUpdates({"130x", "1000x", "12x"}, "add"));
  EXPECT_EQ(countOf(ptx, "st.global.v4.b32"), 3u);
}

} // namespace
