// See InterpretTranslation.h.

#include "gensyn/Pipelines/InterpretTranslation.h"

#include "../NumberOption.h"
#include "gensyn/Dialect/Gensyn/IR/Gensyn.h"
#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Pipelines/Register.h"
#include "gensyn/Reference/Interpreter.h"
#include "gensyn/Reference/StatedInputs.h"
#include "gensyn/Reference/Work.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/Support/FormatVariadic.h"

#include <cstring>

using namespace mlir;

namespace gensyn {
namespace {

/// The bits of an element, at most 64.
uint64_t bitsOf(const Tensor &tensor, int64_t element) {
  const auto bytes = static_cast<size_t>(byteWidth(tensor.elementType()));
  uint64_t bits = 0;
  std::memcpy(&bits, tensor.data() + static_cast<size_t>(element) * bytes,
              bytes);
  return bits;
}

LogicalResult reportDifference(func::FuncOp function, size_t number,
                               const Tensor &found, const Tensor &expected) {
  InFlightDiagnostic error = emitError(function.getLoc(), "result #")
                             << number << " of '" << function.getName() << "' ";
  if (found.elementType() != expected.elementType() ||
      found.shape() != expected.shape())
    return error << "is of another type than 'gensyn.expected'";
  int64_t count = 0, first = 0;
  for (int64_t i = found.numElements(); i-- > 0;)
    if (bitsOf(found, i) != bitsOf(expected, i))
      ++count, first = i;
  return error << "differs in " << count << " of " << found.numElements()
               << " elements; the first is element " << first
               << llvm::formatv(": found bits {0:x}, expected {1:x}",
                                bitsOf(found, first), bitsOf(expected, first))
                      .str();
}

/// Runs one function. Sets `differs` if a result is not the expected one.
LogicalResult interpret(func::FuncOp function, raw_ostream &output,
                        bool &differs) {
  unsigned missing = 0;
  auto inputs = reference::getStatedInputs(function, missing);
  if (!inputs)
    return emitError(function.getLoc(), "argument #")
           << missing << " of '" << function.getName()
           << "' has no 'gensyn.input' of its type";
  auto results = reference::interpret(function, *inputs);
  if (failed(results))
    return failure();
  bool isAsExpected = true;
  for (auto [i, found] : llvm::enumerate(*results)) {
    output << "@" << function.getName() << "[" << i << "] = ";
    auto expected = function.getResultAttrOfType<DenseElementsAttr>(
        static_cast<unsigned>(i), program::kExpectedAttr);
    if (!expected) {
      output << repro::toAttribute(function.getContext(), found) << "\n";
    } else if (const Tensor wanted = repro::toTensor(expected);
               found.bitEqual(wanted)) {
      output << "as expected\n";
    } else {
      isAsExpected = false;
      (void)reportDifference(function, i, found, wanted);
    }
  }
  differs |= !isAsExpected;
  return success(isAsExpected);
}

/// Fails if the functions of a module would compute more than `limit` elements
/// and operations, unless it is 0.
LogicalResult checkWork(ModuleOp module, uint64_t limit, ExitCode &exitCode) {
  const auto work = static_cast<uint64_t>(reference::countWork(module));
  if (limit == 0 || work <= limit)
    return success();
  exitCode = ExitCode::OutOfResources;
  return emitError(module.getLoc(), "the module computes ")
         << work << " elements and operations, at most " << limit
         << " are interpreted (--interpret-work)";
}

} // namespace

void registerInterpretTranslation(ExitCode &exitCode,
                                  std::string &numberProblem) {
  static llvm::cl::opt<uint64_t, false, NumberParser<uint64_t>> limit(
      "interpret-work",
      llvm::cl::desc("Elements and floating-point operations that --interpret "
                     "computes at most; 0: any number"),
      llvm::cl::init(uint64_t{reference::kDefaultWork}));
  limit.getParser().reportTo(numberProblem);
  static TranslateFromMLIRRegistration registration(
      "interpret",
      "The results of the functions of a module of repro ops, by the reference "
      "interpreter, for the 'gensyn.input' attributes of their arguments; "
      "'gensyn.expected' attributes of results are compared bit by bit",
      [&exitCode](ModuleOp module, raw_ostream &output) -> LogicalResult {
        if (failed(checkWork(module, limit, exitCode)))
          return failure();
        bool isGood = true, differs = false, hasFunction = false;
        for (auto function : module.getOps<func::FuncOp>()) {
          if (function.isExternal())
            continue;
          hasFunction = true;
          isGood &= succeeded(interpret(function, output, differs));
        }
        if (!hasFunction)
          return emitError(module.getLoc(),
                           "the module has no function to interpret");
        if (differs)
          exitCode = ExitCode::Mismatch;
        return success(isGood);
      },
      registerAllDialects);
}

} // namespace gensyn
