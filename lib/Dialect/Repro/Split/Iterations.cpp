// See Iterations.h.

#include "gensyn/Dialect/Repro/IR/Iterations.h"

#include "gensyn/Dialect/Gensyn/IR/Gensyn.h"
#include "gensyn/Dialect/Repro/IR/SplitOp.h"
#include "gensyn/Dialect/Repro/IR/TensorTypes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::repro;

/// A reduction of more elements is computed part by part, and a part has at
/// most so many: 1 MiB of float32, which a referee reads in no time. Both this
/// and the parts are part of the protocol of disputes: a change of them is one
/// of its version.
static constexpr int64_t kMostReduced = int64_t(1) << 18;

using Kind = Iterations::Argument::Kind;

static Iterations iterationsOf(IfOp op) {
  Iterations found;
  found.choice = 0;
  for (unsigned i = 0; i < op.getCaptures().size(); ++i)
    found.arguments.push_back({Kind::Operand, i + 1});
  for (unsigned i = 0; i < op->getNumResults(); ++i)
    found.results.push_back(i);
  return found;
}

static Iterations iterationsOf(LoopOp op) {
  Iterations found;
  found.most = op.getTrips();
  const unsigned flags = op.getCondition() ? 1 : 0,
                 carried = op.getInits().size();
  if (flags)
    found.flag = 0;
  // The flag and the initial values are the first operands.
  for (unsigned i = 0; i < flags + carried; ++i)
    found.initial.push_back(i);
  found.arguments.push_back({Kind::Index, 0});
  for (unsigned i = 0; i < carried; ++i) {
    found.arguments.push_back({Kind::Carried, flags + i});
    found.results.push_back(flags + i);
  }
  for (unsigned i = 0; i < op.getInvariants().size(); ++i)
    found.arguments.push_back({Kind::Operand, flags + carried + i});
  return found;
}

std::optional<Iterations> repro::getIterations(Operation *op) {
  if (auto branch = dyn_cast<IfOp>(op))
    return iterationsOf(branch);
  if (auto loop = dyn_cast<LoopOp>(op))
    return loop.getTrips() ? std::optional(iterationsOf(loop)) : std::nullopt;
  if (!getRowBlock(op) ||
      typeOf(op->getOperand(0)).getNumElements() <= kMostReduced)
    return std::nullopt;
  Iterations found;
  found.arguments = {{Kind::Operand, 0}};
  found.results = {0};
  return found;
}

/// The op as parts of whole blocks, which are joined.
static Value buildParts(OpBuilder &builder, Operation *op, Value operand) {
  const Location location = op->getLoc();
  const int64_t count = typeOf(operand).getNumElements(),
                block = getRowBlock(op),
                part = std::max(kMostReduced / block, int64_t(1)) * block;
  Value row = createReshape(builder, location, operand, {count});
  SmallVector<Value> parts;
  for (int64_t begin = 0; begin < count; begin += part) {
    const IndexRange range{begin, std::min(part, count - begin)};
    parts.push_back(buildRowBlocks(builder, op,
                                   buildTile(builder, location, row, {range})));
  }
  Value blocks = parts.front();
  if (parts.size() > 1)
    blocks = ConcatOp::create(builder, location, parts, uint64_t(0));
  return joinRowBlocks(builder, op, blocks);
}

static Block *blockOf(Operation *op, unsigned variant) {
  if (auto branch = dyn_cast<IfOp>(op))
    return variant ? &branch.getElseBlock() : &branch.getThenBlock();
  if (auto loop = dyn_cast<LoopOp>(op))
    return &loop.getBlock();
  return nullptr;
}

static void nameValues(func::FuncOp main, const Iterations &iterations) {
  Builder builder(main.getContext());
  for (auto [i, argument] : llvm::enumerate(iterations.arguments)) {
    static constexpr const char *names[] = {"operand", "carried", "index"};
    const std::string name =
        names[size_t(argument.kind)] + (argument.kind == Kind::Index
                                            ? std::string()
                                            : std::to_string(argument.number));
    main.setArgAttr(unsigned(i), program::kNameAttr,
                    builder.getStringAttr(name));
    main.setArgAttr(unsigned(i), program::kRoleAttr,
                    program::getRoleAttr(main.getContext(), Role::Input));
  }
  for (unsigned i = 0; i < main.getNumResults(); ++i)
    main.setResultAttr(i, program::kNameAttr,
                       builder.getStringAttr("next" + std::to_string(i)));
}

OwningOpRef<ModuleOp> repro::buildIteration(Operation *op, unsigned variant) {
  OpBuilder builder(op->getContext());
  OwningOpRef<ModuleOp> module = ModuleOp::create(op->getLoc());
  builder.setInsertionPointToStart(module->getBody());
  Block *block = blockOf(op, variant);
  SmallVector<Type> types;
  if (block)
    llvm::append_range(types, block->getArgumentTypes());
  else
    llvm::append_range(types, op->getOperandTypes());
  auto main = func::FuncOp::create(builder, op->getLoc(), "main",
                                   builder.getFunctionType(types, {}));
  Block *body = main.addEntryBlock();
  builder.setInsertionPointToStart(body);
  SmallVector<Value> results;
  if (block) {
    IRMapping mapping;
    mapping.map(block->getArguments(), body->getArguments());
    for (Operation &inner : block->without_terminator())
      builder.clone(inner, mapping);
    for (Value yielded : block->getTerminator()->getOperands())
      results.push_back(mapping.lookup(yielded));
  } else {
    results.push_back(buildParts(builder, op, body->getArgument(0)));
  }
  func::ReturnOp::create(builder, op->getLoc(), results);
  main.setFunctionType(
      builder.getFunctionType(types, ValueRange(results).getTypes()));
  nameValues(main, *getIterations(op));
  return module;
}
