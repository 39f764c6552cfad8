// Builds ops from ONNX nodes. Parts with meaning become ops, attributes and
// types; parts without (names, documentation, metadata) become locations, so
// that CSE and patterns never see them.

#include "gensyn/Dialect/Onnx/IR/GraphBuilder.h"
#include "gensyn/Dialect/Gensyn/IR/Gensyn.h"
#include "gensyn/Dialect/Onnx/IR/NodeOp.h"
#include "gensyn/Dialect/Onnx/IR/Tensors.h"
#include "gensyn/Dialect/Onnx/IR/Types.h"
#include "gensyn/Dialect/SizeError.h"

#include "onnx/defs/schema.h"
#include "onnx/onnx_pb.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace gensyn::onnx {
namespace {
/// Function bodies that call functions can grow without bound in a small file.
constexpr int maxCallDepth = 64;

std::string domainOf(const std::string &domain) {
  return domain == "ai.onnx" ? "" : domain;
}

std::string functionKey(const std::string &domain, const std::string &name,
                        const std::string &overload) {
  return domainOf(domain) + ":" + name + ":" + overload;
}
} // namespace

Location locationOf(MLIRContext *context, const ::onnx::NodeProto &node) {
  Builder b(context);
  SmallVector<Attribute> outputs;
  for (const std::string &name : node.output())
    outputs.push_back(b.getStringAttr(name));
  NamedAttrList info, metadata;
  info.set("op", b.getStringAttr(node.op_type()));
  info.set("outputs", b.getArrayAttr(outputs));
  if (!node.doc_string().empty())
    info.set("doc", b.getStringAttr(node.doc_string()));
  for (const auto &entry : node.metadata_props())
    if (!entry.key().empty())
      metadata.set(entry.key(), b.getStringAttr(entry.value()));
  if (!metadata.empty())
    info.set("metadata", metadata.getDictionary(context));
  // The name outside, so that a diagnostic prints the user's node.
  Location inner = FusedLoc::get({UnknownLoc::get(context)},
                                 info.getDictionary(context), context);
  StringRef name = !node.name().empty() || node.output().empty()
                       ? node.name()
                       : node.output(0);
  return NameLoc::get(b.getStringAttr(name), inner);
}

DictionaryAttr infoOf(Location location) {
  auto name = dyn_cast<NameLoc>(location);
  auto fused = name ? dyn_cast<FusedLoc>(name.getChildLoc()) : FusedLoc();
  return fused ? dyn_cast_or_null<DictionaryAttr>(fused.getMetadata())
               : DictionaryAttr();
}

void GraphBuilder::setOpsets(const OpsetImports &imports) {
  opsets.clear();
  for (const auto &opset : imports)
    opsets[domainOf(opset.domain())] = opset.version();
}

void GraphBuilder::setFunctions(
    const google::protobuf::RepeatedPtrField<::onnx::FunctionProto>
        &modelFunctions) {
  for (const auto &function : modelFunctions)
    functions[functionKey(function.domain(), function.name(),
                          function.overload())] = &function;
}

bool GraphBuilder::define(const std::string &name, Value value) {
  return scopes.back().emplace(name, value).second;
}

Value GraphBuilder::lookup(const std::string &name) const {
  for (const Scope &scope : llvm::reverse(scopes))
    if (auto it = scope.find(name); it != scope.end())
      return it->second;
  return {};
}

/// The absent operand. There is one in each region, so that it dominates its
/// uses.
Value GraphBuilder::none() {
  if (!nones.back()) {
    OpBuilder::InsertionGuard guard(b);
    if (nones.size() > 1)
      b.setInsertionPointToStart(b.getInsertionBlock());
    nones.back() = NoneOp::create(b, b.getUnknownLoc(), b.getNoneType());
  }
  return nones.back();
}

