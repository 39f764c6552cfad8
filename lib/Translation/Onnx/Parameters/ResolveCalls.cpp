// Resolves operands of a call's nodes to tensors of the module.

#include "ParameterRoles.h"
#include "Restorer.h"

#include "onnx/onnx_pb.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

using namespace gensyn;
using namespace gensyn::restore;
using llvm::StringRef;
using ::onnx::NodeProto;
using ::onnx::TensorProto;

static constexpr StringRef views[] = {
    "unsqueeze", "squeeze", "view",  "reshape",   "_unsafe_view",
    "flatten",   "alias",   "clone", "unflatten", "contiguous"};
static constexpr StringRef permutations[] = {
    "transpose", "permute", "t", "numpy_t", "movedim", "swapaxes"};
/// Calls without parameters of their own that exporters leave out, or whose
/// results they rename.
static constexpr StringRef structural[] = {
    "getitem",         "expand", "slice",
    "select",          "cat",    "split",
    "chunk",           "unbind", "detach",
    "dropout",         "to",     "_to_copy",
    "type_as",         "conj",   "index",
    "lift_fresh_copy", "zeros",  "stack",
    "repeat",          "val",    "native_dropout",
    "split_with_sizes"};

/// Calls that may compute a lookup's table or indices. The file does not record
/// which of the two a call computed. So the list excludes calls that change the
/// table's numbers, read one of them twice or stop its gradient; an offset of
/// the indices (add) could also be an offset of the table.
static constexpr StringRef lookups[] = {
    "arange",  "sym_size", "val",    "expand", "slice", "select",
    "getitem", "index",    "unbind", "split",  "chunk"};

/// True if the exporter looked up rows of a parameter, each at most once: equal
/// indices would have given equal rows. A row of zeros may be that of
/// padding_idx, which the module does not train. Indices may be a buffer.
bool Restorer::isLookup(const Stored &stored) {
  const TensorProto &tensor = *stored.tensor;
  if (rootOf(tensor.name()) != "embedding" ||
      llvm::count_if(stored.targets, [&](const std::string &target) {
        return isParameter(target);
      }) != 1)
    return false;
  for (const std::string &value : stored.values) {
    StringRef root = rootOf(value);
    if (!llvm::is_contained(views, root) && !llvm::is_contained(lookups, root))
      return false;
  }
  return edits.hasDistinctRows(tensor).value_or(false);
}

/// The form in which a value that the exporter computed holds its one
/// parameter.
static Form formOfFold(const Stored &stored) {
  Form form = Form::Reshaped;
  if (stored.targets.size() != 1)
    return Form::Computed;
  auto add = [&](StringRef name) {
    StringRef root = rootOf(name);
    if (llvm::is_contained(permutations, root))
      form = form == Form::Computed ? form : Form::Rearranged;
    else if (!llvm::is_contained(views, root))
      form = Form::Computed;
  };
  add(stored.tensor->name());
  for (const std::string &value : stored.values)
    if (rootOf(value) != "val") // the sizes are arguments of a view
      add(value);
  return form;
}

std::vector<Restorer::Given> Restorer::readGiven(const CallNodes &call,
                                                 std::set<std::string> &values,
                                                 bool &hasHole) {
  std::vector<Given> given;
  for (auto [i, argument] : llvm::enumerate(call.call.arguments))
    for (const std::string &value : argument.values) {
      auto placeholder = notes.placeholders.find(value);
      if (placeholder != notes.placeholders.end()) {
        given.push_back({i, placeholder->second.target});
        continue;
      }
      values.insert(value);
      if (known.count(value) || call.isOfScope)
        continue;
      hasHole = true;
      StringRef root = rootOf(value);
      // The call of this result has no node, so its parameters are missing.
      if (!llvm::is_contained(structural, root) &&
          !llvm::is_contained(views, root) &&
          !llvm::is_contained(permutations, root))
        hasGaps = true;
    }
  return given;
}

