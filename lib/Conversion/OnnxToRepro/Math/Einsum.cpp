// Einsum: labels are iterators, operands are joined from left to right.

#include "../Support/OperatorTable.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::onnx_to_repro;

namespace {
/// A value and the label of each of its dimensions. An ellipsis becomes the
/// labels '0', '1', ..., counted from the end, so that operands align there.
struct Labelled {
  Value value;
  std::string labels;
};
} // namespace

static bool isLabel(char c) { return llvm::isAlpha(c); }

/// Replaces the ellipsis in `text` by the labels of `count` dimensions.
static std::string expandEllipsis(StringRef text, int64_t count) {
  std::string labels;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i).starts_with("...")) {
      for (int64_t k = count; k-- > 0;)
        labels += char('0' + k);
      i += 2;
    } else if (text[i] != ' ') {
      labels += text[i];
    }
  }
  return labels;
}

/// Without an arrow the result has the labels of the ellipsis, then the labels
/// that occur once, in alphabetical order.
static std::string implicitOutput(ArrayRef<Labelled> operands) {
  std::map<char, int> counts;
  for (const Labelled &operand : operands)
    for (char label : operand.labels)
      ++counts[label];
  std::string ellipsis, once;
  for (auto [label, count] : counts) {
    if (!isLabel(label))
      ellipsis.insert(ellipsis.begin(), label);
    else if (count == 1)
      once += label;
  }
  return ellipsis + once;
}

/// Drops dimensions of extent 1 whose label has a larger extent elsewhere, so
/// that no dimension is broadcast inside a product.
static Labelled dropStretched(NodeBuilder &b, Labelled operand,
                              const std::map<char, int64_t> &extents) {
  Labelled kept{operand.value, ""};
  Extents shape;
  for (auto [label, extent] :
       llvm::zip(operand.labels, shapeOf(operand.value))) {
    if (extent == 1 && extents.at(label) != 1)
      continue;
    kept.labels += label;
    shape.push_back(extent);
  }
  kept.value = b.reshape(operand.value, shape);
  return kept;
}

/// One contraction: labels in `output` are parallel, the others are reduced in
/// order of their first appearance.
static Labelled join(NodeBuilder &b, const Labelled &left,
                     const Labelled &right, const std::string &output,
                     const std::map<char, int64_t> &extents) {
  std::string order;
  for (char label : output + left.labels + right.labels)
    if ((left.labels + right.labels).find(label) != std::string::npos &&
        order.find(label) == std::string::npos)
      order += label;
  Extents sizes, reduced;
  std::string kept;
  for (auto [i, label] : llvm::enumerate(order)) {
    sizes.push_back(extents.at(label));
    if (output.find(label) == std::string::npos)
      reduced.push_back(i);
    else
      kept += label;
  }
  auto mapOf = [&](const std::string &labels) {
    SmallVector<AffineExpr> map;
    for (char label : labels)
      map.push_back(b.iterator(order.find(label)));
    return map;
  };
  return {b.contract(left.value, right.value, sizes, reduced,
                     {mapOf(left.labels), mapOf(right.labels)}),
          kept};
}

/// Labels of the operands, or false after `refuse`.
static bool readOperands(NodeBuilder &b, StringRef inputs,
                         SmallVectorImpl<Labelled> &operands) {
  SmallVector<StringRef> terms;
  inputs.split(terms, ',');
  Values values = b.operands("Inputs");
  if (terms.size() != values.size()) {
    b.refuse("the equation has " + Twine(terms.size()) + " terms for " +
             Twine(values.size()) + " operands");
    return false;
  }
  for (auto [term, value] : llvm::zip(terms, values)) {
    int64_t named = llvm::count_if(term, isLabel);
    int64_t rest = rankOf(value) - named;
    bool hasEllipsis = term.contains("...");
    if (rest < 0 || rest > 9 || (rest > 0 && !hasEllipsis)) {
      b.refuse("term '" + term + "' does not fit rank " + Twine(rankOf(value)));
      return false;
    }
    operands.push_back({value, expandEllipsis(term, rest)});
  }
  return true;
}

static Value convertEinsum(NodeBuilder &b) {
  auto [inputs, explicitOutput] = b.string("equation").split("->");
  SmallVector<Labelled> operands;
  if (!readOperands(b, inputs, operands))
    return nullptr;
  std::map<char, int64_t> extents;
  int64_t ellipsis = 0;
  for (const Labelled &operand : operands)
    for (auto [label, extent] :
         llvm::zip(operand.labels, shapeOf(operand.value))) {
      int64_t &known = extents.try_emplace(label, extent).first->second;
      if (known != extent && known != 1 && extent != 1)
        return b.refuse("label '" + Twine(label) + "' has extents " +
                        Twine(known) + " and " + Twine(extent));
      known = std::max(known, extent);
      if (!isLabel(label))
        ellipsis = std::max<int64_t>(ellipsis, label - '0' + 1);
    }
  std::string output = b.string("equation").contains("->")
                           ? expandEllipsis(explicitOutput, ellipsis)
                           : implicitOutput(operands);
  for (char label : output)
    if (!extents.count(label))
      return b.refuse("label '" + Twine(label) + "' is in no operand");
  Labelled result = dropStretched(b, operands.front(), extents);
  // A lone operand is multiplied by 1, which is exact, and then summed.
  if (operands.size() == 1)
    operands.push_back({b.fill(1, elementOf(result.value)), ""});
  for (size_t i = 1; i < operands.size(); ++i) {
    std::string wanted = output;
    for (size_t k = i + 1; k < operands.size(); ++k)
      wanted += operands[k].labels;
    // The final result is in the output's order, the others in that of
    // `wanted`.
    result = join(b, result, dropStretched(b, operands[i], extents), wanted,
                  extents);
  }
  return result.value;
}

void onnx_to_repro::addEinsum(OperatorTable &table) {
  table.add("Einsum", {12, 28}, convertEinsum);
}
