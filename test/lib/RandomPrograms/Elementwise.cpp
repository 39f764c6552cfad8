// Elementwise ops, found by trying instead of from a list.

#include "Generator.h"

#include "gensyn/CheckBits/Compiled.h"
#include "gensyn/CheckBits/Inputs.h"
#include "gensyn/Codegen/Kernel/EmitLoops.h"
#include "gensyn/Reference/Interpreter.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/ScopeExit.h"

using namespace mlir;
using namespace gensyn::repro;

namespace gensyn::random_programs {

/// Values that an attribute of an elementwise op may have: its case, or a flag.
static SmallVector<Attribute> candidatesFor(StringRef name,
                                            MLIRContext *context) {
  SmallVector<Attribute> result;
  if (name == "kind") {
    for (int i = 0; i < 6; ++i)
      result.push_back(
          CompareKindAttr::get(context, static_cast<CompareKind>(i)));
    for (int i = 0; i < 4; ++i)
      result.push_back(RoundKindAttr::get(context, static_cast<RoundKind>(i)));
  } else if (name == "round") {
    for (int i = 0; i < 3; ++i)
      result.push_back(
          ScaleRoundingAttr::get(context, static_cast<ScaleRounding>(i)));
    result.push_back({}); // it may be absent
  } else {
    result = {UnitAttr::get(context), {}};
  }
  return result;
}

namespace {

/// Tries ops on tensors of three elements.
class Prober {
public:
  Prober(MLIRContext &context, Vocabulary &out)
      : builder(&context), out(out),
        scratch(ModuleOp::create(UnknownLoc::get(&context))) {}
  ~Prober() { scratch->erase(); }

  void probe(RegisteredOperationName name) {
    SmallVector<NamedAttrList> variants = {NamedAttrList()};
    for (StringAttr attribute : name.getAttributeNames()) {
      SmallVector<NamedAttrList> more;
      for (const NamedAttrList &variant : variants)
        for (Attribute value :
             candidatesFor(attribute.getValue(), builder.getContext())) {
          more.push_back(variant);
          if (value)
            more.back().set(attribute, value);
        }
      variants = more;
    }
    std::vector<Pattern> patterns;
    auto attempt = [&](ArrayRef<Type> operands, Type result) {
      for (const NamedAttrList &variant : variants)
        if (isValid({name, llvm::to_vector(operands), result, variant}))
          patterns.push_back(
              {name, llvm::to_vector(operands), result, variant});
    };
    Type flag = builder.getI1Type();
    for (Type type : out.elements) {
      for (Type result : out.elements)
        attempt({type}, result);
      attempt({type, type}, type);
      if (!type.isInteger(1))
        attempt({type, type}, flag);
      attempt({type, type, type}, type);
      if (!type.isInteger(1))
        attempt({flag, type, type}, type);
    }
    if (!patterns.empty())
      out.elementwise.push_back(std::move(patterns));
  }

private:
  Type tensor(Type element) { return RankedTensorType::get({3}, element); }

  Operation *create(const Pattern &pattern, ValueRange operands) {
    OperationState state(builder.getUnknownLoc(), pattern.name);
    state.addOperands(operands);
    state.addTypes(tensor(pattern.result));
    state.addAttributes(pattern.attributes);
    return builder.create(state);
  }

  /// True if the verifier accepts the op, and the reference and the lowering
  /// support it. Ops that only the verifier and the reference support
  /// (functions of f64) are recorded.
  bool isValid(const Pattern &pattern) {
    Block block;
    builder.setInsertionPointToEnd(&block);
    SmallVector<Value> arguments;
    for (Type type : pattern.operands)
      arguments.push_back(
          block.addArgument(tensor(type), builder.getUnknownLoc()));
    Operation *op = create(pattern, arguments);
    if (failed(mlir::verify(op)))
      return false;
    auto reference = dyn_cast<ReferenceOpInterface>(op);
    SmallVector<Tensor> inputs;
    for (Type type : pattern.operands)
      inputs.emplace_back(*getElementType(type), std::vector<int64_t>{3});
    if (reference && succeeded(reference.evaluate(inputs)) &&
        isEmitted(pattern))
      return true;
    std::string text;
    llvm::raw_string_ostream stream(text);
    stream << op->getName().stripDialect();
    for (Type type : pattern.operands)
      stream << " " << type;
    stream << " to " << pattern.result;
    out.notEmitted.push_back(text);
    return false;
  }

