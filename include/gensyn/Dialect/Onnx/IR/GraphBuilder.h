// Builds ops from the messages of ONNX: nodes, subgraphs, bodies of functions.
// The importer of files uses it, and so does the expansion of schema functions.
#ifndef GENSYN_DIALECT_ONNX_IR_GRAPHBUILDER_H
#define GENSYN_DIALECT_ONNX_IR_GRAPHBUILDER_H

#include "gensyn/Dialect/Onnx/IR/Onnx.h"
#include "onnx/onnx_pb.h"

#include <functional>
#include <map>
#include <set>
#include <string>

namespace gensyn::onnx {
/// Attributes of a call by the function's formal names.
using AttributeMap = std::map<std::string, ::onnx::AttributeProto>;
using OpsetImports =
    google::protobuf::RepeatedPtrField<::onnx::OperatorSetIdProto>;

/// The name of a node in messages, and the location of its names: a NameLoc
/// around the names of its outputs, its documentation and metadata.
mlir::Location locationOf(mlir::MLIRContext *context,
                          const ::onnx::NodeProto &node);
/// The dictionary {outputs, doc, metadata} inside such a location, or null.
mlir::DictionaryAttr infoOf(mlir::Location location);

/// True if a node or an op is ai.onnx.preview.training.Gradient. Its operands
/// in the dialect are the values that its attributes name: those of `xs`, those
/// of `zs`, and `y`.
bool isGradient(const ::onnx::NodeProto &node);
bool isGradient(mlir::Operation *op);
/// The names in the attribute "xs", "zs" or "y" of such a node.
std::vector<std::string> namesInGradient(const ::onnx::NodeProto &node,
                                         llvm::StringRef attribute);

/// Nodes of a model with the bodies of its functions at most.
inline constexpr int64_t kMostNodes = int64_t{1} << 20;

/// Errors are diagnostics at the location of the node.
class GraphBuilder {
public:
  /// Builds the value of an initializer, or of a Constant node's tensor if that
  /// is too large for an attribute (`isNode`). Null after a diagnostic.
  using TensorFn = std::function<mlir::Value(
      mlir::Location, ::onnx::TensorProto &, bool isNode)>;

  /// Builds at `builder`'s insertion point and moves it.
  explicit GraphBuilder(mlir::OpBuilder &builder) : b(builder) {}

  void setTensors(TensorFn function) { tensors = std::move(function); }
  void setOpsets(const OpsetImports &imports);
  /// Functions of the model; their messages must outlive the builder.
  void
  setFunctions(const google::protobuf::RepeatedPtrField<::onnx::FunctionProto>
                   &modelFunctions);
  /// Ops of the outermost graph's nodes from index `first` on get the unit
  /// attribute `gensyn.algorithm`.
  void markFrom(int first) { firstMarked = first; }
  /// Nodes without a schema become `onnx.custom` instead of an error.
  void keepUnknown(bool keep) { keepsUnknown = keep; }

  /// Binds `name` to `value` in the current scope. False if the name is taken.
  bool define(const std::string &name, mlir::Value value);
  mlir::Value lookup(const std::string &name) const;

  /// Adds initializers and nodes of a graph, whose inputs are defined already;
  /// the builder takes ownership of the messages' tensors. Returns the graph's
  /// outputs.
  mlir::FailureOr<llvm::SmallVector<mlir::Value>>
  addGraph(::onnx::GraphProto &graph);

  /// Adds the body of `function`; `operands` may hold null for absent inputs.
  /// An output is null if the body omits it.
  mlir::FailureOr<llvm::SmallVector<mlir::Value>>
  addFunction(mlir::Location location, const ::onnx::FunctionProto &function,
              llvm::ArrayRef<mlir::Value> operands,
              const AttributeMap &attributes);

private:
  using Scope = std::map<std::string, mlir::Value>;

  mlir::LogicalResult addNode(::onnx::NodeProto &node);
  mlir::LogicalResult addCall(::onnx::NodeProto &node,
                              const ::onnx::FunctionProto &function);
  mlir::LogicalResult addAttributes(::onnx::NodeProto &node,
                                    const ::onnx::OpSchema *schema,
                                    mlir::OperationState &state);
  mlir::LogicalResult addSubgraph(::onnx::GraphProto &graph,
                                  mlir::Region &region);
  mlir::LogicalResult addInitializers(::onnx::GraphProto &graph);
  mlir::LogicalResult addConstant(::onnx::NodeProto &node,
                                  mlir::Location location, bool &done);
  void resolveReferences(::onnx::NodeProto &node);
  void collectVariables(
      const google::protobuf::RepeatedPtrField<::onnx::NodeProto> &nodes);
  mlir::Value makeVariable(mlir::Value value);
  mlir::FailureOr<llvm::SmallVector<mlir::Value>>
  gradientOperands(const ::onnx::NodeProto &node, mlir::Location location);
  mlir::Value none();

  mlir::OpBuilder &b;
  TensorFn tensors;
  bool keepsUnknown = false;
  std::vector<Scope> scopes{1};
  std::vector<mlir::Value> nones{
      mlir::Value()}; // one for each scope that needs it
  std::map<std::string, mlir::Type> declared; // value_info of the graph at hand
  std::set<std::string> variables; // what Gradient differentiates by there
  std::map<std::string, int> opsets;
  std::map<std::string, const ::onnx::FunctionProto *> functions;
  const AttributeMap *formals = nullptr; // inside the body of a function
  std::optional<mlir::Location> caller;  // of that body
  int callDepth = 0;
  int64_t nodes = 0;
  int firstMarked = -1;
};
} // namespace gensyn::onnx

#endif