/// Resolves an operand that is, or was computed from, an argument of the call.
bool Restorer::takeOwn(const CallNodes &call, const std::vector<Given> &given,
                       const std::set<std::string> &values,
                       const Operand &operand, std::set<std::string> &held) {
  Stored &one = *operand.stored;
  std::vector<Given> own;
  for (const Given &each : given)
    if (one.targets.count(each.target))
      own.push_back(each);
  if (own.empty()) {
    if (!values.count(one.tensor->name()) &&
        llvm::none_of(one.values,
                      [&](const std::string &v) { return values.count(v); }))
      return false;
    if (one.targets.empty())
      return true;
    const Form form = isLookup(one) ? Form::Selected : formOfFold(one);
    if (form == Form::Reshaped)
      uses[*one.targets.begin()].push_back(
          {operand.node, operand.number, form});
    else
      mark(one.tensor->name(), form, one.targets);
    if (form == Form::Selected)
      table.suspicions.push_back(
          "initializer '" + one.tensor->name() +
          "' holds rows of a table, and the file does not say whether one of "
          "them is its padding_idx, which PyTorch does not train");
    return true;
  }
  // A merged initializer may be several arguments of the call; the operator
  // determines which one an operand is.
  auto hasRole = [&](const Given &each) {
    return findRole(call.call, each.argument, *operand.node, operand.number)
        .has_value();
  };
  if (llvm::none_of(own, hasRole) && llvm::any_of(given, hasRole))
    return false;
  for (const Given &each : own)
    held.insert(each.target);
  if (one.isExact) {
    uses[one.tensor->name()].push_back(
        {operand.node, operand.number, Form::Exact});
    return true;
  }
  bool isRearranged = true;
  std::optional<Form> form;
  for (const Given &each : own) {
    form = findRole(call.call, each.argument, *operand.node, operand.number);
    isRearranged &= form == Form::Rearranged;
  }
  const bool isWhole =
      own.size() == one.targets.size() && !kinds.count(one.tensor->name());
  if (isWhole && isRearranged)
    mark(one.tensor->name(), Form::Rearranged, one.targets);
  else if (isWhole && own.size() == 1 && form)
    uses[own.front().target].push_back({operand.node, operand.number, *form});
  else
    mark(one.tensor->name(), Form::Computed, one.targets);
  return true;
}

/// Resolves operands that stand for missing tensors, if the call's operator
/// allows only one assignment.
void Restorer::takeMerged(const CallNodes &call, std::vector<Given> &missing,
                          std::vector<Operand> &open) {
  struct Match {
    size_t given, operand;
    Form form;
  };
  std::vector<Match> matches;
  for (auto [i, given] : llvm::enumerate(missing))
    for (auto [j, operand] : llvm::enumerate(open))
      if (auto form = findRole(call.call, given.argument, *operand.node,
                               operand.number))
        matches.push_back({i, j, *form});
  if (!hasRoles(call.call) && call.nodes.size() == 1 && missing.size() == 1 &&
      open.size() == 1 && open.front().stored->values.empty() &&
      (open.front().stored->isExact || open.front().stored->targets.empty()))
    matches.push_back({0, 0, Form::Exact});
  std::set<size_t> givenDone, operandDone;
  for (const Match &match : matches) {
    auto isRival = [&](const Match &other) {
      return other.given == match.given || other.operand == match.operand;
    };
    if (llvm::count_if(matches, isRival) != 1 || match.form == Form::Rearranged)
      continue;
    const Operand &operand = open[match.operand];
    // A scope alone does not exclude a tied tensor, which is not a fill.
    if (call.isOfScope &&
        !edits.isFilled(*operand.stored->tensor).value_or(false))
      continue;
    uses[missing[match.given].target].push_back(
        {operand.node, operand.number, match.form});
    givenDone.insert(match.given);
    operandDone.insert(match.operand);
  }
  auto drop = [](auto &list, const std::set<size_t> &done) {
    for (size_t i : llvm::reverse(done))
      list.erase(list.begin() + ptrdiff_t(i));
  };
  drop(missing, givenDone);
  drop(open, operandDone);
}