LogicalResult GraphBuilder::addInitializers(::onnx::GraphProto &graph) {
  for (auto &tensor : *graph.mutable_initializer()) {
    std::string name = tensor.name();
    Location location = NameLoc::get(b.getStringAttr(name));
    Value value =
        tensors ? tensors(location, tensor, /*isNode=*/false) : Value();
    if (!value)
      return failure();
    if (!define(name, value))
      return emitError(location) << "is written twice";
  }
  for (auto &sparse : *graph.mutable_sparse_initializer()) {
    // A Constant node with a sparse value means the same.
    ::onnx::NodeProto node;
    node.set_op_type("Constant");
    node.add_output(sparse.values().name());
    auto *attribute = node.add_attribute();
    attribute->set_name("sparse_value");
    attribute->set_type(::onnx::AttributeProto::SPARSE_TENSOR);
    *attribute->mutable_sparse_tensor() = sparse;
    if (failed(addNode(node)))
      return failure();
  }
  return success();
}

LogicalResult GraphBuilder::addSubgraph(::onnx::GraphProto &graph,
                                        Region &region) {
  OpBuilder::InsertionGuard guard(b);
  scopes.emplace_back();
  nones.emplace_back();
  std::map<std::string, Type> outer;
  std::set<std::string> outerVariables;
  std::swap(outer, declared);
  std::swap(outerVariables, variables);
  auto restore = llvm::scope_exit([&] {
    scopes.pop_back();
    nones.pop_back();
    std::swap(outer, declared);
    std::swap(outerVariables, variables);
  });
  Block &block = region.emplaceBlock();
  b.setInsertionPointToStart(&block);
  for (const auto &input : graph.input()) {
    Value argument =
        block.addArgument(importType(b.getContext(), input.type()),
                          NameLoc::get(b.getStringAttr(input.name())));
    if (!define(input.name(), argument))
      return emitError(argument.getLoc()) << "is an input twice";
  }
  auto outputs = addGraph(graph);
  if (failed(outputs))
    return failure();
  YieldOp::create(b, b.getUnknownLoc(), *outputs);
  return success();
}

LogicalResult GraphBuilder::addAttributes(::onnx::NodeProto &node,
                                          const ::onnx::OpSchema *schema,
                                          OperationState &state) {
  std::map<std::string, ::onnx::GraphProto *> graphs;
  llvm::StringSet<> seen;
  for (auto &attribute : *node.mutable_attribute()) {
    if (!seen.insert(attribute.name()).second)
      return emitError(state.location)
             << "attribute '" << attribute.name() << "' is given twice";
    if (attribute.type() == ::onnx::AttributeProto::GRAPH) {
      graphs[attribute.name()] = attribute.mutable_g();
      continue;
    }
    std::string error;
    Attribute value = importAttribute(b.getContext(), attribute, error);
    if (!value)
      return emitError(state.location)
             << "attribute '" << attribute.name() << "': " << error;
    state.addAttribute(attribute.name(), value);
  }
  for (const std::string &name :
       schema ? graphAttributes(*schema) : std::vector<std::string>()) {
    Region *region = state.addRegion();
    auto it = graphs.find(name);
    if (it == graphs.end()) // an optional one; the verifier knows
      continue;
    if (failed(addSubgraph(*it->second, *region)))
      return failure();
    graphs.erase(it);
  }
  if (!graphs.empty())
    return emitError(state.location)
           << "attribute '" << graphs.begin()->first << "' may not be a graph";
  return success();
}

/// Replaces `attribute = @formal` by the call's attribute, or drops it.
void GraphBuilder::resolveReferences(::onnx::NodeProto &node) {
  auto *attributes = node.mutable_attribute();
  for (int i = attributes->size(); i-- > 0;) {
    auto &attribute = *attributes->Mutable(i);
    if (attribute.ref_attr_name().empty()) {
      if (attribute.has_g()) // bodies of subgraphs see the same formals
        for (auto &inner : *attribute.mutable_g()->mutable_node())
          resolveReferences(inner);
      continue;
    }
    auto it = formals->find(attribute.ref_attr_name());
    if (it == formals->end()) {
      attributes->DeleteSubrange(i, 1);
      continue;
    }
    std::string name = attribute.name();
    attribute = it->second;
    attribute.set_name(name);
  }
}

