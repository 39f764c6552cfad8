// Every operator of every operator set: an op is built from its schema,
// verified, printed and parsed.

#include "gensyn/Dialect/Onnx/IR/NodeOp.h"
#include "gensyn/Dialect/Onnx/IR/Types.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "onnx/defs/data_type_utils.h"
#include "onnx/defs/schema.h"
#include "onnx/onnx_pb.h"

#include <gtest/gtest.h>

#include <set>

using namespace mlir;
using Kind = ::onnx::AttributeProto;
using Formal = ::onnx::OpSchema::FormalParameter;

namespace gensyn {
namespace {

/// A type that the formal allows: float32 where it can be.
Type typeFor(MLIRContext *context, const Formal &formal) {
  std::set<std::string> names;
  for (::onnx::DataType type : formal.GetTypes())
    names.insert(*type);
  std::string name =
      names.count("tensor(float)") ? "tensor(float)" : *names.begin();
  return onnx::importType(context,
                          ::onnx::Utils::DataTypeUtils::ToTypeProto(
                              ::onnx::Utils::DataTypeUtils::ToType(name)));
}

SmallVector<Type> typesFor(MLIRContext *context,
                           const std::vector<Formal> &formals, int least) {
  SmallVector<Type> types;
  for (const Formal &formal : formals)
    types.push_back(typeFor(context, formal));
  while (int(types.size()) < least)
    types.push_back(types.back());
  return types;
}

Attribute attributeFor(Builder b, Kind::AttributeType kind) {
  auto tensor =
      DenseElementsAttr::get(RankedTensorType::get({1}, b.getF32Type()), 1.0f);
  Attribute type = TypeAttr::get(tensor.getType());
  auto sparse = b.getDictionaryAttr(
      {b.getNamedAttr("dims", b.getDenseI64ArrayAttr({4})),
       b.getNamedAttr("indices", tensor), b.getNamedAttr("values", tensor)});
  switch (kind) {
  case Kind::INT:
    return b.getI64IntegerAttr(1);
  case Kind::FLOAT:
    return b.getF32FloatAttr(0.5f);
  case Kind::STRING:
    return b.getStringAttr("a \"b\"\n");
  case Kind::TENSOR:
    return tensor;
  case Kind::INTS:
    return b.getDenseI64ArrayAttr({1, -2});
  case Kind::FLOATS:
    return b.getDenseF32ArrayAttr({0.5f});
  case Kind::STRINGS:
    return b.getArrayAttr({b.getStringAttr("x")});
  case Kind::TENSORS:
    return b.getArrayAttr({tensor});
  case Kind::TYPE_PROTO:
    return type;
  case Kind::TYPE_PROTOS:
    return b.getArrayAttr({type});
  case Kind::SPARSE_TENSOR:
    return sparse;
  case Kind::SPARSE_TENSORS:
    return b.getArrayAttr({sparse});
  default:
    return {};
  }
}

/// A function with one node of the schema, all of its attributes and subgraphs
/// given.
OwningOpRef<ModuleOp> moduleFor(MLIRContext *context,
                                const ::onnx::OpSchema &schema) {
  OpBuilder b(context);
  Location loc = b.getUnknownLoc();
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  b.setInsertionPointToEnd(module->getBody());
  SmallVector<Type> inputs =
      typesFor(context, schema.inputs(), schema.min_input());
  auto function =
      func::FuncOp::create(b, loc, "f", b.getFunctionType(inputs, {}));
  b.setInsertionPointToStart(function.addEntryBlock());
  OperationState state(loc, onnx::OnnxDialect::opName(schema));
  state.addOperands(ValueRange(function.getArguments()));
  state.addTypes(typesFor(context, schema.outputs(), schema.min_output()));
  for (auto &[name, attribute] : schema.attributes())
    if (Attribute value = attributeFor(b, attribute.type))
      state.addAttribute(name, value);
  for (size_t i = 0; i < onnx::graphAttributes(schema).size(); ++i) {
    OpBuilder inner(context);
    Block &block = state.addRegion()->emplaceBlock();
    inner.setInsertionPointToStart(&block);
    // Bodies of loops take the node's operands. There may be more outputs than
    // required, and a value from outside the node is allowed.
    if (schema.Name() == "Loop" || schema.Name() == "Scan")
      for (Type type : inputs)
        block.addArgument(type, loc);
    SmallVector<Value> outputs(
        inputs.empty() ? 0 : state.types.size() + inputs.size(),
        inputs.empty() ? Value() : function.getArgument(0));
    onnx::YieldOp::create(inner, loc, outputs);
  }
  b.create(state);
  func::ReturnOp::create(b, loc);
  return module;
}

std::string textOf(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream(text) << module;
  return text;
}

TEST(AllOperators, BuildVerifyPrintParse) {
  MLIRContext context;
  context.loadDialect<func::FuncDialect, onnx::OnnxDialect>();
  int count = 0;
  for (const ::onnx::OpSchema &schema :
       ::onnx::OpSchemaRegistry::get_all_schemas_with_history()) {
    SCOPED_TRACE(onnx::OnnxDialect::opName(schema));
    OwningOpRef<ModuleOp> module = moduleFor(&context, schema);
    ASSERT_TRUE(succeeded(verify(*module)));
    std::string text = textOf(*module);
    OwningOpRef<ModuleOp> parsed = parseSourceString<ModuleOp>(text, &context);
    ASSERT_TRUE(parsed);
    EXPECT_TRUE(succeeded(verify(*parsed)));
    EXPECT_EQ(textOf(*parsed), text);
    ++count;
  }
  EXPECT_EQ(count, 659); // of ONNX 1.23: another library has another number
}

TEST(AllOperators, EveryAttributeKindIsVerified) {
  MLIRContext context;
  context.loadDialect<func::FuncDialect, onnx::OnnxDialect>();
  ScopedDiagnosticHandler quiet(&context,
                                [](Diagnostic &) { return success(); });
  std::set<int> kinds;
  for (const ::onnx::OpSchema &schema :
       ::onnx::OpSchemaRegistry::get_all_schemas_with_history()) {
    OwningOpRef<ModuleOp> module = moduleFor(&context, schema);
    Operation *node = &module->getBody()->front().getRegion(0).front().front();
    for (auto &[name, attribute] : schema.attributes()) {
      if (attribute.type == Kind::GRAPH)
        continue;
      kinds.insert(attribute.type);
      Attribute right = node->getAttr(name);
      node->setAttr(name, UnitAttr::get(&context));
      EXPECT_TRUE(failed(verify(*module)))
          << node->getName().getStringRef().str() << " " << name;
      node->setAttr(name, right);
    }
  }
  EXPECT_EQ(kinds.size(), 9u); // the kinds that the library's operators have
}

/// Operands of variadic inputs too: the library's functions read their types
/// without a check.
TEST(AllOperators, RequiredOperandsMayNotBeAbsent) {
  MLIRContext context;
  context.loadDialect<func::FuncDialect, onnx::OnnxDialect>();
  std::string message;
  ScopedDiagnosticHandler handler(
      &context, [&](Diagnostic &diagnostic) { message += diagnostic.str(); });
  int count = 0, variadic = 0;
  for (const ::onnx::OpSchema &schema :
       ::onnx::OpSchemaRegistry::get_all_schemas_with_history()) {
    SCOPED_TRACE(onnx::OnnxDialect::opName(schema));
    OwningOpRef<ModuleOp> module = moduleFor(&context, schema);
    Operation *node = &module->getBody()->front().getRegion(0).front().front();
    OpBuilder b(node);
    Value none = onnx::NoneOp::create(b, b.getUnknownLoc(), b.getNoneType());
    for (OpOperand &operand : node->getOpOperands()) {
      const size_t place = std::min<size_t>(operand.getOperandNumber(),
                                            schema.inputs().size() - 1);
      const Formal &formal = schema.inputs()[place];
      if (formal.GetOption() == ::onnx::OpSchema::Optional)
        continue;
      message.clear();
      Value given = operand.get();
      operand.set(none);
      EXPECT_TRUE(failed(verify(*module)));
      EXPECT_NE(message.find("'" + formal.GetName() + "' may not be absent"),
                std::string::npos)
          << message;
      operand.set(given);
      ++count;
      variadic += formal.GetOption() == ::onnx::OpSchema::Variadic;
    }
  }
  EXPECT_GT(count, 800);
  EXPECT_GT(variadic, 40);
}
} // namespace
} // namespace gensyn
