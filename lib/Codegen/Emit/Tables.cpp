// See Tables.h.

#include "gensyn/Codegen/Emit/Tables.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;

namespace gensyn::emit {

const machine::TableLookup *findTableLookup(OpBuilder &builder, int64_t bits,
                                            int64_t entries, int64_t lanes) {
  Operation *parent = builder.getInsertionBlock()->getParentOp();
  while (parent && !isa<ModuleOp>(parent))
    parent = parent->getParentOp();
  auto name = parent ? parent->getAttrOfType<StringAttr>(kInstructionSetAttr)
                     : StringAttr();
  const machine::Cpu *cpu = name ? machine::findCpu(name.getValue()) : nullptr;
  if (!cpu)
    return nullptr;
  for (const machine::TableLookup &lookup : cpu->tableLookups)
    if (lookup.bits == bits && lookup.entries == entries && lanes > 0 &&
        lanes % lookup.lanes == 0)
      return &lookup;
  return nullptr;
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

template <class Word>
static Value lookUpIn(OpBuilder &builder, Location location,
                      const machine::TableLookup &lookup, ArrayRef<Word> table,
                      Value numbers) {
  assert(int64_t(table.size()) == lookup.entries &&
         int64_t(8 * sizeof(Word)) == lookup.bits);
  const int64_t lanes = lookup.lanes;
  SmallVector<Value> registers;
  for (int64_t first = 0; first < lookup.entries; first += lanes)
    registers.push_back(registerOf(builder, location,
                                   table.slice(size_t(first), size_t(lanes))));
  auto type = cast<VectorType>(numbers.getType());
  auto part = VectorType::get({lanes}, type.getElementType());
  auto intrinsic = builder.getStringAttr(StringRef(lookup.intrinsic));
  auto find = [&](Value some) {
    SmallVector<Value> arguments(registers);
    arguments.insert(arguments.begin() + 1, some);
    return LLVM::CallIntrinsicOp::create(builder, location, part, intrinsic,
                                         arguments)
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

Value lookUp(OpBuilder &builder, Location location,
             const machine::TableLookup &lookup, ArrayRef<uint32_t> table,
             Value numbers) {
  return lookUpIn(builder, location, lookup, table, numbers);
}

Value lookUp(OpBuilder &builder, Location location,
             const machine::TableLookup &lookup, ArrayRef<uint64_t> table,
             Value numbers) {
  return lookUpIn(builder, location, lookup, table, numbers);
}

} // namespace gensyn::emit