/// A call of a model-local function is expanded at once.
LogicalResult GraphBuilder::addCall(::onnx::NodeProto &node,
                                    const ::onnx::FunctionProto &function) {
  Location location = caller ? *caller : locationOf(b.getContext(), node);
  if (callDepth >= maxCallDepth)
    return emitError(location)
           << "calls functions more than " << maxCallDepth << " deep";
  AttributeMap actual;
  for (const auto &attribute : node.attribute())
    actual[attribute.name()] = attribute;
  SmallVector<Value> operands;
  for (const std::string &input : node.input()) {
    operands.push_back(input.empty() ? Value() : lookup(input));
    if (!input.empty() && !operands.back())
      return emitError(location)
             << "reads '" << input << "', which is not defined";
  }
  ++callDepth;
  auto results = addFunction(location, function, operands, actual);
  --callDepth;
  if (failed(results))
    return failure();
  for (auto [name, value] : llvm::zip(node.output(), *results))
    if (!name.empty() && value && !define(name, value))
      return emitError(location)
             << "writes '" << name << "', which is written already";
  return success();
}

FailureOr<SmallVector<Value>> GraphBuilder::addFunction(
    Location location, const ::onnx::FunctionProto &function,
    ArrayRef<Value> operands, const AttributeMap &attributes) {
  AttributeMap actual = attributes;
  for (const auto &withDefault : function.attribute_proto())
    actual.try_emplace(withDefault.name(), withDefault);
  // The body sees only its own names, opsets and attributes.
  std::vector<Scope> outerScopes(1);
  std::map<std::string, int> outerOpsets;
  std::map<std::string, Type> outerDeclared;
  std::set<std::string> outerVariables;
  std::optional<Location> outerCaller = location;
  const AttributeMap *outerFormals = &actual;
  auto swapAll = [&] {
    std::swap(scopes, outerScopes), std::swap(opsets, outerOpsets);
    std::swap(declared, outerDeclared), std::swap(caller, outerCaller);
    std::swap(formals, outerFormals), std::swap(variables, outerVariables);
  };
  swapAll();
  auto restore = llvm::scope_exit(swapAll);
  setOpsets(function.opset_import());
  collectVariables(function.node());
  for (auto [i, name] : llvm::enumerate(function.input()))
    scopes[0][name] = i < operands.size() && operands[i] ? operands[i] : none();
  for (::onnx::NodeProto node : function.node())
    if (failed(addNode(node)))
      return failure();
  SmallVector<Value> results;
  for (const std::string &name : function.output())
    results.push_back(lookup(name));
  return results;
}

/// The tensor of a Constant node if it is too large for an attribute or not in
/// the message; null otherwise. Lists of numbers become tensors.
static ::onnx::TensorProto *largeTensor(MLIRContext *context,
                                        ::onnx::NodeProto &node) {
  for (auto &attribute : *node.mutable_attribute()) {
    auto makeTensor = [&](int type, const auto &list) {
      ::onnx::TensorProto tensor;
      tensor.set_data_type(type);
      tensor.add_dims(list.size());
      tensor.set_raw_data(list.data(), list.size() * sizeof(*list.data()));
      *attribute.mutable_t() = std::move(tensor);
    };
    if (attribute.name() == "value_ints")
      makeTensor(::onnx::TensorProto::INT64, attribute.ints());
    else if (attribute.name() == "value_floats")
      makeTensor(::onnx::TensorProto::FLOAT, attribute.floats());
    else if (attribute.name() != "value" || !attribute.has_t())
      continue;
    ::onnx::TensorProto &tensor = *attribute.mutable_t();
    Type element = elementTypeOf(context, tensor.data_type());
    ArrayRef<int64_t> shape(tensor.dims().data(), tensor.dims_size());
    if (tensor.data_location() == ::onnx::TensorProto::EXTERNAL ||
        (element && fileBytes(shape, element).value_or(0) > maxConstantBytes))
      return &tensor;
  }
  return nullptr;
}

/// A Constant node whose tensor is too large for an attribute.
LogicalResult GraphBuilder::addConstant(::onnx::NodeProto &node,
                                        Location location, bool &done) {
  ::onnx::TensorProto *tensor = tensors && node.output_size() == 1
                                    ? largeTensor(b.getContext(), node)
                                    : nullptr;
  done = tensor;
  if (!tensor)
    return success();
  tensor->set_name(node.output(0)); // its own name means nothing
  Value value = tensors(location, *tensor, /*isNode=*/true);
  if (!value)
    return failure();
  if (!define(node.output(0), value))
    return emitError(location)
           << "writes '" << node.output(0) << "', which is written already";
  return success();
}

