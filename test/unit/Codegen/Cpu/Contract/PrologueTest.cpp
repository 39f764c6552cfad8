// Contractions whose operands are computed from narrow elements, against the
// ops' own evaluation, bit for bit: scales and zero points of every placement,
// few and many rows, all targets.

#include "Contract/ContractSchedule.h"
#include "ProgramText.h"
#include "RandomSizes.h"
#include "RunProgram.h"

#include <gtest/gtest.h>
#include <map>
#include <random>

using namespace mlir;

namespace gensyn::cpu {
namespace {

using testing::ContractCase;
using testing::listOf;
using testing::matmul;
using testing::tensorOf;

const std::vector<std::string> kForms = {"nearby", "prologues", "epilogues",
                                         "pointwise"};

/// The ops that compute `%w` of a shape [first, second] from `%q`.
struct PrologueText {
  std::string name, element, arguments, ops;
};

std::string convert(const std::string &from, const std::string &to,
                    const std::string &fromType, const std::string &toType) {
  return "  " + to + " = repro.convert " + from + " : " + fromType + " to " +
         toType + "\n";
}

/// `%q` times a scale of the dimensions `dims`, minus a zero point of the
/// dimensions `zeros` before that.
PrologueText scaled(const std::string &element,
                    const std::vector<int64_t> &shape,
                    const std::vector<int64_t> &dims,
                    const std::vector<int64_t> *zeros) {
  auto some = [&](const std::vector<int64_t> &of) {
    std::vector<int64_t> own;
    for (int64_t dim : of)
      own.push_back(shape[size_t(dim)]);
    return own;
  };
  const std::string wide = tensorOf(shape), whole = tensorOf(shape, "i32"),
                    scale = tensorOf(some(dims));
  PrologueText text;
  text.name = element + " with a scale of dimensions " + listOf(dims);
  text.element = element;
  text.arguments = ", %s: " + scale;
  const std::string narrow = tensorOf(shape, element);
  if (zeros) {
    text.name += " and a zero point of " + listOf(*zeros);
    const std::string zero = tensorOf(some(*zeros), element),
                      wideZero = tensorOf(some(*zeros), "i32");
    text.arguments += ", %z: " + zero;
    text.ops = convert("%q", "%i", narrow, whole) +
               convert("%z", "%j", zero, wideZero) +
               "  %k = repro.broadcast %j dims " + listOf(*zeros) + " : " +
               wideZero + " to " + whole +
               "\n  %m = repro.sub %i, %k : " + whole + "\n" +
               convert("%m", "%f", whole, wide);
  } else {
    text.ops = convert("%q", "%f", narrow, wide);
  }
  text.ops += "  %t = repro.broadcast %s dims " + listOf(dims) + " : " + scale +
              " to " + wide + "\n  %w = repro.mul %f, %t : " + wide + "\n";
  return text;
}

/// A scale for each block of `size` elements along dimension `dim`.
PrologueText blocked(const std::vector<int64_t> &shape, size_t dim,
                     int64_t size) {
  std::vector<int64_t> own = shape, split;
  own[dim] /= size;
  std::vector<int64_t> dims;
  for (size_t i = 0; i < shape.size(); ++i) {
    dims.push_back(int64_t(split.size()));
    split.push_back(own[i]);
    if (i == dim)
      split.push_back(size);
  }
  const std::string wide = tensorOf(shape);
  return {"scales of blocks of " + std::to_string(size), "i8",
          ", %s: " + tensorOf(own),
          convert("%q", "%f", tensorOf(shape, "i8"), wide) +
              "  %b = repro.broadcast %s dims " + listOf(dims) + " : " +
              tensorOf(own) + " to " + tensorOf(split) +
              "\n  %t = repro.reshape %b : " + tensorOf(split) + " to " + wide +
              "\n  %w = repro.mul %f, %t : " + wide + "\n"};
}

/// Prologues of a matrix whose dimension `points` is summed, 96 long.
std::vector<PrologueText> prologues(const std::vector<int64_t> &shape,
                                    size_t points) {
  const auto others = int64_t(1 - points);
  const std::vector<int64_t> none, one = {others}, along = {int64_t(points)};
  return {scaled("i8", shape, none, nullptr),
          scaled("i8", shape, one, nullptr),
          scaled("ui8", shape, one, &one),
          scaled("i4", shape, one, &none),
          scaled("i16", shape, along, nullptr),
          scaled("i8", shape, one, &along),
          scaled("bf16", shape, one, nullptr),
          blocked(shape, points, 32),
          blocked(shape, points, 8),
          blocked(shape, points, 3)};
}

std::string programOf(const ContractCase &form, bool isLeft,
                      const std::string &shape, const PrologueText &text) {
  std::string narrow = shape;
  narrow.replace(narrow.rfind("f32"), 3, text.element);
  const std::string other = isLeft ? form.rhs : form.lhs;
  return "func.func @f(%q: " + narrow + ", %x: " + other + text.arguments +
         ") -> " + form.result + " {\n" + text.ops + "  %c = repro.contract " +
         (isLeft ? "%w, %x " : "%x, %w ") + form.form + " : " + form.lhs +
         ", " + form.rhs + " -> " + form.result +
         "\n  return %c : " + form.result + "\n}\n";
}

/// Calls `test` with the text of each product with a prologue.
void forEachProgram(const std::function<void(const std::string &)> &test) {
  constexpr int64_t points = 96;
  for (const char *order : {"sequential", "blocked<32, sequential, sequential>",
                            "blocked<10, sequential, sequential>"})
    for (int64_t rows : {1, 3, 7, 40})
      for (int64_t columns : {48, 37})
        for (bool isTransposed : {false, true})
          for (bool isLeft : {false, true}) {
            const ContractCase form =
                matmul("matmul", rows, columns, points, isLeft && isTransposed,
                       !isLeft && isTransposed, order);
            const int64_t others = isLeft ? rows : columns;
            const bool pointsFirst = isLeft == isTransposed;
            const std::vector<int64_t> shape =
                pointsFirst ? std::vector<int64_t>{points, others}
                            : std::vector<int64_t>{others, points};
            for (const PrologueText &text :
                 prologues(shape, pointsFirst ? 0 : 1)) {
              SCOPED_TRACE(text.name + ", " + std::to_string(rows) + " x " +
                           std::to_string(columns) + ", " + order +
                           (isTransposed ? ", transposed" : "") +
                           (isLeft ? ", left" : ""));
              test(programOf(form, isLeft, isLeft ? form.lhs : form.rhs, text));
            }
          }
}

/// Makes the operands whose bits are set in `which` parameters.
void setLasting(testing::Program &program, uint32_t which) {
  for (unsigned i = 0; i < program.getFunction().getNumArguments(); ++i)
    if (which >> i & 1)
      program.setLasting(i);
}

// Each on one of the targets, by turns.
TEST(Prologue, HasTheOpsBits) {
  uint32_t seed = 1;
  const std::vector<const Target *> targets = testing::getRunnableTargets();
  std::map<std::string, int> taken;
  forEachProgram([&](const std::string &text) {
    testing::Program program(text);
    program.forms = kForms;
    setLasting(program, seed / 13 * 5);
    const Target &target = *targets[++seed % targets.size()];
    OwningOpRef<ModuleOp> kernels = program.formKernels();
    kernels->walk([&](repro::KernelOp kernel) {
      ++taken[chooseSchedule(getSchedules(), kernel, target)
                  .schedule->getName()
                  .str()];
    });
    if (seed % 13 == 0)
      testing::expectBits(program, getSchedules(), target,
                          {seed % 2 ? program.makeInputs(seed)
                                    : program.makeFiniteInputs(seed)});
  });
  EXPECT_GT(taken["contract"], 500);
}

TEST(Prologue, OddSizesHaveTheOpsBits) {
  std::mt19937 random(2);
  const Target &target = *testing::getRunnableTargets().back();
  forEachProgram([&](const std::string &text) {
    if (testing::draw(random, 1, 12) != 1)
      return;
    testing::Program program(text);
    program.forms = kForms;
    setLasting(program, random());
    testing::expectBits(program,
                        createContractSchedule(testing::drawSizes(random)),
                        target, {program.makeInputs(random())});
  });
}

// One row reads panels of the main tensor, which are made before runs; scales
// are read in each run.
TEST(Prologue, PanelsOfOneRowHaveTheOpsBits) {
  std::mt19937 random(3);
  const std::vector<const Target *> targets = testing::getRunnableTargets();
  std::map<const Target *, int> prepared;
  for (const char *order :
       {"sequential", "blocked<96, sequential, sequential>"})
    for (int64_t columns : {48, 37, 300})
      for (bool isTransposed : {false, true}) {
        const int64_t points = 192;
        const ContractCase form =
            matmul("matmul", 1, columns, points, false, isTransposed, order);
        const std::vector<int64_t> shape =
            isTransposed ? std::vector<int64_t>{columns, points}
                         : std::vector<int64_t>{points, columns};
        for (const PrologueText &text : prologues(shape, isTransposed ? 1 : 0))
          for (const Target *target : targets) {
            SCOPED_TRACE(text.name + ", " + std::to_string(columns) + ", " +
                         order + (isTransposed ? ", transposed, " : ", ") +
                         std::string(target->name));
            if (testing::draw(random, 1, 6) != 1)
              continue;
            testing::Program program(programOf(form, false, form.rhs, text));
            program.forms = kForms;
            program.setLasting(0);
            OwningOpRef<ModuleOp> kernels = program.formKernels();
            CompileOptions options;
            options.target = target;
            options.plan.preparedBytes = uint64_t(1) << 30;
            plan::Plan plan;
            EXPECT_TRUE(succeeded(compile(
                *kernels->getOps<func::FuncOp>().begin(), options, plan)));
            for (const plan::Launch &launch : plan.launches())
              prepared[target] += launch.prepares();
            testing::expectBits(program, getSchedules(), *target,
                                {random() % 2
                                     ? program.makeInputs(random())
                                     : program.makeFiniteInputs(random())});
          }
      }
  for (const Target *target : targets)
    EXPECT_GT(prepared[target], 5) << target->name;
}

} // namespace
} // namespace gensyn::cpu
