// The alternatives of the contraction schedule: the next rows of its table,
// with equal bits.

#include "gensyn/Codegen/Schedule/Alternatives.h"
#include "../RunOnSimulator.h"
#include "ProgramText.h"

#include <gtest/gtest.h>

using namespace mlir;

namespace gensyn::gpu {
namespace {

using cpu::testing::ContractCase;
using cpu::testing::matmul;
using testing::Compiled;
using testing::Program;

SmallVector<DictionaryAttr> alternativesOf(Program &program, int sm) {
  OwningOpRef<ModuleOp> module = program.formKernels();
  SmallVector<DictionaryAttr> alternatives;
  module->walk([&](repro::KernelOp kernel) {
    alternatives = codegen::findAlternatives(getSchedules(), kernel,
                                             getTarget(*machine::findGpu(sm)));
  });
  return alternatives;
}

TEST(GpuContractAlternatives, HaveTheBitsOfTheReference) {
  for (const ContractCase &form :
       {matmul("matmul", 20, 30, 40, false, false),
        matmul("few rows", 6, 40, 130, false, true,
               "blocked<64, sequential, sequential>"),
        matmul("half", 33, 20, 20, true, false, "sequential", "f16", "f16"),
        matmul("double", 9, 20, 20, true, false, "sequential", "f64", "f64",
               "f64"),
        matmul("bytes", 33, 20, 70, false, false, "", "i8", "i8", "i32")})
    for (int sm : {75, 90}) {
      Program program(form.text());
      const auto alternatives = alternativesOf(program, sm);
      EXPECT_EQ(alternatives.size(), 3u) << form.name;
      for (DictionaryAttr fields : alternatives) {
        std::string text;
        llvm::raw_string_ostream(text) << fields;
        SCOPED_TRACE(std::string(form.name) + " " + text);
        Compiled compiled(program, sm, text);
        EXPECT_EQ(compiled.takenBy, std::vector<std::string>{"contract"});
        testing::expectBits(program, compiled, program.makeFiniteInputs(1));
      }
    }
}

} // namespace
} // namespace gensyn::gpu
