// Contractions with epilogues against the ops' own evaluation, bit for bit:
// operands of every placement, several results, other types, all targets.

#include "Contract/ContractSchedule.h"
#include "ProgramText.h"
#include "RandomSizes.h"
#include "RunProgram.h"

#include <gtest/gtest.h>
#include <map>
#include <random>
#include <sstream>

using namespace mlir;

namespace gensyn::cpu {
namespace {

using testing::ContractCase;
using testing::mapsOf;
using testing::matmul;
using testing::tensorOf;

const std::vector<std::string> kForms = {"nearby", "epilogues", "pointwise"};

/// The elementwise ops of an epilogue, written for one shape of the
/// contraction's result.
struct EpilogueText {
  std::string name, arguments, ops, results, types;
};

std::vector<int64_t> shapeOf(const std::string &type) {
  std::vector<int64_t> shape;
  std::istringstream text(type.substr(type.find('<') + 1));
  char x;
  for (int64_t extent; text >> extent; text >> x)
    shape.push_back(extent);
  return shape;
}

/// The operand `%x` of dimensions `dims`, as `%y` of the whole shape.
EpilogueText readOf(const std::string &type, std::vector<int64_t> dims) {
  std::vector<int64_t> shape = shapeOf(type), own;
  for (int64_t dim : dims)
    own.push_back(shape[size_t(dim)]);
  EpilogueText text;
  text.name = "operand of dimensions " + testing::listOf(dims);
  text.arguments = ", %x: " + tensorOf(own);
  text.ops = "  %w = repro.broadcast %x dims " + testing::listOf(dims) + " : " +
             tensorOf(own) + " to " + type +
             "\n  %y = repro.mul %c, %w : " + type + "\n";
  text.results = "%y";
  text.types = type;
  return text;
}

std::vector<EpilogueText> epilogues(const std::string &type) {
  const std::vector<int64_t> shape = shapeOf(type);
  const auto rank = int64_t(shape.size());
  int64_t elements = 1;
  for (int64_t extent : shape)
    elements *= extent;
  const std::string mask = tensorOf(shape, "i1"),
                    narrow = tensorOf(shape, "bf16"),
                    flat = tensorOf({elements});
  std::vector<EpilogueText> all;
  all.push_back(readOf(type, {}));
  std::vector<int64_t> most;
  for (int64_t dim = 0; dim < rank; ++dim) {
    all.push_back(readOf(type, {dim}));
    most.push_back(dim);
    if (dim > 0)
      all.push_back(readOf(type, most));
  }
  if (rank > 2)
    all.push_back(readOf(type, {0, rank - 1}));
  all.push_back(
      {"several results", ", %x: " + type + ", %m: " + mask,
       "  %p = repro.sub %c, %x : " + type +
           "\n  %y = repro.select %m, %p, %c : " + type +
           "\n  %l = repro.compare lt %p, %x : " + type +
           "\n  %n = repro.convert %p : " + type + " to " + narrow + "\n",
       "%y, %c, %l, %n", type + ", " + type + ", " + mask + ", " + narrow});
  all.push_back({"other type", "",
                 "  %n = repro.convert %c : " + type + " to " + narrow + "\n",
                 "%n", narrow});
  all.push_back({"function and constant", "",
                 "  %z = repro.constant dense<0.5> : " + type +
                     "\n  %e = repro.exp %c : " + type +
                     "\n  %y = repro.max %e, %z : " + type + "\n",
                 "%y", type});
  all.push_back({"another shape", ", %x: " + flat,
                 "  %f = repro.reshape %c : " + type + " to " + flat +
                     "\n  %y = repro.add %f, %x : " + flat + "\n",
                 "%y", flat});
  all.push_back({"function in another shape", "",
                 "  %f = repro.reshape %c : " + type + " to " + flat +
                     "\n  %e = repro.sigmoid %f : " + flat +
                     "\n  %y = repro.mul %f, %e : " + flat + "\n",
                 "%y", flat});
  EpilogueText read =
      readOf(type, rank > 0 ? std::vector<int64_t>{0} : std::vector<int64_t>());
  read.name = "function of operands";
  read.arguments += ", %v: " + type + ", %m: " + mask;
  read.ops += "  %e = repro.sigmoid %y : " + type +
              "\n  %z = repro.select %m, %e, %v : " + type +
              "\n  %l = repro.compare lt %e, %v : " + type + "\n";
  read.results = "%z, %l";
  read.types += ", " + mask;
  all.push_back(read);
  return all;
}

std::string programOf(const ContractCase &form, const EpilogueText &epilogue) {
  return "func.func @f(%a: " + form.lhs + ", %b: " + form.rhs +
         epilogue.arguments + ") -> (" + epilogue.types +
         ") {\n  %c = repro.contract %a, %b " + form.form + " : " + form.lhs +
         ", " + form.rhs + " -> " + form.result + "\n" + epilogue.ops +
         "  return " + epilogue.results + " : " + epilogue.types + "\n}\n";
}

std::vector<ContractCase> forms() {
  std::vector<ContractCase> all = testing::contractForms();
  llvm::append_range(all, testing::convolutionsOfSmallImages());
  all.push_back(matmul("matmul", 23, 75, 37, false, false,
                       "blocked<10, sequential, sequential>"));
  all.push_back(matmul("whole vectors", 7, 64, 20, false, true));
  all.push_back(matmul("one row", 1, 130, 21, false, false));
  all.push_back({"tokens", tensorOf({3, 5, 12}), tensorOf({12, 20}),
                 tensorOf({3, 5, 20}),
                 "domain <[3, 5, 20, 12], reduce [3]>" +
                     mapsOf(4, {"d0, d1, d3", "d3, d2", "d0, d1, d2"}) +
                     " bounds [in, in] order sequential"});
  // Phases of a strided convolution's data gradient: several views, whose
  // results have gaps.
  all.push_back({"gradient 3x3", tensorOf({2, 5, 9, 9}), tensorOf({5, 4, 3, 3}),
                 tensorOf({2, 4, 18, 18}),
                 "domain <[2, 4, 10, 2, 10, 2, 5, 2, 2], reduce [6, 7, 8]>" +
                     mapsOf(9, {"d0, d6, d2 - d7, d4 - d8",
                                "d6, d1, 2 * d7 + d3, 2 * d8 + d5",
                                "d0, d1, 2 * d2 + d3 - 1, 2 * d4 + d5 - 1"}) +
                     " bounds [zero, skip] order "
                     "blocked<7, sequential, sequential>"});
  return all;
}

/// Returns the names of the schedules of the program's kernels.
std::vector<std::string> schedulesOf(testing::Program &program,
                                     const Target &target) {
  std::vector<std::string> names;
  OwningOpRef<ModuleOp> kernels = program.formKernels();
  kernels->walk([&](repro::KernelOp kernel) {
    names.push_back(chooseSchedule(getSchedules(), kernel, target)
                        .schedule->getName()
                        .str());
  });
  return names;
}

// Half of them run, each on one of the targets, by turns.
TEST(Epilogue, HasTheOpsBits) {
  std::mt19937 random(1);
  uint32_t seed = 1;
  const std::vector<const Target *> targets = testing::getRunnableTargets();
  std::map<std::string, int> taken;
  for (const ContractCase &form : forms())
    for (const EpilogueText &text : epilogues(form.result)) {
      SCOPED_TRACE(form.name + (" with " + text.name));
      testing::Program program(programOf(form, text));
      program.forms = kForms;
      const Target &target = *targets[++seed % targets.size()];
      const auto names = schedulesOf(program, target);
      ASSERT_EQ(names.size(), 1u);
      ++taken[names.front()];
      if (testing::draw(random, 0, 1))
        continue;
      testing::expectBits(program, getSchedules(), target,
                          {seed % 2 ? program.makeInputs(seed)
                                    : program.makeFiniteInputs(seed)});
    }
  EXPECT_GT(taken["contract"], 50);
  EXPECT_GT(taken["divided"], 20);
}

// A third of them.
TEST(Epilogue, OddSizesHaveTheOpsBits) {
  std::mt19937 random(2);
  const Target &target = *testing::getRunnableTargets().back();
  for (const ContractCase &form : forms())
    for (const EpilogueText &text : epilogues(form.result)) {
      if (testing::draw(random, 1, 3) != 1)
        continue;
      SCOPED_TRACE(form.name + (" with " + text.name));
      testing::Program program(programOf(form, text));
      program.forms = kForms;
      testing::expectBits(program,
                          createContractSchedule(testing::drawSizes(random)),
                          target, {program.makeFiniteInputs(random())});
    }
}

/// The schedule of the one kernel that a contraction and its epilogue form.
std::string scheduleOf(const ContractCase &form, const EpilogueText &text) {
  testing::Program program(programOf(form, text));
  program.forms = kForms;
  const auto names =
      schedulesOf(program, *gensyn::machine::findCpu("x86-64-v4"));
  return names.size() == 1 ? names.front() : "several kernels";
}

TEST(Epilogue, IsDividedWhereVectorsDoNotSuffice) {
  const ContractCase conv = {
      "conv", tensorOf({2, 20, 6, 8}), tensorOf({4, 20, 1, 1}),
      tensorOf({2, 4, 6, 8}),
      "domain <[2, 4, 6, 8, 20, 1, 1], reduce [4, 5, 6]>" +
          mapsOf(7, {"d0, d4, d2 + d5, d3 + d6", "d1, d4, d5, d6",
                     "d0, d1, d2, d3"}) +
          " bounds [in, in] order sequential"};
  EXPECT_EQ(scheduleOf(conv, readOf(conv.result, {1})), "contract");
  // Vectors of 48 columns of an image reach over several of its rows.
  EXPECT_EQ(scheduleOf(conv, readOf(conv.result, {3})), "divided");
  // Four rows of three points take less time than the epilogue's calls.
  ContractCase few = matmul("few", 4, 32, 3, false, false);
  EXPECT_EQ(scheduleOf(few, readOf(few.result, {1})), "divided");
  // Functions of 17 columns would be computed for 32 lanes.
  const ContractCase narrow = matmul("narrow", 20, 17, 9, false, false);
  for (const EpilogueText &text : epilogues(narrow.result)) {
    const bool isFunction = text.name.rfind("function", 0) == 0;
    EXPECT_EQ(scheduleOf(narrow, text), isFunction ? "divided" : "contract")
        << text.name;
  }
}

// Profiles name the schedule that made the code of a launch.
TEST(Epilogue, LaunchesOfPartsNameTheirSchedules) {
  const ContractCase few = matmul("few", 4, 32, 3, false, false);
  testing::Program program(programOf(few, readOf(few.result, {1})));
  program.forms = kForms;
  OwningOpRef<ModuleOp> kernels = program.formKernels();
  kernels->walk([&](repro::KernelOp kernel) {
    const auto made =
        describeLaunches(kernel, *gensyn::machine::findCpu("x86-64-v4"));
    EXPECT_EQ(made.launches.front().schedule(), "contract");
    EXPECT_EQ(made.launches.back().schedule(), "pointwise");
  });
}

} // namespace
} // namespace gensyn::cpu
