// The alternatives of the contraction schedule: other sizes, equal bits.

#include "gensyn/Codegen/Schedule/Alternatives.h"
#include "ProgramText.h"
#include "RunProgram.h"

#include <gtest/gtest.h>

using namespace mlir;

namespace gensyn::cpu {
namespace {

using testing::ContractCase;
using testing::matmul;
using testing::Program;

/// The alternatives of the program's only kernel.
SmallVector<DictionaryAttr> alternativesOf(Program &program,
                                           const Target &target) {
  OwningOpRef<ModuleOp> module = program.formKernels();
  SmallVector<DictionaryAttr> alternatives;
  module->walk([&](repro::KernelOp kernel) {
    alternatives = codegen::findAlternatives(getSchedules(), kernel, target);
    EXPECT_FALSE(kernel.getScheduleAttr());
  });
  return alternatives;
}

/// Compares the bits of each form with every third of its alternatives, from
/// another one for each form, on the targets by turns.
void check(ArrayRef<ContractCase> forms) {
  const std::vector<const Target *> targets = testing::getRunnableTargets();
  size_t count = 0;
  for (size_t i = 0; i < forms.size(); ++i) {
    const Target &target = *targets[i / 2 % targets.size()];
    Program program(forms[i].text());
    if (i % 2)
      program.setLasting(1);
    std::vector<std::vector<Tensor>> cases = {program.makeInputs(1),
                                              program.makeFiniteInputs(2)};
    for (auto [k, fields] : llvm::enumerate(alternativesOf(program, target))) {
      if ((i + k) % 3 != 0)
        continue;
      SCOPED_TRACE(std::string(forms[i].name) + " " +
                   codegen::printFields(fields));
      program.schedule = fields;
      testing::expectBits(program, getSchedules(), target, cases);
      program.schedule = {};
      ++count;
    }
  }
  EXPECT_GT(count, 0u);
}

TEST(ContractAlternatives, HaveTheBitsOfTheReference) {
  std::vector<ContractCase> forms = testing::contractForms();
  for (int i = 0; i < 4; ++i)
    forms.push_back(
        matmul("matmul", 53, 75, 300, i & 1, i & 2,
               i < 2 ? "sequential" : "blocked<70, sequential, sequential>"));
  check(forms);
}

TEST(ContractAlternatives, OfIntegersHaveTheirBits) {
  check({matmul("bytes", 40, 40, 70, false, false, "", "i8", "i8", "i32"),
         matmul("words", 40, 40, 70, false, true, "", "i32", "i32", "i32")});
}

TEST(ContractAlternatives, DifferFromTheTable) {
  Program program(matmul("m", 200, 200, 2000, false, false).text());
  const auto alternatives =
      alternativesOf(program, *machine::findCpu("x86-64-v4"));
  std::vector<std::string> texts;
  for (DictionaryAttr fields : alternatives)
    texts.push_back(codegen::printFields(fields));
  EXPECT_EQ(texts, (std::vector<std::string>{
                       R"({"mr":8,"nv":3})", R"({"mr":12,"nv":2})",
                       R"({"mr":12,"nv":1})", R"({"kc":256})", R"({"kc":1024})",
                       R"({"pack_b":false})", R"({"pack_a":true})"}));
}

TEST(ContractAlternatives, ThoseOfOneSizeAreFew) {
  // A single tile: neither its height nor visits or copies make a difference.
  Program program(matmul("m", 2, 8, 4, false, false).text());
  for (DictionaryAttr fields :
       alternativesOf(program, *machine::findCpu("x86-64-v4")))
    EXPECT_FALSE(fields.get("kc")) << codegen::printFields(fields);
}

} // namespace
} // namespace gensyn::cpu
