// One OperationName::Impl serves every op that comes from a schema: the hooks
// that TableGen would generate, driven by the schema at run time. MLIR's own
// DynamicOpDefinition cannot be used: its ops have no traits, are never merged
// by CSE, and abort on getInherentAttr.

#include "SchemaOp.h"
#include "gensyn/Dialect/Onnx/IR/NodeOp.h"

#include "onnx/defs/schema.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace gensyn::onnx {
namespace {

/// Random ops have an effect, so that they are kept and not merged; all others
/// are pure.
struct NodeEffects : MemoryEffectOpInterface::FallbackModel<NodeEffects> {
  void
  getEffects(Operation *op,
             SmallVectorImpl<MemoryEffects::EffectInstance> &effects) const {
    // Not OpSchema::GetNodeDeterminism(): it also returns NonDeterministic for
    // If, Loop, Scan and AffineGrid. Every random operator has an attribute
    // `seed`.
    if (NodeOp(op).schema().attributes().count("seed"))
      effects.emplace_back(MemoryEffects::Write::get());
  }
};

/// Result names from the location, so that text reads like the model.
struct NodeNames : OpAsmOpInterface::ExternalModel<NodeNames, NoneOp> {
  void getAsmResultNames(Operation *op, OpAsmSetValueNameFn set) const {
    auto loc = dyn_cast<NameLoc>(op->getLoc());
    if (op->getNumResults() == 0 || !loc)
      return;
    // "/" would print as "2F", and exporters use it in every name.
    std::string name = loc.getName().str();
    for (char &c : name)
      c = llvm::isAlnum(c) ? c : '_';
    set(op->getResult(0), StringRef(name).ltrim('_'));
  }
};

mlir::detail::InterfaceMap nodeInterfaces() {
  mlir::detail::InterfaceMap map;
  map.insertModels<NodeEffects, NodeNames>();
  return map;
}

struct SchemaOpImpl final : OperationName::Impl {
  SchemaOpImpl(Dialect *dialect, TypeID id, const ::onnx::OpSchema &schema)
      : Impl(OnnxDialect::opName(schema), dialect, id, nodeInterfaces()),
        schema(schema), regionNames(graphAttributes(schema)) {}

  // Folding needs the evaluator of lib/Dialect/Onnx/Transforms; see
  // --onnx-infer-shapes.
  LogicalResult foldHook(Operation *, ArrayRef<Attribute>,
                         SmallVectorImpl<OpFoldResult> &) override {
    return failure();
  }
  void getCanonicalizationPatterns(RewritePatternSet &,
                                   MLIRContext *) override {}
  bool hasTrait(TypeID id) override {
    // The regions of If, Loop and Scan have the effects of their ops only.
    return !regionNames.empty() &&
           id == TypeID::get<OpTrait::HasRecursiveMemoryEffects>();
  }
  OperationName::ParseAssemblyFn getParseAssemblyFn() override {
    return [this](OpAsmParser &parser, OperationState &state) {
      return parse(parser, state);
    };
  }
  void populateDefaultAttrs(const OperationName &, NamedAttrList &) override {}
  void printAssembly(Operation *op, OpAsmPrinter &printer, StringRef) override {
    print(op, printer);
  }
  LogicalResult verifyInvariants(Operation *op) override {
    return verifyNode(op, schema);
  }
  LogicalResult verifyRegionInvariants(Operation *) override {
    return success();
  }

  // Attributes live in the op's dictionary: there is no property storage.
  std::optional<Attribute> getInherentAttr(Operation *op,
                                           StringRef name) override {
    return op->getDiscardableAttr(name);
  }
  void setInherentAttr(Operation *op, StringAttr name,
                       Attribute value) override {
    op->setDiscardableAttr(name, value);
  }
  void populateInherentAttrs(Operation *, NamedAttrList &) override {}
  LogicalResult
  verifyInherentAttrs(OperationName, NamedAttrList &,
                      function_ref<InFlightDiagnostic()>) override {
    return success();
  }
  int getOpPropertyByteSize() override { return 0; }
  void initProperties(OperationName, OpaqueProperties,
                      OpaqueProperties) override {}
  void deleteProperties(OpaqueProperties) override {}
  void populateDefaultProperties(OperationName, OpaqueProperties) override {}
  LogicalResult
  setPropertiesFromAttr(OperationName, OpaqueProperties, Attribute,
                        function_ref<InFlightDiagnostic()> error) override {
    return error() << "onnx ops keep attributes in { }, not in <{ }>";
  }
  Attribute getPropertiesAsAttr(Operation *) override { return {}; }
  void copyProperties(OpaqueProperties, OpaqueProperties) override {}
  bool compareProperties(OpaqueProperties, OpaqueProperties) override {
    return true;
  }
  llvm::hash_code hashProperties(OpaqueProperties) override { return {}; }

private:
  // onnx.If.v11(%c) then_branch {...} else_branch {...} {attrs} : (...) -> ...
  ParseResult parse(OpAsmParser &parser, OperationState &state);
  void print(Operation *op, OpAsmPrinter &printer);

  const ::onnx::OpSchema &schema;
  const std::vector<std::string> regionNames;
};

ParseResult SchemaOpImpl::parse(OpAsmParser &parser, OperationState &state) {
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  FunctionType type;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseOperandList(operands, OpAsmParser::Delimiter::Paren))
    return failure();
  for (const std::string &name : regionNames)
    if (parser.parseKeyword(name) || parser.parseRegion(*state.addRegion()))
      return failure();
  if (parser.parseOptionalAttrDict(state.attributes) ||
      parser.parseColonType(type) ||
      parser.resolveOperands(operands, type.getInputs(), loc, state.operands))
    return failure();
  state.addTypes(type.getResults());
  return success();
}

void SchemaOpImpl::print(Operation *op, OpAsmPrinter &printer) {
  printer << op->getName() << '(' << op->getOperands() << ')';
  for (auto [name, region] : llvm::zip(regionNames, op->getRegions())) {
    printer << ' ' << name << ' ';
    printer.printRegion(region);
  }
  printer.printOptionalAttrDict(op->getAttrs());
  printer << " : ";
  printer.printFunctionalType(op);
}
} // namespace

OperationName registerSchemaOp(OnnxDialect &dialect, TypeID id,
                               const ::onnx::OpSchema &schema) {
  auto impl = std::make_unique<SchemaOpImpl>(&dialect, id, schema);
  StringAttr name = impl->getName();
  RegisteredOperationName::insert(std::move(impl), /*attrNames=*/{});
  return OperationName(name, dialect.getContext());
}
} // namespace gensyn::onnx
