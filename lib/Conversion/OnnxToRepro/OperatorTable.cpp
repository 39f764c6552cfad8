// The table of conversions and the questions others ask of it.

#include "OperatorTable.h"

#include "gensyn/Conversion/OnnxToRepro/Passes.h"

using namespace gensyn;
using namespace gensyn::onnx_to_repro;
using llvm::StringRef;

const OperatorTable &OperatorTable::get() {
  static const OperatorTable table = [] {
    OperatorTable all;
    addActivations(all);
    addComparisons(all);
    addConstants(all);
    addConvolution(all);
    addEinsum(all);
    addElementwise(all);
    addIndexing(all);
    addLinear(all);
    addLosses(all);
    addMovement(all);
    addNormalization(all);
    addPadding(all);
    addPooling(all);
    addQuantization(all);
    addReductions(all);
    addSoftmax(all);
    addSplitting(all);
    addTransposedWindows(all);
    return all;
  }();
  return table;
}

void OperatorTable::add(StringRef opType, std::initializer_list<int> versions,
                        LowerOne lower) {
  for (int version : versions)
    operators[opType.str()][version] = {lower, nullptr};
}

void OperatorTable::addMany(StringRef opType,
                            std::initializer_list<int> versions,
                            LowerMany lower) {
  for (int version : versions)
    operators[opType.str()][version] = {nullptr, lower};
}

const Lowering *OperatorTable::find(StringRef domain, StringRef opType,
                                    int since) const {
  if (!domain.empty() && domain != "ai.onnx")
    return nullptr;
  auto byName = operators.find(opType.str());
  if (byName == operators.end())
    return nullptr;
  auto byVersion = byName->second.find(since);
  return byVersion == byName->second.end() ? nullptr : &byVersion->second;
}

bool gensyn::isConvertible(StringRef domain, StringRef opType, int since) {
  return OperatorTable::get().find(domain, opType, since) != nullptr;
}

void gensyn::printSupportTable(llvm::raw_ostream &os) {
  os << "| operator | versions |\n| --- | --- |\n";
  for (const auto &[name, versions] : OperatorTable::get().entries()) {
    os << "| " << name << " |";
    for (const auto &[version, lowering] : versions)
      os << ' ' << version;
    os << " |\n";
  }
}
