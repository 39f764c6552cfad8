// See PreparedValues.h.

#include "PreparedValues.h"

#include "gensyn/Dialect/Gensyn/IR/Gensyn.h"
#include "gensyn/Dialect/Repro/IR/TensorTypes.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;

namespace gensyn::codegen {

/// After all launches that prepare.
static constexpr int64_t kEveryRun = int64_t(1) << 62;

static bool isKept(func::FuncOp function, unsigned argument) {
  const std::optional<Role> role = program::getRole(function, argument);
  return role == Role::Parameter || role == Role::State ||
         role == Role::Average || role == Role::Constant;
}

SmallVector<unsigned> PreparedValues::findLastingInputs(func::FuncOp function) {
  llvm::DenseSet<int64_t> replaced;
  if (auto module = function->getParentOfType<ModuleOp>())
    if (auto donated =
            module->getAttrOfType<DenseI64ArrayAttr>(program::kDonatedAttr))
      replaced.insert(donated.asArrayRef().begin(), donated.asArrayRef().end());
  SmallVector<unsigned> lasting;
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    if (isKept(function, i) && !replaced.contains(i))
      lasting.push_back(i);
  return lasting;
}

PreparedValues::PreparedValues(func::FuncOp function,
                               std::optional<uint64_t> limit) {
  if (limit) {
    left = *limit;
    return;
  }
  for (unsigned i : findLastingInputs(function))
    left += static_cast<uint64_t>(
        repro::bytesOf(function.getArgument(i).getType()));
}

bool PreparedValues::reserve(uint64_t bytes) {
  if (bytes > left)
    return false;
  left -= bytes;
  return true;
}

void PreparedValues::add(uint32_t buffer, uint64_t bytes) {
  blockOf[buffer] = blocks.size();
  blocks.push_back({bytes, now, now, 0});
  addLasting(buffer);
}

void PreparedValues::use(uint32_t buffer, bool prepares) {
  auto found = blockOf.find(buffer);
  if (found == blockOf.end())
    return;
  int64_t &last = blocks[found->second].last;
  last = std::max(last, prepares ? now : kEveryRun);
}

void PreparedValues::finish(plan::Plan &plan) {
  plan.set_prepared_bytes(packArena(blocks));
  for (auto [buffer, block] : blockOf)
    plan.mutable_buffers(static_cast<int>(buffer))
        ->set_prepared(blocks[block].offset);
}

} // namespace gensyn::codegen
