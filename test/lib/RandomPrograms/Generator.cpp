// Values, shapes and the growth of one program.

#include "Generator.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace gensyn::repro;

namespace gensyn::random_programs {

ArrayRef<Maker> getMakers() {
  static const Maker makers[] = {
      {"elementwise", 70, 30, makeElementwise},
      {"constant", 2, 1, makeConstant},
      {"iota", 2, 1, makeIota},
      {"reshape", 4, 3, makeReshape},
      {"transpose", 4, 12, makeTranspose},
      {"broadcast", 6, 3, makeBroadcast},
      {"slice", 4, 2, makeSlice},
      {"pad", 4, 2, makePad},
      {"concat", 4, 2, makeConcat},
      {"reverse", 3, 1, makeReverse},
      {"contract", 8, 14, makeEinsum},
      {"contract with windows", 4, 8, makeWindowContract},
      {"reduce", 8, 12, makeRowReduce},
      {"rows", 4, 8, makeRowChain},
      {"contracted rows", 4, 8, makeContractedRows},
      {"quantized contract", 4, 8, makeQuantizedContract},
      {"convolutions", 3, 6, makeConvolutions},
      {"reduce with windows", 4, 3, makeWindowReduce},
      {"arg_reduce", 4, 9, makeArgReduce},
      {"gather", 5, 4, makeGather},
      {"scatter", 5, 9, makeScatter},
      {"scan", 4, 9, makeScan},
      {"sort", 4, 9, makeSort},
      {"random_bits", 2, 1, makeRandomBits},
      {"if", 2, 0, makeIf},
      {"loop", 2, 0, makeLoop},
      {"check", 1, 0, makeCheck},
  };
  return makers;
}

Generator::Generator(Block &block, const Vocabulary &vocabulary, uint64_t seed)
    : random(seed), builder(OpBuilder::atBlockEnd(&block)),
      vocabulary(vocabulary), block(block) {}

Value Generator::existing(function_ref<bool(RankedTensorType)> fits) {
  SmallVector<Value> found;
  for (Value value : values)
    if (fits(cast<RankedTensorType>(value.getType())))
      found.push_back(value);
  if (found.empty())
    return {};
  // The last one, and later ones more often, so that programs grow deep.
  if (random.chance(1, 3))
    return found.back();
  const int64_t i = std::max(random.below(int64_t(found.size())),
                             random.below(int64_t(found.size())));
  return found[static_cast<size_t>(i)];
}

Generator Generator::nested(Block &block, Generator &around) {
  Generator result(block, around.vocabulary, around.random());
  result.values.assign(block.args_begin(), block.args_end());
  result.mayAddArguments = false;
  result.size = around.size;
  return result;
}

Value Generator::constant(RankedTensorType type, bool splat) {
  const ElementType element = *getElementType(type.getElementType());
  Tensor tensor(element, type.getShape().vec());
  const auto bytes = static_cast<size_t>(byteWidth(element));
  const int width = bitWidth(element);
  const uint64_t mask = width == 64 ? ~uint64_t(0) : (uint64_t(1) << width) - 1;
  uint64_t bits = random() & mask;
  std::byte *data = tensor.data();
  for (int64_t i = 0; i < tensor.numElements(); ++i) {
    if (!splat)
      bits = random() & mask;
    std::memcpy(data + static_cast<size_t>(i) * bytes, &bits, bytes);
  }
  auto op = ConstantOp::create(builder, location(), type,
                               toAttribute(builder.getContext(), tensor));
  values.push_back(op);
  return op;
}

Value Generator::argument(RankedTensorType type) {
  if (!mayAddArguments)
    return constant(type, type.getNumElements() > 64);
  Value value = block.addArgument(type, location());
  values.push_back(value);
  return value;
}

Value Generator::any() {
  if (!values.empty() && random.chance(9, 10))
    return existing([](RankedTensorType) { return true; });
  return argument(RankedTensorType::get(anyShape(), anyElement()));
}

Value Generator::operand(RankedTensorType type) {
  if (random.chance(3, 4))
    if (Value value =
            existing([&](RankedTensorType other) { return other == type; }))
      return value;
  return argument(type);
}

Type Generator::anyElement() {
  // Models consist mostly of f32.
  if (random.chance(1, 2))
    return builder.getF32Type();
  return random.pick(vocabulary.elements);
}

int64_t Generator::anyExtent() {
  static const int64_t large[] = {1,   2,   3,   8,   16,   31,   32,  33,
                                  64,  65,  100, 127, 128,  129,  255, 257,
                                  300, 513, 785, 999, 1025, 2049, 5000};
  if (size.isLarge)
    return large[random.below(int64_t(std::size(large)))];
  // Empty, one, primes, powers of two and one over them.
  static const int64_t extents[] = {0,  1,  1,  2,  3,  4,  5,  7,   8,   13,
                                    16, 17, 31, 32, 33, 64, 65, 127, 129, 257};
  int64_t extent = extents[random.below(int64_t(std::size(extents)))];
  // Most programs should have something to compute.
  return extent == 0 && random.chance(3, 4) ? 3 : extent;
}

SmallVector<int64_t> Generator::anyShape() {
  if (size.isLarge && random.chance(1, 8))
    return {random.between(size.elements / 8, size.elements)};
  if (random.chance(1, 24))
    return {1025};
  SmallVector<int64_t> shape;
  int64_t elements = 1;
  for (int64_t rank = size.isLarge ? random.between(1, 4) : random.below(5);
       rank > 0; --rank) {
    int64_t extent = anyExtent();
    if (elements * extent > size.elements)
      extent = random.between(1, 3);
    if (elements * extent > size.elements)
      extent = 1;
    elements *= std::max<int64_t>(extent, 1);
    shape.push_back(extent);
  }
  if (size.isLarge) // the first ones are the longest
    random.shuffle(shape);
  return shape;
}

OrderAttr Generator::anyOrder() {
  if (random.chance(1, 8))
    return OrderAttr::get(builder.getContext(), Order::exact());
  return makeOrder(1);
}

OrderAttr Generator::makeOrder(int levels) {
  std::function<Order(int)> make = [&](int level) -> Order {
    switch (random.below(level >= Order::kMaxLevels ? 3 : 4)) {
    case 0:
      return Order::sequential();
    case 1:
    case 2:
      return Order::lanes(int64_t(1) << random.between(1, level > 1 ? 6 : 8));
    default: {
      static const int64_t sizes[] = {1, 2, 3, 16, 17, 100, 1024};
      const int64_t size = sizes[random.below(int64_t(std::size(sizes)))];
      Order inner = make(level + 1);
      return Order::blocked(size, inner, make(level + 1));
    }
    }
  };
  return OrderAttr::get(builder.getContext(), make(levels));
}

/// Inputs of more elements take longer to make than all else, or more memory
/// than there is.
static bool isTooLarge(Value value) {
  constexpr int64_t most = int64_t(1) << 22;
  return cast<ShapedType>(value.getType()).getNumElements() > most;
}

bool Generator::take(Operation *op) {
  auto refuse = [&] {
    op->erase();
    while (block.getNumArguments() > 0 &&
           block.getArguments().back().use_empty() &&
           isTooLarge(block.getArguments().back())) {
      llvm::erase(values, block.getArguments().back());
      block.eraseArgument(block.getNumArguments() - 1);
    }
    return false;
  };
  if (llvm::any_of(op->getOperands(), isTooLarge))
    return refuse();
  for (Value result : op->getResults())
    if (cast<ShapedType>(result.getType()).getNumElements() > 2 * size.elements)
      return refuse();
  if (auto domain = op->getAttrOfType<DomainAttr>("domain")) {
    int64_t points = 1;
    for (int64_t extent : domain.getExtents())
      if ((points *= std::max<int64_t>(extent, 1)) > size.points)
        return refuse();
  }
  ScopedDiagnosticHandler quiet(op->getContext(),
                                [](Diagnostic &) { return success(); });
  if (failed(verify(op)))
    return refuse();
  llvm::append_range(values, op->getResults());
  return true;
}

void Generator::grow(int64_t ops) {
  builder.setInsertionPointToEnd(&block);
  auto weightOf = [&](unsigned maker) {
    const Maker &one = getMakers()[maker];
    return size.isLarge ? one.weightLarge : one.weight;
  };
  int64_t weights = 0;
  for (unsigned i : vocabulary.makers)
    weights += weightOf(i);
  int64_t made = 0;
  for (int64_t attempt = 0; made < ops && attempt < 20 * ops; ++attempt) {
    int64_t choice = random.below(weights);
    for (unsigned i : vocabulary.makers) {
      choice -= weightOf(i);
      if (choice < 0) {
        made += getMakers()[i].make(*this);
        break;
      }
    }
  }
}

SmallVector<Value> Generator::makeProgram(int64_t ops) {
  values.clear();
  grow(ops);
  SmallVector<Value> results;
  for (Value value : values)
    if (value.getDefiningOp() && (value.use_empty() || random.chance(1, 6)))
      results.push_back(value);
  // Every op may have been refused, and a program without results is none.
  if (results.empty())
    results.push_back(any());
  // An unused argument may stay: that is a program too.
  return results;
}

} // namespace gensyn::random_programs