  bool isEmitted(const Pattern &pattern) {
    builder.setInsertionPointToEnd(scratch.getBody());
    SmallVector<Type> types;
    for (Type type : pattern.operands)
      types.push_back(tensor(type));
    auto function =
        func::FuncOp::create(builder, builder.getUnknownLoc(), "probe",
                             builder.getFunctionType(types, {}));
    Block *entry = function.addEntryBlock();
    builder.setInsertionPointToEnd(entry);
    auto kernel = repro::KernelOp::create(builder, builder.getUnknownLoc(),
                                          tensor(pattern.result), "k",
                                          entry->getArguments(), Attribute());
    Block &body = kernel.getBody().emplaceBlock();
    for (Type type : types)
      body.addArgument(type, builder.getUnknownLoc());
    builder.setInsertionPointToEnd(&body);
    Operation *op = create(pattern, body.getArguments());
    repro::YieldOp::create(builder, builder.getUnknownLoc(), op->getResults());
    auto emitted = codegen::convertKernelToLinalg(kernel, scratch);
    const bool ok = succeeded(emitted);
    if (ok)
      emitted->erase();
    function.erase();
    return ok;
  }

  OpBuilder builder;
  Vocabulary &out;
  ModuleOp scratch;
};

} // namespace

static std::vector<Type> findElements(MLIRContext &context) {
  std::vector<Type> result;
  for (int i = 0; i < kNumElementTypes; ++i)
    result.push_back(getMlirType(&context, static_cast<ElementType>(i)));
  return result;
}

/// True if the reference evaluates an op of the maker and code is emitted for
/// it: an op may be registered before either exists.
static bool works(unsigned maker, const Vocabulary &vocabulary,
                  MLIRContext &context) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context));
    OpBuilder builder(module->getBodyRegion());
    auto function =
        func::FuncOp::create(builder, builder.getUnknownLoc(), "main",
                             builder.getFunctionType({}, {}));
    Block *block = function.addEntryBlock();
    Generator generator(*block, vocabulary, seed);
    if (!getMakers()[maker].make(generator))
      continue;
    builder.setInsertionPointToEnd(block);
    ValueRange results = block->back().getResults();
    if (results.empty()) // a check
      results = block->back().getOperands();
    func::ReturnOp::create(builder, builder.getUnknownLoc(), results);
    function.setType(
        builder.getFunctionType(block->getArgumentTypes(), results.getTypes()));
    auto inputs = checkbits::makeInputs(function.getArgumentTypes(), 1, 0);
    if (failed(reference::interpret(function, inputs)))
      continue;
    auto compiled =
        checkbits::Compiled::compile(function, checkbits::getCpuTargets()[0]);
    if (compiled)
      return true;
    llvm::consumeError(compiled.takeError());
  }
  return false;
}

Vocabulary findVocabulary(MLIRContext &context) {
  ScopedDiagnosticHandler quiet(&context,
                                [](Diagnostic &) { return success(); });
  Vocabulary result;
  result.elements = findElements(context);
  {
    Prober prober(context, result);
    for (RegisteredOperationName name : context.getRegisteredOperations())
      if (name.getDialectNamespace() == ReproDialect::getDialectNamespace() &&
          name.hasTrait<OpTrait::Elementwise>())
        prober.probe(name);
  }
  for (unsigned i = 0; i < getMakers().size(); ++i)
    if (works(i, result, context))
      result.makers.push_back(i);
    else
      result.absentFamilies.push_back(getMakers()[i].name.str());
  return result;
}

/// A form of some op that takes an element of this type; null if none was
/// chosen.
static const Pattern *drawPattern(Generator &g, Type element) {
  const auto &ops = g.vocabulary.elementwise;
  for (int attempt = 0; attempt < 24; ++attempt) {
    const std::vector<Pattern> &patterns = g.random.pick(ops);
    // Chains consist of arithmetic on several operands, but that is only a
    // third of the ops.
    if (patterns.front().operands.size() == 1 && g.random.chance(2, 3))
      continue;
    SmallVector<const Pattern *> fitting;
    for (const Pattern &pattern : patterns)
      if (llvm::is_contained(pattern.operands, element))
        fitting.push_back(&pattern);
    if (!fitting.empty())
      return g.random.pick(fitting);
  }
  return nullptr;
}

bool makeElementwise(Generator &g) {
  Value first = g.any();
  auto type = cast<RankedTensorType>(first.getType());
  const Pattern *drawn = drawPattern(g, type.getElementType());
  if (!drawn)
    return false;
  const Pattern &pattern = *drawn;
  SmallVector<Value> operands;
  bool used = false;
  for (Type element : pattern.operands) {
    if (!used && element == type.getElementType()) {
      operands.push_back(first);
      used = true;
    } else {
      operands.push_back(g.operand(type.getShape(), element));
    }
  }
  if (operands.size() > 1 && operands[0].getType() == operands[1].getType() &&
      g.random.chance(1, 2))
    std::swap(operands[0], operands[1]);
  OperationState state(g.location(), pattern.name);
  state.addOperands(operands);
  state.addTypes(RankedTensorType::get(type.getShape(), pattern.result));
  state.addAttributes(pattern.attributes);
  return g.take(g.builder.create(state));
}

} // namespace gensyn::random_programs
