// The steps of restoreParameters, for graphs with metadata.
#ifndef GENSYN_LIB_TRANSLATION_ONNX_PARAMETERS_RESTORER_H
#define GENSYN_LIB_TRANSLATION_ONNX_PARAMETERS_RESTORER_H

#include "InitializerEdits.h"
#include "ModuleNotes.h"
#include "ParameterTable.h"
#include "onnx/onnx_pb.h"

namespace gensyn::restore {
using Form = ParameterForm;

/// A float initializer of the file.
struct Stored {
  ::onnx::TensorProto *tensor = nullptr;
  /// The module's tensors in it, by its own name or by the names of its
  /// sources.
  std::set<std::string> targets;
  /// Values of the module's graph from which it was folded.
  std::set<std::string> values;
  /// True if it is an unchanged tensor of the module.
  bool isExact = false;
};

/// A call with the nodes that compute it.
struct CallNodes {
  ModuleCall call;
  std::vector<::onnx::NodeProto *> nodes;
  /// True if only the calling module is known, and not the arguments.
  bool isOfScope = false;
};

/// An operand that is known to be a tensor of the module.
struct Use {
  ::onnx::NodeProto *node;
  int operand;
  Form form;
};

class Restorer {
public:
  Restorer(::onnx::GraphProto &graph, ModelFolder &folder, ModuleNotes notes)
      : graph(graph), notes(std::move(notes)), edits(graph, folder) {}

  ParameterTable run();

private:
  /// A stored tensor that is an argument of the call.
  struct Given {
    size_t argument;
    std::string target;
  };
  struct Operand {
    ::onnx::NodeProto *node;
    int number;
    Stored *stored;
  };

  void readStored();
  void readCalls();
  void addCall(::onnx::NodeProto &node, ModuleCall call, bool isOfScope);
  bool readScope(const ::onnx::NodeProto &node, ModuleCall &call) const;
  Stored *find(const std::string &name);
  bool isParameter(const std::string &target) const;
  bool isLookup(const Stored &stored);
  bool holdsParameter(const Stored &stored) const;
  void mark(const std::string &initializer, Form form,
            const std::set<std::string> &targets);

  void resolve(CallNodes &call);
  std::vector<Given> readGiven(const CallNodes &call,
                               std::set<std::string> &values, bool &hasHole);
  bool takeOwn(const CallNodes &call, const std::vector<Given> &given,
               const std::set<std::string> &values, const Operand &operand,
               std::set<std::string> &held);
  void takeMerged(const CallNodes &call, std::vector<Given> &missing,
                  std::vector<Operand> &open);
  bool restoreZeros(const CallNodes &call, const Given &given);
  bool readsThrough(const CallNodes &call, const std::string &target);
  void settle(const Operand &operand, const std::vector<Given> &missing,
              bool hasHole, bool isOfScope);

  void findMergedCalls();
  void restore(const std::string &target, const std::vector<Use> &uses);
  void rewire(const Use &use, const std::string &value);
  std::map<std::string, std::string> findAliases() const;
  void markTwins();
  void fillTable();

  ::onnx::GraphProto &graph;
  ModuleNotes notes;
  InitializerEdits edits;
  ParameterTable table;
  std::map<std::string, Stored> stored;
  std::vector<CallNodes> calls;
  /// The node that defines a value.
  std::map<std::string, const ::onnx::NodeProto *> makers;
  /// Indices into `calls`, by value, operator and scope.
  std::map<std::string, size_t> callIndex;
  /// Names of possible arguments of a call that are accounted for.
  std::set<std::string> known;
  std::map<std::string, std::string> kinds; // of targets
  std::map<std::string, std::vector<Use>> uses;
  /// Targets that are arguments of a call and that no operand is known to be.
  std::set<std::string> unresolved;
  std::map<std::string, ModuleParameter> marked;
  std::set<std::string> restored, rewired;
  /// Restored tensors that no node used.
  std::set<std::string> zeros;
  /// Tensors that a node without a recorded call reads.
  std::set<std::string> unnoted;
  /// True if a parameter without any trace may be in the graph all the same.
  bool hasGaps = false;
};
/// Splits "layers.0.weight" into "layers.0" and "weight".
std::pair<llvm::StringRef, llvm::StringRef> splitTarget(llvm::StringRef target);

} // namespace gensyn::restore

#endif
