// Replaces nodes by the bodies that their schemas give, in MLIR: types are
// known there, which context-dependent bodies need. A body may be of another
// operator set than the model, since every op carries its version.

#include "gensyn/Dialect/Onnx/IR/GraphBuilder.h"
#include "gensyn/Dialect/Onnx/IR/LibraryError.h"
#include "gensyn/Dialect/Onnx/IR/NodeOp.h"
#include "gensyn/Dialect/Onnx/IR/Tensors.h"
#include "gensyn/Dialect/Onnx/IR/Types.h"
#include "gensyn/Dialect/Onnx/Transforms/Inference.h"
#include "gensyn/Dialect/Onnx/Transforms/Passes.h"
#include "onnx/defs/schema.h"
#include "onnx/onnx_pb.h"

using namespace mlir;

namespace gensyn::onnx {
#define GEN_PASS_DEF_ONNXINLINEFUNCTIONSPASS
#include "gensyn/Dialect/Onnx/Transforms/Passes.h.inc"

namespace {

/// The node as a schema's body builder sees it.
struct BodyContext : ::onnx::FunctionBodyBuildContext {
  explicit BodyContext(Operation *op) : op(op), types(op->getNumOperands()) {
    for (auto [i, value] : llvm::enumerate(op->getOperands()))
      if (::onnx::TypeProto type; exportType(value.getType(), type))
        types[i] = type;
    auto &formals = NodeOp(op).schema().attributes();
    for (NamedAttribute attribute : op->getAttrs())
      if (auto it = formals.find(attribute.getName().str());
          it != formals.end())
        exportAttribute(attribute.getName(), attribute.getValue(),
                        it->second.type, attributes[it->first]);
  }
  const ::onnx::AttributeProto *
  getAttribute(const std::string &name) const override {
    auto it = attributes.find(name);
    return it == attributes.end() ? nullptr : &it->second;
  }
  bool hasInput(int i) const override {
    return i < int(op->getNumOperands()) &&
           !isa<NoneType>(op->getOperand(i).getType());
  }
  bool hasOutput(int i) const override {
    return i < int(op->getNumResults()) &&
           !isa<NoneType>(op->getResult(i).getType());
  }
  const ::onnx::TypeProto *getInputType(int i) const override {
    return i < int(types.size()) && types[i] ? &*types[i] : nullptr;
  }

  Operation *op;
  std::vector<std::optional<::onnx::TypeProto>> types;
  AttributeMap attributes;
};

/// Success without a body if the schema has none for this node.
LogicalResult bodyOf(const ::onnx::OpSchema &schema, BodyContext &context,
                     int opset, ::onnx::FunctionProto &body, bool &found) {
  found = true;
  // A body may be of a newer operator set than the model: each op has its
  // version.
  constexpr int newest = ::onnx::OpSchema::kUninitializedSinceVersion;
  try {
    if (schema.HasContextDependentFunction())
      found = schema.BuildContextDependentFunction(context, body, opset) ||
              schema.BuildContextDependentFunction(context, body, newest);
    else if (const ::onnx::FunctionProto *fixed =
                 schema.GetFunction(opset) ? schema.GetFunction(opset)
                                           : schema.GetFunction(newest))
      body = *fixed;
    else
      found = false;
  } catch (const std::exception &e) {
    return context.op->emitOpError()
           << "has a body that cannot be built: " << describeLibraryError(e);
  }
  return success();
}

LogicalResult expand(NodeOp node, int opset, bool &changed) {
  Operation *op = node;
  if (op->getNumRegions())
    return success();
  BodyContext context(op);
  ::onnx::FunctionProto body;
  bool found;
  if (failed(bodyOf(node.schema(), context, opset, body, found)) || !found)
    return success(!found);
  for (auto &[name, attribute] :
       node.schema().attributes()) // a body refers to defaults too
    if (attribute.default_value.has_name())
      context.attributes.try_emplace(name, attribute.default_value);
  SmallVector<Value> operands;
  for (Value value : op->getOperands())
    operands.push_back(isa<NoneType>(value.getType()) ? Value() : value);
  OpBuilder b(op);
  auto results = GraphBuilder(b).addFunction(op->getLoc(), body, operands,
                                             context.attributes);
  if (failed(results))
    return failure();
  for (auto [old, value] : llvm::zip(op->getResults(), *results)) {
    if (!value && old.use_empty()) // a body may leave out what nobody wants
      continue;
    if (!value)
      return node.emitOpError() << "has a body that leaves result #"
                                << old.getResultNumber() << " undefined";
    if (isa<UnknownType>(value.getType()))
      value.setType(old.getType());
    old.replaceAllUsesWith(value);
  }
  op->erase();
  changed = true;
  return success();
}

struct InlineFunctions final
    : impl::OnnxInlineFunctionsPassBase<InlineFunctions> {
  using OnnxInlineFunctionsPassBase::OnnxInlineFunctionsPassBase;
  void runOnOperation() override {
    auto wanted = [&](const ::onnx::OpSchema &schema) {
      return ops.empty() || llvm::is_contained(ops, schema.Name());
    };
    if (failed(inlineFunctions(getOperation(), wanted)))
      signalPassFailure();
  }
};
} // namespace

LogicalResult
inlineFunctions(ModuleOp module,
                function_ref<bool(const ::onnx::OpSchema &)> wanted) {
  auto opsets = module->getAttrOfType<DictionaryAttr>(names::opsets);
  auto version = opsets ? opsets.getAs<IntegerAttr>("ai.onnx") : IntegerAttr();
  for (bool changed = true; changed;) {
    changed = false;
    SmallVector<Operation *> calls;
    module.walk([&](Operation *op) {
      const ::onnx::OpSchema *schema = NodeOp::schemaOf(op);
      if (schema &&
          (schema->HasFunction() || schema->HasContextDependentFunction()) &&
          wanted(*schema))
        calls.push_back(op);
    });
    for (Operation *op : calls)
      if (failed(expand(NodeOp(op), version ? version.getInt() : -1, changed)))
        return failure();
    if (changed &&
        failed(inferShapes(module))) // bodies inside need their types
      return failure();
  }
  return success();
}
} // namespace gensyn::onnx
