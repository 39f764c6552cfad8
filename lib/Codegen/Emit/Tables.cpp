// See Tables.h.

#include "gensyn/Codegen/Emit/Tables.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;

namespace gensyn::emit {

/// Elements of a register: half of a table of i64, or one of i32; and of a
/// register of half the size, of i32.
static constexpr int64_t kHalf = 8, kWords = 16, kOctet = 8;

static StringAttr findAttribute(OpBuilder &builder, StringRef name) {
  Operation *parent = builder.getInsertionBlock()->getParentOp();
  while (parent && !isa<ModuleOp>(parent))
    parent = parent->getParentOp();
  return parent ? parent->getAttrOfType<StringAttr>(name) : StringAttr();
}

StringAttr findTablePermutation(OpBuilder &builder) {
  return findAttribute(builder, kTablePermutationAttr);
}
StringAttr findWordPermutation(OpBuilder &builder) {
  return findAttribute(builder, kWordPermutationAttr);
}
StringAttr findWordTablePermutation(OpBuilder &builder) {
  return findAttribute(builder, kWordTablePermutationAttr);
}
StringAttr findOctetPermutation(OpBuilder &builder) {
  return findAttribute(builder, kOctetPermutationAttr);
}

bool canLookUp(int64_t lanes) { return lanes > 0 && lanes % kHalf == 0; }
bool canLookUpWords(int64_t lanes) { return lanes > 0 && lanes % kWords == 0; }
bool canLookUpOctet(int64_t lanes) { return lanes > 0 && lanes % kOctet == 0; }

/// Calls the intrinsic for the registers of `numbers`, with the arguments that
/// `argumentsOf` returns for one of them.
static Value permute(OpBuilder &builder, Location location,
                     StringAttr permutation, Value numbers, int64_t lanes,
                     function_ref<SmallVector<Value>(Value)> argumentsOf) {
  auto type = cast<VectorType>(numbers.getType());
  auto part = VectorType::get({lanes}, type.getElementType());
  auto find = [&](Value some) {
    return LLVM::CallIntrinsicOp::create(builder, location, part, permutation,
                                         argumentsOf(some))
        .getResult(0);
  };
  if (part == type)
    return find(numbers);
  Value found =
      arith::ConstantOp::create(builder, location, builder.getZeroAttr(type));
  for (int64_t at = 0; at < type.getNumElements(); at += lanes) {
    Value some = vector::ExtractStridedSliceOp::create(builder, location,
                                                       numbers, at, lanes, 1);
    found = vector::InsertStridedSliceOp::create(builder, location, find(some),
                                                 found, at, 1);
  }
  return found;
}

/// Returns the constant vector of `words`.
template <class Word>
static Value registerOf(OpBuilder &builder, Location location,
                        ArrayRef<Word> words) {
  auto type =
      VectorType::get({static_cast<int64_t>(words.size())},
                      builder.getIntegerType(8 * unsigned(sizeof(Word))));
  return arith::ConstantOp::create(
      builder, location,
      DenseIntElementsAttr::getFromRawBuffer(
          type, ArrayRef<char>(reinterpret_cast<const char *>(words.data()),
                               words.size() * sizeof(Word))));
}

/// Emits a lookup in a table that is two registers.
template <class Word>
static Value lookUpTable(OpBuilder &builder, Location location,
                         StringAttr permutation, ArrayRef<Word> table,
                         Value numbers) {
  const size_t half = table.size() / 2;
  Value low = registerOf(builder, location, table.take_front(half)),
        high = registerOf(builder, location, table.drop_front(half));
  return permute(
      builder, location, permutation, numbers, static_cast<int64_t>(half),
      [&](Value some) { return SmallVector<Value>{low, some, high}; });
}

Value lookUp(OpBuilder &builder, Location location, StringAttr permutation,
             ArrayRef<uint64_t> table, Value numbers) {
  assert(table.size() == 2 * kHalf);
  return lookUpTable(builder, location, permutation, table, numbers);
}

/// Emits a lookup in a table that is one register.
static Value lookUpRegister(OpBuilder &builder, Location location,
                            StringAttr permutation, ArrayRef<uint32_t> table,
                            Value numbers) {
  Value words = registerOf(builder, location, table);
  return permute(builder, location, permutation, numbers,
                 static_cast<int64_t>(table.size()),
                 [&](Value some) { return SmallVector<Value>{words, some}; });
}

Value lookUpWords(OpBuilder &builder, Location location, StringAttr permutation,
                  ArrayRef<uint32_t> table, Value numbers) {
  assert(table.size() == kWords);
  return lookUpRegister(builder, location, permutation, table, numbers);
}

Value lookUpOctet(OpBuilder &builder, Location location, StringAttr permutation,
                  ArrayRef<uint32_t> table, Value numbers) {
  assert(table.size() == kOctet);
  return lookUpRegister(builder, location, permutation, table, numbers);
}

Value lookUpWordTable(OpBuilder &builder, Location location,
                      StringAttr permutation, ArrayRef<uint32_t> table,
                      Value numbers) {
  assert(table.size() == 2 * kWords);
  return lookUpTable(builder, location, permutation, table, numbers);
}

} // namespace gensyn::emit
