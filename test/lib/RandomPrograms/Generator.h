// Random valid programs of repro ops, from a seed.
//
// A program grows op by op. Each family of ops is a maker, which proposes an op
// on existing values or on new arguments; the op's own verifier decides whether
// it stays. So makers may propose invalid ops, and no rule is written twice.

#ifndef GENSYN_TEST_LIB_RANDOMPROGRAMS_GENERATOR_H
#define GENSYN_TEST_LIB_RANDOMPROGRAMS_GENERATOR_H

#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Numerics/SplitMix64.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"

#include <cstdint>

namespace gensyn::random_programs {

/// SplitMix64: the same numbers on every machine.
class Random {
public:
  explicit Random(uint64_t seed) : stream(seed) {}
  uint64_t operator()() { return stream(); }
  /// In [0, bound).
  int64_t below(int64_t bound) {
    return static_cast<int64_t>((*this)() % static_cast<uint64_t>(bound));
  }
  /// In [low, high].
  int64_t between(int64_t low, int64_t high) {
    return low + below(high - low + 1);
  }
  bool chance(int64_t one, int64_t in) { return below(in) < one; }
  template <class Range> auto &pick(Range &&range) {
    return range[static_cast<size_t>(below(int64_t(range.size())))];
  }
  template <class Range> void shuffle(Range &range) {
    for (size_t i = range.size(); i-- > 1;)
      std::swap(range[i], range[size_t(below(int64_t(i) + 1))]);
  }

private:
  SplitMix64 stream;
};

/// An elementwise op on given element types that its verifier takes, the
/// reference evaluates and code is emitted for.
struct Pattern {
  mlir::OperationName name;
  llvm::SmallVector<mlir::Type> operands;
  mlir::Type result;
  mlir::NamedAttrList attributes;
};

/// Facts collected before the first program: the available ops, and their
/// types.
struct Vocabulary {
  /// The patterns of each op.
  std::vector<std::vector<Pattern>> elementwise;
  /// Ops that were left out because no code is emitted for them: "exp f64".
  std::vector<std::string> notEmitted;
  /// All element types of the closed set that a tensor may have.
  std::vector<mlir::Type> elements;
  /// Makers that work, by index in getMakers(), and the names of the others.
  std::vector<unsigned> makers;
  std::vector<std::string> absentFamilies;
};

/// Tries every registered op of the dialect with the trait Elementwise, and
/// every maker. An op that joins the dialect joins the programs by itself.
Vocabulary findVocabulary(mlir::MLIRContext &context);

/// Bounds on the time of one op, for the reference and the compiler's
/// constants.
struct Size {
  int64_t elements, points;
  /// Makers then prefer ops with many threads, and the families that have
  /// kernels of their own there.
  bool isLarge;
  static Size small() { return {4096, 1 << 16, false}; }
  /// Larger than a block, a warp's row or the shared memory of one.
  static Size large() { return {1 << 16, 1 << 20, true}; }
};

class Generator {
public:
  Generator(mlir::Block &block, const Vocabulary &vocabulary, uint64_t seed);

  /// For a region inside a program, which has only its given arguments: new
  /// arguments become constants there.
  static Generator nested(mlir::Block &block, Generator &around);

  /// Adds ops for one program and returns its results, at least one.
  llvm::SmallVector<mlir::Value> makeProgram(int64_t ops);

  Size size = Size::small();

  // For makers.

  Random random;
  mlir::OpBuilder builder;
  const Vocabulary &vocabulary;

  mlir::Location location() { return builder.getUnknownLoc(); }

  /// Any value so far that `fits`, or null.
  mlir::Value existing(llvm::function_ref<bool(mlir::RankedTensorType)> fits);
  /// The newest value.
  mlir::Value last() const { return values.back(); }
  /// Any value so far, or a new argument of any type.
  mlir::Value any();
  /// A value of this type: an existing one, a new argument or a constant.
  mlir::Value operand(mlir::RankedTensorType type);
  mlir::Value operand(llvm::ArrayRef<int64_t> shape, mlir::Type element) {
    return operand(mlir::RankedTensorType::get(shape, element));
  }
  /// A new argument, or a constant.
  mlir::Value argument(mlir::RankedTensorType type);

  mlir::Type anyElement();
  int64_t anyExtent();
  llvm::SmallVector<int64_t> anyShape();
  /// An order for a float reduction of any form that is defined.
  repro::OrderAttr anyOrder();

  /// A constant of random elements.
  mlir::Value constant(mlir::RankedTensorType type, bool splat);

  /// Makes `ops` ops of families that may stand in a region.
  void grow(int64_t ops);
  bool isNested() const { return !mayAddArguments; }

  /// Verifies a proposed op and keeps it, or erases it and returns false. Also
  /// refuses results or domains that would take long.
  bool take(mlir::Operation *op);

private:
  repro::OrderAttr makeOrder(int levels);

  mlir::Block &block;
  llvm::SmallVector<mlir::Value> values;
  bool mayAddArguments = true;
};

/// A family: proposes one op. Returns false if that failed.
struct Maker {
  llvm::StringRef name;
  /// Its weight in small programs, and in large ones.
  int weight, weightLarge;
  bool (*make)(Generator &);
};
llvm::ArrayRef<Maker> getMakers();

// The families.
bool makeElementwise(Generator &g);
bool makeConstant(Generator &g);
bool makeIota(Generator &g);
bool makeReshape(Generator &g);
bool makeTranspose(Generator &g);
bool makeBroadcast(Generator &g);
bool makeSlice(Generator &g);
bool makePad(Generator &g);
bool makeConcat(Generator &g);
bool makeReverse(Generator &g);
bool makeEinsum(Generator &g);
bool makeWindowContract(Generator &g);
bool makeRowReduce(Generator &g);
bool makeRowChain(Generator &g);
bool makeContractedRows(Generator &g);
bool makeQuantizedContract(Generator &g);
bool makeConvolutions(Generator &g);
bool makeWindowReduce(Generator &g);
bool makeArgReduce(Generator &g);
bool makeGather(Generator &g);
bool makeScatter(Generator &g);
bool makeScan(Generator &g);
bool makeSort(Generator &g);
bool makeRandomBits(Generator &g);
bool makeIf(Generator &g);
bool makeCheck(Generator &g);
bool makeLoop(Generator &g);

} // namespace gensyn::random_programs

#endif
