// Access to initializers of a graph and their bytes, and new initializers.
#ifndef GENSYN_LIB_TRANSLATION_ONNX_PARAMETERS_INITIALIZEREDITS_H
#define GENSYN_LIB_TRANSLATION_ONNX_PARAMETERS_INITIALIZEREDITS_H

#include "../ModelFolder.h"
#include "ParameterTable.h"

#include "onnx/onnx_pb.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <map>
#include <optional>
#include <set>

namespace gensyn {

bool isFloatTensor(const ::onnx::TensorProto &tensor);
/// True if it has one element.
bool isScalarTensor(const ::onnx::TensorProto &tensor);

/// True if a node reads an operand as a statistic of training: a running mean
/// or variance, which no gradient updates.
bool isStatistic(const ::onnx::NodeProto &node, int operand);

/// Calls `visit` for the nodes of a graph and of its nested graphs.
void forEachGraphNode(::onnx::GraphProto &graph,
                      llvm::function_ref<void(::onnx::NodeProto &)> visit);

class InitializerEdits {
public:
  InitializerEdits(::onnx::GraphProto &graph, ModelFolder &folder);

  ::onnx::TensorProto *find(const std::string &name) const;
  bool isTaken(const std::string &name) const { return names.count(name); }

  /// Adds a copy under a free name, with `kind` as its recorded kind.
  void copy(const ::onnx::TensorProto &tensor, const std::string &name,
            llvm::StringRef kind);
  /// Adds zeros of the type of `like`.
  void addZeros(const ::onnx::TensorProto &like, int64_t count,
                const std::string &name, llvm::StringRef kind);
  /// Returns the name of a value that equals initializer `exact` in the form in
  /// which `stored` holds it; nothing if the bytes of `stored` differ.
  std::optional<std::string> derive(const std::string &exact,
                                    const ::onnx::TensorProto &stored,
                                    ParameterForm form);
  /// Removes initializers that lost all their readers.
  void removeUnread(const std::set<std::string> &once);
  /// True if all elements have the same bits; nothing if they cannot be read.
  std::optional<bool> isFilled(const ::onnx::TensorProto &tensor);
  /// True if no two rows along the last dimension have the same bits, and none
  /// is all zeros; nothing if they cannot be read.
  std::optional<bool> hasDistinctRows(const ::onnx::TensorProto &tensor);
  /// True if some rows are all zeros and others are not; nothing if they cannot
  /// be read.
  std::optional<bool> hasZeroRow(const ::onnx::TensorProto &tensor);
  /// The elements, row-major and little-endian; nothing if they cannot be read.
  std::optional<std::string> bytes(const ::onnx::TensorProto &tensor);
  /// The elements of a matrix, transposed.
  std::optional<std::string> transposedBytes(const ::onnx::TensorProto &tensor);
  /// Returns an unused name and reserves it.
  std::string unique(const std::string &name);

private:
  void takeNames(::onnx::GraphProto &graph);
  void note(::onnx::TensorProto &tensor, llvm::StringRef kind);

  ::onnx::GraphProto &graph;
  ModelFolder &folder;
  std::set<std::string> names;
  std::map<std::string, ::onnx::TensorProto *> initializers;
  /// Copies by initializer, form and extents.
  std::map<std::string, std::string> derived;
};

} // namespace gensyn

#endif