LogicalResult GraphBuilder::addNode(::onnx::NodeProto &node) {
  // Calls count too: a body that contains only two calls doubles each time.
  if (++nodes > kMostNodes)
    return asSizeError(
        emitError(caller ? *caller : locationOf(b.getContext(), node))
        << "the model has more than " << kMostNodes
        << " nodes with the bodies of its functions");
  if (formals)
    resolveReferences(node);
  auto called = functions.find(
      functionKey(node.domain(), node.op_type(), node.overload()));
  if (called != functions.end())
    return addCall(node, *called->second);
  Location location = caller ? *caller : locationOf(b.getContext(), node);
  std::string domain = domainOf(node.domain());
  const ::onnx::OpSchema *schema = nullptr;
  if (auto opset = opsets.find(domain); opset != opsets.end())
    schema =
        ::onnx::OpSchemaRegistry::Schema(node.op_type(), opset->second, domain);
  if (!schema && !keepsUnknown)
    return emitError(location)
           << "operator " << node.op_type() << " of domain "
           << (domain.empty() ? "ai.onnx" : domain) << " is not known";
  if (node.op_type() == "Constant" && domain.empty()) {
    bool done;
    LogicalResult added = addConstant(node, location, done);
    if (done)
      return added;
  }
  OperationState state(location,
                       schema ? OnnxDialect::opName(*schema) : "onnx.custom");
  if (schema && isGradient(node)) {
    auto operands = gradientOperands(node, location);
    if (failed(operands))
      return failure();
    state.addOperands(*operands);
  } else {
    for (auto [i, input] : llvm::enumerate(node.input())) {
      Value value = input.empty() ? none() : lookup(input);
      if (!value)
        return emitError(location) << "input " << i << " reads '" << input
                                   << "', which is not defined";
      state.addOperands(value);
    }
  }
  if (!schema) {
    state.addAttribute("domain", b.getStringAttr(node.domain()));
    state.addAttribute("op_type", b.getStringAttr(node.op_type()));
  }
  if (failed(addAttributes(node, schema, state)))
    return failure();
  for (const std::string &output : node.output()) {
    auto it = declared.find(output);
    state.addTypes(output.empty() ? Type(b.getNoneType())
                   : it == declared.end()
                       ? Type(UnknownType::get(b.getContext()))
                       : it->second);
  }
  Operation *op = b.create(state);
  for (auto [name, result] : llvm::zip(node.output(), op->getResults()))
    if (!name.empty() &&
        !define(name, variables.count(name) ? makeVariable(result) : result))
      return emitError(location)
             << "writes '" << name << "', which is written already";
  return success();
}

FailureOr<SmallVector<Value>>
GraphBuilder::addGraph(::onnx::GraphProto &graph) {
  for (auto *infos : {&graph.value_info(), &graph.output()})
    for (const auto &info : *infos)
      declared.emplace(info.name(), importType(b.getContext(), info.type()));
  collectVariables(graph.node());
  if (failed(addInitializers(graph)))
    return failure();
  Operation *lastPlain = nullptr;
  const bool marks = scopes.size() == 1 && firstMarked >= 0;
  for (auto [i, node] : llvm::enumerate(*graph.mutable_node())) {
    Block *block = b.getInsertionBlock();
    if (marks && int(i) == firstMarked && !block->empty())
      lastPlain = &block->back();
    if (failed(addNode(node)))
      return failure();
  }
  if (marks && firstMarked < graph.node_size())
    for (auto it = lastPlain ? std::next(lastPlain->getIterator())
                             : b.getInsertionBlock()->begin();
         it != b.getInsertionBlock()->end(); ++it)
      it->setAttr(program::kAlgorithmAttr, b.getUnitAttr());
  SmallVector<Value> outputs;
  for (const auto &output : graph.output()) {
    outputs.push_back(lookup(output.name()));
    if (!outputs.back())
      return emitError(b.getUnknownLoc())
             << "graph output '" << output.name() << "' is not defined";
  }
  return outputs;
}
} // namespace gensyn::onnx
