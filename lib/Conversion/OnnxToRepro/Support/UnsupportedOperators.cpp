// Operators without a conversion, each with its reason, for errors and for the
// table in docs/OnnxOperators.md. A test fails for an operator that is neither
// converted nor expanded nor listed here.

#include "OperatorTable.h"

#include "llvm/ADT/StringMap.h"

using namespace gensyn;

llvm::StringRef onnx_to_repro::whyOutOfReach(llvm::StringRef opType) {
  static constexpr llvm::StringLiteral strings = "strings are not supported";
  static constexpr llvm::StringLiteral sequences =
      "sequences are supported only if they fold at compile time";
  static constexpr llvm::StringLiteral optionals =
      "optionals are supported only if they fold at compile time";
  static const llvm::StringMap<llvm::StringLiteral> reasons = {
      {"StringConcat", strings},
      {"StringNormalizer", strings},
      {"StringSplit", strings},
      {"RegexFullMatch", strings},
      {"ImageDecoder", "compressed image files are decoded before the model"},
      {"ConcatFromSequence", sequences},
      {"SequenceConstruct", sequences},
      {"SequenceEmpty", sequences},
      {"SequenceErase", sequences},
      {"SequenceInsert", sequences},
      {"SequenceLength", sequences},
      {"Optional", optionals},
      {"OptionalGetElement", optionals},
      {"OptionalHasElement", optionals},
  };
  auto found = reasons.find(opType);
  if (found == reasons.end())
    return {};
  return found->second;
}
