// See FrozenModule.h.

#include "FrozenModule.h"

#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;

namespace gensyn {

/// Far above what the compiler prints: loops in branches in loops, in types.
static constexpr unsigned kMostLevels = 256;

/// The position behind a string literal that begins at `at`.
static size_t skipString(StringRef text, size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at)
    at += text[at] == '\\';
  return at + 1;
}

static constexpr StringLiteral kTooDeep = "is nested more than 256 levels deep";
static_assert(kMostLevels == 256);

/// Why a text is not handed to the parser: it has resources, which are read by
/// rules of their own (printFrozenModule() writes none), or the parser would
/// call itself too often: in brackets within brackets, or signs before signs.
/// An arrow closes nothing, and what is closed without having been opened is
/// left to the parser. Empty where it is handed over.
static StringRef whyNotParsed(StringRef text) {
  unsigned level = 0, signs = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    switch (text[at]) {
    case '"':
      at = skipString(text, at) - 1;
      break;
    case '/':
      if (text.substr(at).starts_with("//"))
        at = std::min(text.find('\n', at), text.size());
      break;
    case '{':
      if (text.substr(at).starts_with("{-#"))
        return "has resources";
      [[fallthrough]];
    case '(':
    case '[':
    case '<':
      ++level;
      break;
    case '-':
      if (text.substr(at).starts_with("->")) {
        ++at;
        break;
      }
      if (++signs > kMostLevels)
        return kTooDeep;
      continue;
    case ' ':
    case '\n':
      continue;
    case '=':
      // `>=` and `==` of conditions.
      break;
    case '>':
      if (text.substr(at).starts_with(">="))
        break;
      [[fallthrough]];
    case ')':
    case ']':
    case '}':
      level -= level != 0;
      break;
    default:
      break;
    }
    signs = 0;
    if (level > kMostLevels)
      return kTooDeep;
  }
  return "";
}

/// One function of one block, and nothing that the interpreter does not know.
static LogicalResult checkProgram(ModuleOp module) {
  auto main = module.lookupSymbol<func::FuncOp>("main");
  if (!main || !llvm::hasSingleElement(*module.getBody()))
    return module.emitError("expected one function, 'main'");
  if (!main.getBody().hasOneBlock())
    return main.emitError("expected a body of one block");
  WalkResult result = main.getBody().walk([](Operation *op) {
    if (op->hasTrait<OpTrait::IsTerminator>() ||
        isa<repro::ReferenceOpInterface>(op))
      return WalkResult::advance();
    op->emitOpError("has no reference meaning");
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

std::string printFrozenModule(ModuleOp module) {
  AttrTypeReplacer replacer;
  replacer.addReplacement([](DenseResourceElementsAttr resource) -> Attribute {
    return repro::toAttribute(resource.getContext(), repro::toTensor(resource));
  });
  OwningOpRef<ModuleOp> copy = module.clone();
  replacer.recursivelyReplaceElementsIn(*copy);
  std::string text;
  llvm::raw_string_ostream stream(text);
  copy->print(stream);
  return text;
}

OwningOpRef<ModuleOp> readFrozenModule(StringRef text, MLIRContext *context) {
  if (StringRef reason = whyNotParsed(text); !reason.empty()) {
    emitError(UnknownLoc::get(context)) << reason;
    return nullptr;
  }
  auto module = parseSourceString<ModuleOp>(text, context);
  if (!module || failed(checkProgram(*module)))
    return nullptr;
  return module;
}

} // namespace gensyn
