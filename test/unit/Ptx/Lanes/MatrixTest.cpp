// Products of integer matrices, against sums of the manual's definition. The
// layouts of the fragments are written as the manual gives them.

#include "../Support.h"

#include <functional>

using namespace gensyn::ptx;
using namespace gensyn::ptx::test;

namespace {

struct Shape {
  std::string name;
  unsigned rows, depth;
  // Numbers of 32-bit registers.
  unsigned a() const { return rows * depth / 128; }
  unsigned b() const { return depth / 16; }
  unsigned c() const { return rows / 4; }
  unsigned words() const { return a() + b() + c(); }
};

const Shape shapes[] = {
    {"m8n8k16", 8, 16}, {"m16n8k16", 16, 16}, {"m16n8k32", 16, 32}};

struct Place {
  unsigned row, column;
};

Place placeOfA(const Shape &shape, unsigned lane, unsigned i) {
  unsigned group = lane >> 2, thread = lane % 4;
  if (shape.name == "m8n8k16")
    return {group, thread * 4 + i};
  if (shape.name == "m16n8k16")
    return {i < 4 ? group : group + 8, thread * 4 + (i & 3)};
  return {i < 4 || (8 <= i && i < 12) ? group : group + 8,
          i < 8 ? thread * 4 + (i & 3) : thread * 4 + (i & 3) + 16};
}

Place placeOfB(const Shape &shape, unsigned lane, unsigned i) {
  unsigned group = lane >> 2, thread = lane % 4;
  if (shape.name != "m16n8k32")
    return {thread * 4 + i, group};
  return {i < 4 ? thread * 4 + (i & 3) : thread * 4 + (i & 3) + 16, group};
}

Place placeOfC(const Shape &shape, unsigned lane, unsigned i) {
  unsigned group = lane >> 2, thread = lane % 4;
  if (shape.name == "m8n8k16")
    return {group, thread * 2 + i};
  return {i < 2 ? group : group + 8, thread * 2 + (i & 1)};
}

struct Matrices {
  uint8_t a[16][32], b[32][8];
  uint32_t c[16][8];
};

/// Bytes and words at random, many at the ends of their ranges.
Matrices draw(Patterns &patterns) {
  static constexpr uint8_t ends[] = {0, 1, 0x7F, 0x80, 0xFF};
  auto byte = [&] {
    uint64_t random = patterns.next();
    return random % 3 == 0 ? ends[random / 3 % 5]
                           : static_cast<uint8_t>(random >> 32);
  };
  Matrices result;
  for (auto &row : result.a)
    for (uint8_t &each : row)
      each = byte();
  for (auto &row : result.b)
    for (uint8_t &each : row)
      each = byte();
  for (auto &row : result.c)
    for (uint32_t &each : row)
      each = patterns.word();
  return result;
}

int64_t valueOf(uint8_t byte, bool isSigned) {
  return isSigned && byte >= 128 ? int64_t(byte) - 256 : int64_t(byte);
}

uint32_t sumAt(const Matrices &in, const Shape &shape, bool signedA,
               bool signedB, Place place) {
  int64_t sum = in.c[place.row][place.column];
  for (unsigned k = 0; k != shape.depth; ++k)
    sum += valueOf(in.a[place.row][k], signedA) *
           valueOf(in.b[k][place.column], signedB);
  return static_cast<uint32_t>(sum);
}

/// The registers of A, B and C of each lane.
std::vector<uint32_t> fragments(const Matrices &in, const Shape &shape) {
  std::vector<uint32_t> words;
  for (unsigned lane = 0; lane != 32; ++lane) {
    auto pack = [&](unsigned count, auto byteAt) {
      for (unsigned i = 0; i != 4 * count; ++i) {
        if (i % 4 == 0)
          words.push_back(0);
        words.back() |= uint32_t(byteAt(i)) << (i % 4 * 8);
      }
    };
    pack(shape.a(), [&](unsigned i) {
      Place place = placeOfA(shape, lane, i);
      return in.a[place.row][place.column];
    });
    pack(shape.b(), [&](unsigned i) {
      Place place = placeOfB(shape, lane, i);
      return in.b[place.row][place.column];
    });
    for (unsigned i = 0; i != shape.c(); ++i) {
      Place place = placeOfC(shape, lane, i);
      words.push_back(in.c[place.row][place.column]);
    }
  }
  return words;
}

/// "{%r3, %r4}" of registers from `first`.
std::string vectorOf(unsigned first, unsigned count) {
  std::string text = "{";
  for (unsigned i = 0; i != count; ++i)
    text += (i == 0 ? "%r" : ", %r") + std::to_string(first + i);
  return text + "}";
}

/// A kernel in which each thread loads its registers %r0.. from `in`, executes
/// one product with the result from %r<d> on, and stores that to `out`.
std::string kernelOf(const Shape &shape, const std::string &types, unsigned d) {
  std::string text =
      header +
      ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n"
      ".reg .b64 %d<8>;\n.reg .b32 %r<40>;\n"
      "ld.param.b64 %d0, [in];\nld.param.b64 %d1, [out];\n"
      "mov.u32 %r30, %tid.x;\n"
      "mul.wide.u32 %d2, %r30, " +
      std::to_string(4 * shape.words()) + ";\nadd.s64 %d0, %d0, %d2;\n" +
      "mul.wide.u32 %d3, %r30, " + std::to_string(4 * shape.c()) +
      ";\nadd.s64 %d1, %d1, %d3;\n";
  for (unsigned i = 0; i != shape.words(); ++i)
    text += "ld.global.b32 %r" + std::to_string(i) + ", [%d0+" +
            std::to_string(4 * i) + "];\n";
  text += "mma.sync.aligned." + shape.name + ".row.col.s32." + types + ".s32 " +
          vectorOf(d, shape.c()) + ", " + vectorOf(0, shape.a()) + ", " +
          vectorOf(shape.a(), shape.b()) + ", " +
          vectorOf(shape.a() + shape.b(), shape.c()) + ";\n";
  for (unsigned i = 0; i != shape.c(); ++i)
    text += "st.global.b32 [%d1+" + std::to_string(4 * i) + "], %r" +
            std::to_string(d + i) + ";\n";
  return text + "ret;\n}\n";
}

std::vector<uint32_t> runKernel(const std::string &text,
                                const std::vector<uint32_t> &in, size_t count) {
  std::vector<uint32_t> out(count);
  auto module = Module::parse(text);
  if (!module) {
    ADD_FAILURE() << module.error().message;
    return out;
  }
  Memory memory;
  memory.addReadOnly(in.data(), in.size() * sizeof(uint32_t));
  memory.add(out.data(), out.size() * sizeof(uint32_t));
  std::array<const void *, 2> parameters = {in.data(), out.data()};
  Launch launch;
  launch.kernel = "k";
  launch.block.x = 32;
  launch.parameters = std::as_bytes(std::span(parameters));
  if (auto fault = module->launch(launch, memory))
    ADD_FAILURE() << fault->message;
  return out;
}

void compare(const Shape &shape, bool signedA, bool signedB, unsigned d,
             const Matrices &in) {
  std::string types =
      std::string(signedA ? "s8" : "u8") + (signedB ? ".s8" : ".u8");
  auto out = runKernel(kernelOf(shape, types, d), fragments(in, shape),
                       size_t(32) * shape.c());
  for (unsigned lane = 0; lane != 32; ++lane)
    for (unsigned i = 0; i != shape.c(); ++i)
      ASSERT_EQ(out[lane * shape.c() + i],
                sumAt(in, shape, signedA, signedB, placeOfC(shape, lane, i)))
          << shape.name << " " << types << " lane " << lane << " c" << i;
}

TEST(PtxMatrix, everyShapeAndSignedness) {
  Patterns patterns(1);
  for (const Shape &shape : shapes)
    for (unsigned signs = 0; signs != 4; ++signs)
      for (unsigned round = 0; round != 16; ++round)
        compare(shape, (signs & 1) != 0, (signs & 2) != 0, 20, draw(patterns));
}

// The result may be in registers of any operand.
TEST(PtxMatrix, theResultReplacesAnOperand) {
  Patterns patterns(2);
  for (const Shape &shape : shapes)
    for (unsigned d = 0; d <= shape.a() + shape.b(); ++d)
      compare(shape, true, false, d, draw(patterns));
}

// The largest products, and sums that pass the ends of s32 on both sides.
TEST(PtxMatrix, sumsWrap) {
  for (uint8_t byte : {uint8_t(0x80), uint8_t(0xFF)})
    for (uint32_t start : {0x7FFFFFFFu, 0x80000000u, 0xFFFFFFFFu}) {
      Matrices in;
      std::fill(&in.a[0][0], &in.a[0][0] + sizeof(in.a), byte);
      std::fill(&in.b[0][0], &in.b[0][0] + sizeof(in.b), byte);
      std::fill(&in.c[0][0], &in.c[0][0] + 16 * 8, start);
      for (const Shape &shape : shapes)
        for (unsigned signs = 0; signs != 4; ++signs)
          compare(shape, (signs & 1) != 0, (signs & 2) != 0, 20, in);
    }
}

// The guard is the same for all threads; a product that nobody executes leaves
// its registers as they are.
TEST(PtxMatrix, aGuard) {
  auto guarded = [](const std::string &condition) {
    return runRows("mov.b32 %r10, 7;\nmov.b32 %r11, 8;\n"
                   "setp." +
                       condition +
                       ";\n"
                       "@%p10 mma.sync.aligned.m8n8k16.row.col.s32.u8.u8.s32 "
                       "{%r10, %r11}, {%r0}, {%r0}, {%r10, %r11};\n"
                       "add.s32 %ro, %r10, %r11;",
                   std::vector<Row>(32, Row{0x01010101}));
  };
  EXPECT_EQ(guarded("lt.u32 %p10, %thread, 32")[5], 15u + 32u);
  EXPECT_EQ(guarded("gt.u32 %p10, %thread, 31")[5], 15u);
}

TEST(PtxMatrix, formsThatAreRefused) {
  auto error = [](const std::string &text) {
    std::string message = loadError(text);
    return message.substr(std::min(message.find("': ") + 3, message.size()));
  };
  const std::string mma = "mma.sync.aligned.m16n8k16.row.col";
  const std::string operands =
      " {%r10, %r11, %r12, %r13}, {%r14, %r15}, {%r16}, "
      "{%r10, %r11, %r12, %r13};";
  EXPECT_EQ(error(mma + ".s32.s8.u8.s32" + operands), "");
  EXPECT_NE(error(mma + ".satfinite.s32.s8.u8.s32" + operands)
                .find("sums that saturate depend on their order"),
            std::string::npos);
  for (const char *types :
       {".s32.s4.s4.s32", ".s32.s8.s4.s32", ".s32.s4.u8.s32", ".u32.u8.u8.u32",
        ".f32.f16.f16.f32", ".s32.s8.s8", ".f32.e4m3.e4m3.f32"})
    EXPECT_NE(error(mma + types + operands)
                  .find("does not simulate matrix units on other types"),
              std::string::npos)
        << types;
  for (const char *form :
       {"mma.sync.m16n8k16.row.col", "mma.aligned.m16n8k16.row.col",
        "mma.sync.aligned.m16n8k64.row.col", "mma.sync.aligned.row.col",
        "mma.sync.aligned.m16n8k16.row", "mma.sync.aligned.m16n8k16.row.row"})
    EXPECT_NE(error(form + std::string(".s32.s8.s8.s32") + operands)
                  .find("' is not supported by the simulator"),
              std::string::npos)
        << form;
  EXPECT_NE(
      error(mma + ".xor.s32.s8.s8.s32" + operands).find("modifier '.xor'"),
      std::string::npos);
}

TEST(PtxMatrix, operandsThatAreRefused) {
  auto error = [](const std::string &operands) {
    std::string message = loadError(
        "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 " + operands + ";");
    return message.substr(std::min(message.find("': ") + 3, message.size()));
  };
  const std::string name = "'mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32'";
  const std::string d = "{%r10, %r11, %r12, %r13}", a = d, b = "{%r14, %r15}";
  const std::string three = "{%r10, %r11, %r12}";
  EXPECT_EQ(error(d + ", " + a + ", " + b + ", " + d), "");
  EXPECT_EQ(error(d + ", " + a + ", " + b),
            name + " has 3 operands, expected 4");
  EXPECT_EQ(error(three + ", " + a + ", " + b + ", " + d),
            "operand 1 of " + name + " is not a vector of 4 registers");
  EXPECT_EQ(error(d + ", " + three + ", " + b + ", " + d),
            "operand 2 of " + name + " is not a vector of 4 registers");
  EXPECT_EQ(error(d + ", " + a + ", %r14, " + d),
            "operand 3 of " + name + " is not a vector of 2 registers");
  EXPECT_EQ(error(d + ", " + a + ", " + b + ", " + b),
            "operand 4 of " + name + " is not a vector of 4 registers");
  EXPECT_EQ(error(d + ", {%r1, %r2, %r3, 0}, " + b + ", " + d),
            "an element of operand 2 of " + name + " is not a register");
  EXPECT_EQ(error(d + ", " + a + ", {%d1, %r15}, " + d),
            "'%d1' has 64 bits, expected 32");
  EXPECT_EQ(error("{%r10, %r11, %r12, %h13}, " + a + ", " + b + ", " + d),
            "'%h13' has 16 bits, expected 32");
}

TEST(PtxMatrix, generationsThatHaveIt) {
  auto error = [](const std::string &target, const Shape &shape) {
    std::string text = kernelOf(shape, "s8.s8", 20);
    text.replace(text.find("sm_80"), 5, target);
    auto module = Module::parse(text);
    return module ? "" : module.error().message;
  };
  EXPECT_EQ(error("sm_75", shapes[0]), "");
  EXPECT_EQ(error("sm_80", shapes[1]), "");
  EXPECT_EQ(error("sm_90a", shapes[2]), "");
  EXPECT_EQ(error("sm_120", shapes[2]), "");
  EXPECT_NE(
      error("sm_70", shapes[0]).find("' needs .target sm_75 or a later one"),
      std::string::npos);
  EXPECT_NE(
      error("sm_75", shapes[1]).find("' needs .target sm_80 or a later one"),
      std::string::npos);
  EXPECT_NE(
      error("sm_75", shapes[2]).find("' needs .target sm_80 or a later one"),
      std::string::npos);
}

} // namespace
