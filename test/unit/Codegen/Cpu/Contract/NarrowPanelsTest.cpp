// One row by narrow elements that last, whose panels hold 4 bits in 4 bits and
// pairs of points: bits against the ops' own evaluation, and bytes.

#include "Contract/ContractSchedule.h"
#include "ProgramText.h"
#include "RandomSizes.h"
#include "RunProgram.h"

#include "gensyn/Codegen/Cpu/Compile.h"

#include <gtest/gtest.h>
#include <random>

using namespace mlir;

namespace gensyn::cpu {
namespace {

using testing::ContractCase;
using testing::matmul;
using testing::tensorOf;

struct Types {
  std::string a, b, sum;
  bool isScaled = false, hasZeros = false;
};

/// One row by a matrix of `types.b`, which is the first argument; scaled
/// elements have a scale, and maybe a zero point, for each column.
std::string programOf(const Types &types, int64_t points, int64_t columns,
                      bool isTransposed, const std::string &order) {
  const std::string b = types.isScaled ? "f32" : types.b;
  const ContractCase form =
      matmul("matmul", 1, columns, points, false, isTransposed, order);
  std::string attributes = form.form;
  if (types.sum.find('i') != std::string::npos)
    attributes.resize(attributes.find(" order "));
  auto typed = [](std::string tensor, const std::string &element) {
    tensor.replace(tensor.find("f32"), 3, element);
    return tensor;
  };
  const std::string stored = typed(form.rhs, types.b),
                    dim = isTransposed ? "0" : "1",
                    lhs = typed(form.lhs, types.a), rhs = typed(form.rhs, b),
                    result = typed(form.result, types.sum),
                    scale = tensorOf({columns}),
                    zero = tensorOf({columns}, types.b);
  std::string text = "func.func @f(%q: " + stored + ", %x: " + lhs +
                     ", %s: " + scale + ", %z: " + zero + ") -> " + result +
                     " {\n";
  auto convert = [&](const char *from, const char *to,
                     const std::string &narrow, const std::string &wide) {
    text += std::string("  ") + to + " = repro.convert " + from + " : " +
            narrow + " to " + wide + "\n";
  };
  auto spread = [&](const char *from, const char *to,
                    const std::string &small) {
    text += std::string("  ") + to + " = repro.broadcast " + from + " dims [" +
            dim + "] : " + small + " to " + rhs + "\n";
  };
  if (types.isScaled) {
    convert("%q", "%f", stored, rhs);
    if (types.hasZeros) {
      convert("%z", "%y", zero, scale);
      spread("%y", "%o", scale);
      text += "  %g = repro.sub %f, %o : " + rhs + "\n";
    }
    spread("%s", "%t", scale);
    text += std::string("  %w = repro.mul ") + (types.hasZeros ? "%g" : "%f") +
            ", %t : " + rhs + "\n";
  }
  return text + "  %c = repro.contract %x, " +
         (types.isScaled ? "%w " : "%q ") + attributes + " : " + lhs + ", " +
         rhs + " -> " + result + "\n  return %c : " + result + "\n}\n";
}

/// The bytes of panels of the program's plan.
uint64_t countBytes(testing::Program &program, const Target &target) {
  OwningOpRef<ModuleOp> kernels = program.formKernels();
  CompileOptions options;
  options.target = &target;
  options.plan.preparedBytes = uint64_t(1) << 30;
  plan::Plan plan;
  EXPECT_TRUE(succeeded(
      compile(*kernels->getOps<func::FuncOp>().begin(), options, plan)));
  return plan.prepared_bytes();
}

const Types kTypes[] = {
    {"f32", "i4", "f32", true}, {"f32", "ui4", "f32", true, true},
    {"f32", "f4E2M1FN", "f32"}, {"f64", "f4E2M1FN", "f64"},
    {"i8", "i4", "i32"},        {"ui8", "ui4", "ui32"},
    {"i8", "i8", "i32"},        {"ui8", "ui8", "ui32"},
    {"i8", "i16", "i32"},       {"i16", "i4", "i16"},
    {"i32", "i4", "i32"}};

// A half of them.
TEST(NarrowPanels, HaveTheOpsBits) {
  std::mt19937 random(5);
  for (const Target *target : testing::getRunnableTargets())
    for (const Types &types : kTypes)
      for (int64_t points : {77, 515})
        for (int64_t columns :
             {16 * target->lanes(4), 8 * target->lanes(4) + 3, int64_t(50)}) {
          if (random() % 2)
            continue;
          const bool isTransposed = random() % 2;
          const char *order = random() % 2
                                  ? "sequential"
                                  : "blocked<131, sequential, sequential>";
          const std::string text =
              programOf(types, points, columns, isTransposed, order);
          SCOPED_TRACE(std::string(target->name) + "\n" + text);
          testing::Program program(text);
          program.forms = {"prologues"};
          program.setLasting(0);
          testing::expectBits(program, getSchedules(), *target,
                              {random() % 2
                                   ? program.makeInputs(random())
                                   : program.makeFiniteInputs(random())});
        }
}

TEST(NarrowPanels, HaveHalfAByteForFourBits) {
  const Target &target = *testing::getRunnableTargets().back();
  const bool hasLookup =
      llvm::any_of(target.tableLookups, [](const auto &lookup) {
        return lookup.bits == 32 && lookup.entries == 16;
      });
  constexpr int64_t points = 512, columns = 1024;
  for (const Types &types : kTypes) {
    if (types.b[0] == 'f') // not on each target
      continue;
    const bool isHalf = types.b.find('4') != std::string::npos;
    testing::Program program(
        programOf(types, points, columns, false, "sequential"));
    program.forms = {"prologues"};
    program.setLasting(0);
    SCOPED_TRACE(types.a + " " + types.b);
    const uint64_t elements = points * columns, panels = isHalf ? elements / 2
                                                         : types.b == "i16"
                                                             ? 2 * elements
                                                             : elements;
    const uint64_t bytes = countBytes(program, target);
    if (bytes == 0 && isHalf) { // read in place, if it takes many instructions
      EXPECT_FALSE(types.isScaled || hasLookup);
      continue;
    }
    EXPECT_GE(bytes, panels);
    // And less than a vector for each panel of up to 16, since panels have one
    // width, and the point that a pair may lack.
    EXPECT_LT(bytes, panels / 16 * 17);
  }
}

} // namespace
} // namespace gensyn::cpu
