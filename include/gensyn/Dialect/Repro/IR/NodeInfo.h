// The node of a model that an op comes from.

#ifndef GENSYN_DIALECT_REPRO_IR_NODEINFO_H
#define GENSYN_DIALECT_REPRO_IR_NODEINFO_H

#include "mlir/IR/Location.h"

#include <string>

namespace gensyn::repro {

/// The importer's facts in a location: the first name in it, and the thing that
/// it names.
struct NodeInfo {
  /// Empty where the location has no name.
  std::string name;
  /// The ONNX operator; empty where the location does not tell.
  std::string operation;
  /// True for a node, false for another name, as of an input.
  bool isNode = false;
};

NodeInfo readNodeInfo(mlir::Location location);

} // namespace gensyn::repro

#endif
