// The tensors of a model, as arguments of the function or constants.
#ifndef GENSYN_LIB_TRANSLATION_ONNX_WEIGHTS_H
#define GENSYN_LIB_TRANSLATION_ONNX_WEIGHTS_H

#include "ExporterNotes.h"
#include "ModelFolder.h"
#include "Parameters/ParameterTable.h"
#include "gensyn/Dialect/Gensyn/IR/Gensyn.h"
#include "gensyn/Dialect/Onnx/IR/Onnx.h"

#include "onnx/onnx_pb.h"

#include <map>
#include <optional>
#include <set>

namespace gensyn {
class Weights {
public:
  /// Adds arguments to `main` and builds constants at `b`'s insertion point.
  /// With `symbolicSeed`, tensors in absent files have symbolic values.
  Weights(mlir::OpBuilder &b, mlir::Block &main, ModelFolder &folder,
          std::optional<uint64_t> symbolicSeed, ImportError &error)
      : b(b), main(main), folder(folder), symbolicSeed(symbolicSeed),
        error(error) {}

  /// Initializers that are always arguments, since a training step replaces
  /// them. For those of `states`, which are not weights, an attribute states
  /// whether all elements are equal.
  void setVariables(const std::set<std::string> &names,
                    const std::set<std::string> &states) {
    variables = names;
    this->states = states;
  }

  /// Finds float initializers that are constants: those that configure a node,
  /// and those that the exporter's metadata excludes. `parameters` is the
  /// knowledge about the graph's parameters.
  void findSettings(const ::onnx::GraphProto &graph,
                    const ParameterTable &parameters);

  /// The value of an initializer, or of a Constant node's large tensor. Null
  /// after an error.
  mlir::Value make(mlir::Location location, ::onnx::TensorProto &tensor,
                   bool isNode);

  /// Adds an argument; `data` may be null. A name that is taken gets a numeric
  /// suffix.
  mlir::Value addArgument(mlir::Type type, const std::string &name, Role role,
                          mlir::Attribute data);
  llvm::ArrayRef<mlir::DictionaryAttr> argumentAttributes() const {
    return attributes;
  }
  /// Float initializers that became constants of the program.
  llvm::ArrayRef<std::string> floatConstants() const { return constants; }

private:
  /// The names that nodes of the graph and of its subgraphs use as settings, as
  /// statistics, and in other ways.
  void collectSettings(const ::onnx::GraphProto &graph,
                       std::set<std::string> &others);
  /// Finds which initializers scale which quantized ones.
  void findScales(const ::onnx::GraphProto &graph);
  mlir::FailureOr<mlir::ElementsAttr> findFill(mlir::RankedTensorType type,
                                               const std::string &file,
                                               uint64_t offset, uint64_t length,
                                               ImportError &inner);
  /// The elements of a tensor whose file is absent; null after an error.
  mlir::Attribute makeSymbol(const ::onnx::TensorProto &tensor,
                             mlir::RankedTensorType type, bool isArgument,
                             const std::string &file, ImportError &inner) const;
  bool isArgument(const ::onnx::TensorProto &tensor, bool isNode) const;
  mlir::FailureOr<mlir::Value> makeOrFail(mlir::Location location,
                                          ::onnx::TensorProto &tensor,
                                          bool isNode, ImportError &inner);

  mlir::OpBuilder &b;
  mlir::Block &main;
  ModelFolder &folder;
  std::optional<uint64_t> symbolicSeed;
  ImportError &error;
  std::vector<mlir::DictionaryAttr> attributes;
  std::vector<std::string> constants;
  std::set<std::string> argumentNames, settings, statistics, variables, states;
  std::map<std::string, int> repeats; // of argument names
  /// The quantized tensors that scales belong to.
  std::map<std::string, const ::onnx::TensorProto *> scaled;
  ExporterNotes notes;
};
} // namespace gensyn

#endif
