// See PartBuilder.h.

#include "PartBuilder.h"

#include "gensyn/Dialect/Train/Transforms/StepParts.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::train;

PartBuilder::PartBuilder(func::FuncOp main, StringRef name)
    : main(main), builder(main) {
  part = func::FuncOp::create(builder, main.getLoc(), name,
                              builder.getFunctionType({}, {}));
  part.addEntryBlock();
}

static DictionaryAttr describePort(OpBuilder &builder, StringRef name,
                                   Role role) {
  return builder.getDictionaryAttr(
      {builder.getNamedAttr(program::kNameAttr, builder.getStringAttr(name)),
       builder.getNamedAttr(program::kRoleAttr,
                            program::getRoleAttr(builder.getContext(), role))});
}

Value PartBuilder::addArgument(Value value, BlockArgument like, Type type) {
  Value argument = part.getBody().front().addArgument(
      type ? type : value.getType(), like.getLoc());
  NamedAttrList attributes(main.getArgAttrDict(like.getArgNumber()));
  // Whoever runs the part has the value.
  attributes.erase(program::kInitialAttr);
  argumentAttributes.push_back(attributes.getDictionary(main.getContext()));
  stands.push_back(value);
  mapping.map(value, argument);
  return argument;
}

Value PartBuilder::addArgument(Value value, Type type, StringRef name,
                               Role role) {
  Value argument = part.getBody().front().addArgument(type, main.getLoc());
  argumentAttributes.push_back(describePort(builder, name, role));
  stands.push_back(value);
  if (value)
    mapping.map(value, argument);
  return argument;
}

void PartBuilder::addResult(Value value, StringRef name, Role role,
                            Value target) {
  results.push_back(value);
  resultAttributes.push_back(describePort(builder, name, role));
  replaced.push_back(target);
}

void PartBuilder::derive(
    Value value,
    llvm::function_ref<Value(OpBuilder &builder, Value argument)> build) {
  builder.setInsertionPointToEnd(&part.getBody().front());
  mapping.map(value, build(builder, mapping.lookup(value)));
}

llvm::DenseSet<Value> PartBuilder::findSources() const {
  llvm::DenseSet<Value> sources;
  SmallVector<Value> pending(results);
  while (!pending.empty()) {
    Value next = pending.pop_back_val();
    if (!sources.insert(next).second || mapping.contains(next))
      continue;
    if (Operation *op = next.getDefiningOp())
      llvm::append_range(pending, op->getOperands());
  }
  return sources;
}

SmallVector<BlockArgument> PartBuilder::findArguments(Block &block) const {
  const llvm::DenseSet<Value> sources = findSources();
  SmallVector<BlockArgument> found;
  for (BlockArgument argument : block.getArguments())
    if (sources.contains(argument))
      found.push_back(argument);
  return found;
}

void PartBuilder::finish(Block &block, Cloner clone) {
  const llvm::DenseSet<Value> sources = findSources();
  builder.setInsertionPointToEnd(&part.getBody().front());
  for (Operation &op : block.without_terminator())
    if (llvm::any_of(op.getResults(), [&](Value result) {
          return sources.contains(result) && !mapping.contains(result);
        }))
      clone(builder, op, mapping);
  SmallVector<Value> values;
  for (Value result : results)
    values.push_back(mapping.lookup(result));
  func::ReturnOp::create(builder, main.getLoc(), values);
  Block &own = part.getBody().front();
  part.setType(builder.getFunctionType(own.getArgumentTypes(),
                                       ValueRange(values).getTypes()));
  part.setAllArgAttrs(argumentAttributes);
  part.setAllResultAttrs(resultAttributes);
  SmallVector<int64_t> donated;
  for (Value value : replaced) {
    auto *found = value ? llvm::find(stands, value) : stands.end();
    donated.push_back(found == stands.end() ? -1 : found - stands.begin());
  }
  part->setAttr(kPartDonatedAttr, builder.getDenseI64ArrayAttr(donated));
}
