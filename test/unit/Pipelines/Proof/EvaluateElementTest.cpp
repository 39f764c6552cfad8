// Each element, computed from the tiles that "evaluate" asks for, has the bits
// of the reference's whole tensor: ops of random programs.

#include "Compiler.h"
#include "Proof/ListEntries.h"
#include "RandomPrograms/Generator.h"
#include "gensyn/CheckBits/Inputs.h"
#include "gensyn/Dialect/Repro/Transforms/Passes.h"
#include "gensyn/Pipelines/Register.h"
#include "gensyn/Reference/Interpreter.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <set>

using namespace mlir;

namespace gensyn {
namespace {

using random_programs::Generator;
using random_programs::Random;

/// The elements of a tile of a tensor, one by one.
std::string readTile(const Tensor &tensor,
                     const plan::EvaluateResponse::Tile &tile) {
  const auto width = size_t(byteWidth(tensor.elementType()));
  std::vector<size_t> offsets = {0};
  for (size_t d = 0; d < tensor.shape().size(); ++d) {
    const plan::EvaluateResponse::Range &range = tile.ranges(int(d));
    std::vector<size_t> inner;
    for (size_t offset : offsets)
      for (int64_t i = 0; i < range.size(); ++i)
        inner.push_back(offset * size_t(tensor.shape()[d]) +
                        size_t(range.begin() + i * range.stride()));
    offsets = std::move(inner);
  }
  std::string bytes;
  for (size_t offset : offsets)
    bytes.append(reinterpret_cast<const char *>(tensor.data()) + offset * width,
                 width);
  return bytes;
}

std::string readElement(const Tensor &tensor, uint64_t element) {
  const auto width = size_t(byteWidth(tensor.elementType()));
  return {reinterpret_cast<const char *>(tensor.data()) + element * width,
          width};
}

/// A frozen program, and the values that the reference computes.
class Program {
public:
  Program(MLIRContext &context, const random_programs::Vocabulary &vocabulary,
          uint64_t seed)
      : context(context), random(seed),
        module(ModuleOp::create(UnknownLoc::get(&context))) {
    OpBuilder builder(module->getBodyRegion());
    auto main = func::FuncOp::create(builder, builder.getUnknownLoc(), "main",
                                     builder.getFunctionType({}, {}));
    Block *block = main.addEntryBlock();
    Generator generator(*block, vocabulary, seed);
    const bool isLarge = seed % 16 == 0;
    if (isLarge)
      generator.size = random_programs::Size::large();
    const SmallVector<Value> results = generator.makeProgram(isLarge ? 2 : 6);
    builder.setInsertionPointToEnd(block);
    func::ReturnOp::create(builder, builder.getUnknownLoc(), results);
    main.setType(builder.getFunctionType(block->getArgumentTypes(),
                                         ValueRange(results).getTypes()));
    PassManager freeze(&context);
    freeze.addPass(repro::createFreezePass());
    if (failed(freeze.run(*module)))
      return;
    values = checkbits::makeInputs(main.getArgumentTypes(), seed,
                                   unsigned(seed % checkbits::kNumMixes));
    auto listed = repro::listProgramEntries(*module);
    EXPECT_TRUE(succeeded(listed));
    if (succeeded(listed))
      entries = std::move(listed->ops);
  }

  /// Compares some elements of all ops, and counts them by the op's name.
  void check(std::map<std::string, int> &compared) {
    for (const repro::ProgramEntry &entry : entries)
      checkOp(entry, compared);
  }

private:
  void checkOp(const repro::ProgramEntry &entry,
               std::map<std::string, int> &compared) {
    plan::EntriesResponse::Described described;
    describeEntry(entry, described);
    SmallVector<Tensor> operands;
    for (int i = 0; i < described.text().operands_size(); ++i)
      operands.push_back(described.text().operands(i).constant().empty()
                             ? values.at(described.text().operands(i).value())
                             : *readTensor(described.constants(i)));
    SCOPED_TRACE(described.text().module());
    auto alone =
        parseSourceString<ModuleOp>(described.text().module(), &context);
    ASSERT_TRUE(alone);
    auto results =
        reference::interpret(*alone->getOps<func::FuncOp>().begin(), operands);
    ASSERT_TRUE(succeeded(results));
    const std::string name = entry.op->getName().stripDialect().str();
    for (uint32_t result = 0; result < results->size(); ++result) {
      const Tensor &whole = (*results)[result];
      values.push_back(whole);
      const auto count = uint64_t(whole.numElements());
      std::set<uint64_t> elements;
      if (count > 0)
        elements = {0, count - 1, random() % count};
      for (uint64_t element : elements) {
        checkElement(entry, described.text(), operands, result, element,
                     readElement(whole, element));
        ++compared[name];
      }
    }
  }

  void checkElement(const repro::ProgramEntry &entry,
                    const plan::EntryText &text, ArrayRef<Tensor> operands,
                    uint32_t result, uint64_t element,
                    const std::string &expected) {
    plan::EvaluateRequest request;
    *request.mutable_text() = text;
    request.set_result(result);
    request.set_element(element);
    const plan::EvaluateResponse needed = evaluateElement(request);
    ASSERT_EQ(needed.error().exit_code(), 0) << needed.error().message();
    EXPECT_TRUE(needed.encoding() == entry.encoding);
    ASSERT_EQ(needed.tiles_size(), int(operands.size()));
    for (auto [operand, tile] : llvm::zip_equal(operands, needed.tiles())) {
      ASSERT_EQ(tile.ranges_size(), int(operand.shape().size()));
      request.add_tiles(readTile(operand, tile));
    }
    request.set_has_tiles(true);
    const plan::EvaluateResponse response = evaluateElement(request);
    ASSERT_EQ(response.error().exit_code(), 0) << response.error().message();
    EXPECT_TRUE(response.value() == expected)
        << "result " << result << ", element " << element;
  }

  MLIRContext &context;
  Random random;
  OwningOpRef<ModuleOp> module;
  std::vector<Tensor> values;
  std::vector<repro::ProgramEntry> entries;
};

TEST(EvaluateElement, HasTheBitsOfTheWholeTensor) {
  DialectRegistry registry;
  registerAllDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  const random_programs::Vocabulary vocabulary =
      random_programs::findVocabulary(context);
  std::map<std::string, int> compared;
  const bool isLong = std::getenv("GENSYN_TEST_ALL");
  for (uint64_t seed = 1; seed <= (isLong ? 3000 : 60) && !HasFailure();
       ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Program(context, vocabulary, seed).check(compared);
  }
  // Each way to cut an op, and those that are whole.
  for (const char *name :
       {"add",         "arg_reduce", "broadcast", "concat",  "contract",
        "gather",      "if",         "iota",      "loop",    "pad",
        "random_bits", "reduce",     "reshape",   "reverse", "scan",
        "scatter",     "select",     "slice",     "sort",    "transpose"})
    EXPECT_GT(compared[name], 0) << name;
}

} // namespace
} // namespace gensyn
