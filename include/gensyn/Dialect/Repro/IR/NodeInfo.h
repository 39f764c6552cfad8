// The node of a model that an op comes from.

#ifndef GENSYN_DIALECT_REPRO_IR_NODEINFO_H
#define GENSYN_DIALECT_REPRO_IR_NODEINFO_H

#include "mlir/IR/Location.h"

#include <string>

namespace gensyn::repro {

/// Facts that the importer recorded in a location: the first name in it, and
/// the kind of object that has this name.
struct NodeInfo {
  /// Empty if the location has no name.
  std::string name;
  /// The ONNX operator; empty if the location does not have it.
  std::string operation;
  /// True for a node, false for another object, such as an input.
  bool isNode = false;
};

NodeInfo readNodeInfo(mlir::Location location);

} // namespace gensyn::repro

#endif
