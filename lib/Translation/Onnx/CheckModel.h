// Checks of the messages of a model, before anything is built from them.
#pragma once

#include "gensyn/Translation/Onnx/Import.h"
#include "onnx/onnx_pb.h"

namespace gensyn {
/// "node 'n' (MatMul)": how messages name a node.
std::string describeNode(const ::onnx::NodeProto &node);

/// Versions, operator sets, operators, and types of inputs and outputs. With
/// `keepUnknown` a node may have an operator without a schema.
mlir::LogicalResult checkModel(const ::onnx::ModelProto &model,
                               mlir::MLIRContext *context, bool keepUnknown,
                               ImportError &error);

/// Fails where a string of the model, such as a name, is not UTF-8.
mlir::LogicalResult checkText(const ::onnx::ModelProto &model,
                              ImportError &error);

/// Calls `visit` for every node of a model, those of subgraphs and functions
/// included, with the operator sets that hold there.
void forEachNode(const ::onnx::ModelProto &model,
                 llvm::function_ref<void(const ::onnx::NodeProto &,
                                         const std::map<std::string, int> &)>
                     visit);

/// Puts the nodes of each graph after those whose values they read, where they
/// are not, and checks that every name is written once and read only where it
/// is known.
mlir::LogicalResult sortNodes(::onnx::GraphProto &graph, ImportError &error);
} // namespace gensyn
