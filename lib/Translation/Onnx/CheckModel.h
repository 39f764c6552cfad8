// Checks of the messages of a model, before anything is built from them.
#ifndef GENSYN_LIB_TRANSLATION_ONNX_CHECKMODEL_H
#define GENSYN_LIB_TRANSLATION_ONNX_CHECKMODEL_H

#include "gensyn/Translation/Onnx/Import.h"
#include "onnx/defs/schema.h"
#include "onnx/onnx_pb.h"

namespace gensyn {
/// Returns "node 'n' (MatMul)", the form in which messages name a node.
std::string describeNode(const ::onnx::NodeProto &node);

/// Checks versions, operator sets, operators, and types of inputs and outputs.
/// With `keepUnknown` a node may have an operator without a schema.
mlir::LogicalResult checkModel(const ::onnx::ModelProto &model,
                               mlir::MLIRContext *context, bool keepUnknown,
                               ImportError &error);

/// Fails if a string of the model, such as a name, is not UTF-8.
mlir::LogicalResult validateUtf8(const ::onnx::ModelProto &model,
                                 ImportError &error);

/// Calls `visit` for every node of a model, including those of subgraphs and
/// functions, with the operator sets in effect there.
void forEachNode(const ::onnx::ModelProto &model,
                 llvm::function_ref<void(const ::onnx::NodeProto &,
                                         const std::map<std::string, int> &)>
                     visit);

/// Sorts the nodes of each graph topologically if they are not sorted, and
/// checks that every name is defined once and used only where it is visible.
mlir::LogicalResult sortNodes(::onnx::GraphProto &graph, ImportError &error);
} // namespace gensyn

#endif
