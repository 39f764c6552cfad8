// The table of conversions and its queries.

#include "OperatorTable.h"

#include "gensyn/Conversion/OnnxToRepro/Passes.h"
#include "onnx/defs/schema.h"

using namespace gensyn;
using namespace gensyn::onnx_to_repro;
using llvm::StringRef;

const OperatorTable &OperatorTable::get() {
  static const OperatorTable table = [] {
    OperatorTable all;
    addActivations(all);
    addAffineGrid(all);
    addComparisons(all);
    addConstants(all);
    addConvolution(all);
    addDeformableConvolution(all);
    addDeterminant(all);
    addEinsum(all);
    addElementwise(all);
    addGatherScatter(all);
    addGridSampling(all);
    addIndexing(all);
    addLinear(all);
    addLosses(all);
    addMovement(all);
    addNonMaxSuppression(all);
    addNormalization(all);
    addPadding(all);
    addPooling(all);
    addNonZeroCompress(all);
    addPrefixes(all);
    addQuantization(all);
    addRandom(all);
    addRecurrent(all);
    addReductions(all);
    addRegionPooling(all);
    addRegionSampling(all);
    addResampling(all);
    addSignal(all);
    addSoftmax(all);
    addSplitting(all);
    addSubgraphs(all);
    addTermFrequency(all);
    addTraining(all);
    addTransposedWindows(all);
    addUnique(all);
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
  const bool isDefault = domain.empty() || domain == "ai.onnx";
  auto byName =
      operators.find(isDefault ? opType.str() : (domain + "." + opType).str());
  if (byName == operators.end())
    return nullptr;
  auto byVersion = byName->second.find(since);
  return byVersion == byName->second.end() ? nullptr : &byVersion->second;
}

bool gensyn::isConvertible(StringRef domain, StringRef opType, int since) {
  return OperatorTable::get().find(domain, opType, since) != nullptr;
}

/// All versions of operators of the default domain, each with its treatment.
static std::map<std::string, std::map<int, char>> classifyVersions() {
  std::map<std::string, std::map<int, char>> all;
  for (const ::onnx::OpSchema &schema :
       ::onnx::OpSchemaRegistry::get_all_schemas_with_history()) {
    if (!schema.domain().empty())
      continue;
    bool isExpanded =
        schema.HasFunction() || schema.HasContextDependentFunction();
    int since = schema.SinceVersion();
    bool isKnown = isConvertible("", schema.Name(), since);
    all[schema.Name()][since] = isKnown ? 'c' : isExpanded ? 'e' : '-';
  }
  return all;
}

void gensyn::printSupportTable(llvm::raw_ostream &os) {
  os << "| operator | converted | expanded | neither | why |\n"
     << "| --- | --- | --- | --- | --- |\n";
  for (const auto &[name, versions] : classifyVersions()) {
    os << "| " << name << " |";
    for (char column : {'c', 'e', '-'}) {
      for (auto [version, kind] : versions)
        if (kind == column)
          os << ' ' << version;
      os << " |";
    }
    if (StringRef reason = whyOutOfReach(name); !reason.empty())
      os << ' ' << reason;
    else if (llvm::any_of(versions, [](auto v) { return v.second == '-'; }))
      os << " upgraded to the next version when imported";
    os << " |\n";
  }
}
