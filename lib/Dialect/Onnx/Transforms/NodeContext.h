// An op as a schema's inference and data propagation functions see it.
#ifndef GENSYN_LIB_DIALECT_ONNX_TRANSFORMS_NODECONTEXT_H
#define GENSYN_LIB_DIALECT_ONNX_TRANSFORMS_NODECONTEXT_H

#include "gensyn/Dialect/Onnx/IR/Onnx.h"
#include "onnx/defs/schema.h"

#include "onnx/defs/shape_inference.h"
#include "onnx/onnx_pb.h"

#include <deque>
#include <map>
#include <memory>

namespace gensyn::onnx {
/// Facts of an inference walk other than the types.
class InferenceState {
public:
  virtual ~InferenceState() = default;
  /// The value of a constant, or null.
  virtual mlir::ElementsAttr constantOf(mlir::Value value) = 0;
  /// Infers the ops of a subgraph's block. Failure after a diagnostic.
  virtual mlir::LogicalResult inferBlock(mlir::Block &block) = 0;

  /// Partially known integer values (data propagation). Propagation functions
  /// hold on to several of them while they ask for more, so an entry may not
  /// move when another one comes.
  llvm::DenseMap<mlir::Value, std::unique_ptr<::onnx::TensorShapeProto>>
      partial;
};

class NodeContext : public ::onnx::InferenceContext {
public:
  NodeContext(InferenceState &state, mlir::Operation *op);

  const ::onnx::AttributeProto *
  getAttribute(const std::string &name) const override;
  size_t getNumInputs() const override { return inputs.size(); }
  const ::onnx::TypeProto *getInputType(size_t i) const override;
  bool hasInput(size_t i) const override;
  const ::onnx::TensorProto *getInputData(size_t i) const override;
  const ::onnx::SparseTensorProto *getInputSparseData(size_t) const override {
    return nullptr;
  }
  const ::onnx::TensorShapeProto *getSymbolicInput(size_t i) const override;
  size_t getNumOutputs() const override { return outputs.size(); }
  ::onnx::TypeProto *getOutputType(size_t i) override { return &outputs.at(i); }
  bool hasOutput(size_t i) override;
  ::onnx::GraphInferencer *
  getGraphAttributeInferencer(const std::string &name) override;
  std::string getDisplayName() const override;

  /// The inferred type of result `i`; not set if nothing was inferred.
  const ::onnx::TypeProto &result(size_t i) const { return outputs.at(i); }
  mlir::Operation *op() const { return node; }

private:
  /// Range requires scalars, but ONNX's own function body of AffineGrid passes
  /// lists of one, which are accepted.
  bool isTakenAsScalar(mlir::Value operand) const;

  InferenceState &state;
  mlir::Operation *node;
  std::vector<std::optional<::onnx::TypeProto>> inputs;
  mutable std::vector<std::optional<::onnx::TensorProto>> data;
  mutable std::map<std::string, std::optional<::onnx::AttributeProto>>
      attributes;
  std::vector<::onnx::TypeProto> outputs;
  std::vector<std::unique_ptr<::onnx::GraphInferencer>> regions;
};

/// The same for partially known integer values.
class PropagationContext : public ::onnx::DataPropagationContext {
public:
  PropagationContext(InferenceState &state, NodeContext &context)
      : state(state), context(context) {}

  const ::onnx::AttributeProto *
  getAttribute(const std::string &name) const override {
    return context.getAttribute(name);
  }
  size_t getNumInputs() const override { return context.getNumInputs(); }
  const ::onnx::TypeProto *getInputType(size_t i) const override {
    return context.getInputType(i);
  }
  size_t getNumOutputs() const override { return context.getNumOutputs(); }
  const ::onnx::TypeProto *getOutputType(size_t i) const override {
    return context.getOutputType(i);
  }
  const ::onnx::TensorShapeProto *getInputData(size_t i) override;
  void addOutputData(size_t i, ::onnx::TensorShapeProto &&shape) override;

private:
  InferenceState &state;
  NodeContext &context;
};

/// The meet of two types; null if they disagree. A declared size that still has
/// its name (bindDimensions) gives way to the inferred one.
mlir::Type mergeTypes(mlir::Type declared, mlir::Type inferred);

/// Removes the names of dimensions that have a size.
void dropBoundNames(mlir::ModuleOp module);
} // namespace gensyn::onnx

#endif