/// Restores a bias that was dropped from a node because it is zero: as its own
/// tensor, or as that of another call of its module.
bool Restorer::restoreZeros(const CallNodes &call, const Given &given) {
  const std::string &target = given.target;
  if (call.isOfScope || uses.count(target) || find(target))
    return false;
  for (NodeProto *node : call.nodes) {
    auto operand = findZeroOperand(call.call, given.argument, *node);
    if (!operand ||
        (node->input_size() > *operand && !node->input(*operand).empty()) ||
        node->input_size() < 2)
      continue;
    auto give = [&] {
      while (node->input_size() <= *operand)
        node->add_input("");
      node->set_input(*operand, target);
      return true;
    };
    if (zeros.count(target))
      return give();
    const Stored *weight = find(node->input(1));
    if (!weight || weight->tensor->dims_size() < 1)
      continue;
    int64_t count = weight->tensor->dims(0), groups = 1;
    bool isTransposed = false;
    for (const auto &attribute : node->attribute()) {
      if (attribute.name() == "group")
        groups = attribute.i();
      isTransposed |= attribute.name() == "transB" && attribute.i() != 0;
    }
    if ((node->op_type() == "Gemm" && !isTransposed) ||
        node->op_type() == "ConvTranspose") {
      if (weight->tensor->dims_size() < 2 ||
          __builtin_mul_overflow(weight->tensor->dims(1), groups, &count))
        continue;
    }
    constexpr int64_t most = int64_t(1) << 28;
    if (count < 0 || count > most || edits.isTaken(target))
      continue;
    edits.addZeros(*weight->tensor, count, target, kinds[target]);
    restored.insert(target);
    zeros.insert(target);
    return give();
  }
  return false;
}

/// True if the call reads a value that a node of another call computed from the
/// tensor.
bool Restorer::readsThrough(const CallNodes &call, const std::string &target) {
  for (const NodeProto *node : call.nodes)
    for (const std::string &input : node->input())
      if (auto maker = makers.find(input); maker != makers.end())
        for (const std::string &source : maker->second->input())
          if (Stored *one = find(source); one && one->targets.count(target))
            return true;
  return false;
}

/// Settles an operand that matches no argument of the call.
void Restorer::settle(const Operand &operand, const std::vector<Given> &missing,
                      bool hasHole, bool isOfScope) {
  const Stored &one = *operand.stored;
  if (!holdsParameter(one)) {
    // It may stand for the source of a folded value.
    hasGaps |= hasHole && one.values.empty() && !isScalarTensor(*one.tensor) &&
               one.targets.empty();
    return;
  }
  if (isOfScope) {
    if (one.isExact)
      uses[one.tensor->name()].push_back(
          {operand.node, operand.number, Form::Exact});
    hasGaps = true;
    return;
  }
  std::set<std::string> targets = one.targets;
  for (const Given &each : missing)
    targets.insert(each.target);
  if (!missing.empty() || hasHole || !one.isExact) {
    hasGaps |= hasHole;
    mark(one.tensor->name(), Form::Computed, targets);
    return;
  }
  // The call has no parameter here: one of its constants was merged with a
  // parameter.
  std::string name = edits.unique(one.tensor->name() + "/constant");
  edits.copy(*one.tensor, name, "CONSTANT_TENSOR");
  rewire({operand.node, operand.number, Form::Exact}, name);
}

void Restorer::resolve(CallNodes &call) {
  std::set<std::string> values, held;
  bool hasHole = false;
  std::vector<Given> given = readGiven(call, values, hasHole);
  std::vector<Operand> open;
  for (NodeProto *node : call.nodes)
    for (int i = 0; i < node->input_size(); ++i)
      if (Stored *one = find(node->input(i)))
        if (Operand operand = {node, i, one};
            !takeOwn(call, given, values, operand, held))
          open.push_back(operand);
  std::vector<Given> missing;
  for (const Given &each : given)
    if (!held.count(each.target))
      missing.push_back(each);
  takeMerged(call, missing, open);
  llvm::erase_if(missing, [&](const Given &each) {
    return restoreZeros(call, each) || readsThrough(call, each.target);
  });
  for (const Given &each : missing)
    unresolved.insert(each.target);
  for (const Operand &operand : open)
    settle(operand, missing, hasHole, call.isOfScope);
}
