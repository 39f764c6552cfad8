// The table of conversions: maps an operator and its version to a function.

#ifndef GENSYN_LIB_CONVERSION_ONNXTOREPRO_OPERATORTABLE_H
#define GENSYN_LIB_CONVERSION_ONNXTOREPRO_OPERATORTABLE_H

#include "NodeBuilder.h"

#include <map>
#include <string>

namespace gensyn::onnx_to_repro {

/// Builds the value of a node's only result. Null after `NodeBuilder::refuse`.
using LowerOne = mlir::Value (*)(NodeBuilder &);
/// Builds the values of all results, null for absent ones.
using LowerMany = Values (*)(NodeBuilder &);

struct Lowering {
  LowerOne one = nullptr;
  LowerMany many = nullptr;
};

/// Entries by operator and by version. A version that is not listed is
/// unsupported, so an operator of a new version never silently gets the old
/// meaning.
class OperatorTable {
public:
  /// The table with all families.
  static const OperatorTable &get();

  /// `opType` is the operator's name, prefixed with its domain and a dot unless
  /// that is the default one.
  void add(llvm::StringRef opType, std::initializer_list<int> versions,
           LowerOne lower);
  void addMany(llvm::StringRef opType, std::initializer_list<int> versions,
               LowerMany lower);

  /// Null if there is no entry.
  const Lowering *find(llvm::StringRef domain, llvm::StringRef opType,
                       int since) const;

  /// Sorted by name (with the domain, as above), then by version.
  const std::map<std::string, std::map<int, Lowering>> &entries() const {
    return operators;
  }

private:
  std::map<std::string, std::map<int, Lowering>> operators;
};

/// The reason why no version of an operator is converted; empty if none is
/// recorded.
llvm::StringRef whyOutOfReach(llvm::StringRef opType);

// One function for each family, in the file of its name.
void addActivations(OperatorTable &table);
void addAffineGrid(OperatorTable &table);
void addComparisons(OperatorTable &table);
void addConstants(OperatorTable &table);
void addConvolution(OperatorTable &table);
void addDeformableConvolution(OperatorTable &table);
void addDeterminant(OperatorTable &table);
void addEinsum(OperatorTable &table);
void addElementwise(OperatorTable &table);
void addGatherScatter(OperatorTable &table);
void addGridSampling(OperatorTable &table);
void addIndexing(OperatorTable &table);
void addLinear(OperatorTable &table);
void addLosses(OperatorTable &table);
void addMovement(OperatorTable &table);
void addNonMaxSuppression(OperatorTable &table);
void addNormalization(OperatorTable &table);
void addPadding(OperatorTable &table);
void addPooling(OperatorTable &table);
void addNonZeroCompress(OperatorTable &table);
void addPrefixes(OperatorTable &table);
void addQuantization(OperatorTable &table);
void addRandom(OperatorTable &table);
void addRecurrent(OperatorTable &table);
void addReductions(OperatorTable &table);
void addRegionPooling(OperatorTable &table);
void addRegionSampling(OperatorTable &table);
void addResampling(OperatorTable &table);
void addSignal(OperatorTable &table);
void addSoftmax(OperatorTable &table);
void addSplitting(OperatorTable &table);
void addSubgraphs(OperatorTable &table);
void addTermFrequency(OperatorTable &table);
void addTraining(OperatorTable &table);
void addTransposedWindows(OperatorTable &table);
void addUnique(OperatorTable &table);

} // namespace gensyn::onnx_to_repro

#endif
