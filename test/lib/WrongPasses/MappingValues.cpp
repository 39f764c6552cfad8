// Tasks that copy or compute something else.

#include "Mapping.h"

#include "gensyn/Codegen/Plan/Plan.h"
#include "gensyn/Dialect/Repro/IR/SplitOp.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"

#include <map>

using namespace mlir;

namespace gensyn::wrong {

static uint64_t bytesOf(Value buffer) {
  return buffer.getDefiningOp<task::BufferOp>().getBytes();
}

/// Cuts what the order of an op keeps together, as if it were free.
static void cutAny(ModuleOp module) {
  module.walk([](repro::KernelOp kernel) {
    if (!kernel->hasAttr(task::kPartsAttr))
      return;
    SmallVector<int64_t> sizes;
    for (int64_t extent : repro::getSplitExtents(kernel))
      sizes.push_back(std::max<int64_t>(extent / 2, 1));
    kernel->setAttr(task::kPartsAttr,
                    DenseI64ArrayAttr::get(kernel.getContext(), sizes));
  });
}

/// Sums halves, as if two cores did, where the order is a chain.
static void cutChains(ModuleOp module) {
  for (auto function : module.getOps<func::FuncOp>()) {
    bool isCut = false;
    repro::KernelOp kernel;
    function.walk([&](repro::ContractOp contract) {
      kernel = contract->getParentOfType<repro::KernelOp>();
      const int64_t half = contract.getDomain().getNumPoints() / 2;
      auto order =
          dyn_cast_or_null<repro::OrderAttr>(contract.getAssignedOrder());
      if (!function.isPrivate() || half < 1 || !order ||
          order.getOrder().print() != "sequential")
        return;
      contract.assignOrder(*Order::parse("blocked<" + std::to_string(half) +
                                         ", sequential, sequential>"));
      isCut = true;
    });
    if (!isCut)
      continue;
    // The code of a piece is found by its name.
    const StringAttr name = StringAttr::get(
        module.getContext(),
        codegen::nameKernel(kernel, codegen::printKernel(kernel)));
    if (succeeded(SymbolTable::replaceAllSymbolUses(function, name, module)))
      function.setSymNameAttr(name);
  }
}

/// Joins the parts of a sum from the last to the first.
static void joinBackwards(ModuleOp module) {
  module.walk([](task::ComputeOp compute) {
    MutableOperandRange buffers = compute.getBuffersMutable();
    const SmallVector<Value> operands(compute.getBuffers().drop_back());
    if (operands.size() < 3 || !llvm::all_of(operands, [&](Value operand) {
          return bytesOf(operand) == bytesOf(operands.front());
        }))
      return;
    for (auto [i, operand] : llvm::enumerate(llvm::reverse(operands)))
      buffers[unsigned(i)].set(operand);
  });
}

/// Leaves out the last tile of each core.
static void dropTile(ModuleOp module) {
  forEachCore(module, [](task::CoreOp core) {
    auto computes = listOf<task::ComputeOp>(core);
    if (computes.size() < 2)
      return;
    Operation *dropped = computes.back();
    SmallVector<int32_t> signals;
    for (Operation *user :
         llvm::make_early_inc_range(dropped->getResult(0).getUsers()))
      if (auto store = dyn_cast<task::StoreOp>(user);
          store && store->use_empty()) {
        llvm::append_range(signals, store.getSignals());
        store.erase();
      }
    if (dropped->use_empty())
      dropped->erase();
    auto stores = listOf<task::StoreOp>(core);
    if (!stores.empty() && !signals.empty())
      stores.back().setSignals(signals);
  });
}

static void fetchRowBefore(ModuleOp module) {
  module.walk([](task::FetchOp fetch) {
    if (fetch.getOffset() >= fetch.getRowBytes())
      fetch.setOffset(fetch.getOffset() - fetch.getRowBytes());
  });
}

static void storeFartherApart(ModuleOp module) {
  module.walk([](task::StoreOp store) {
    SmallVector<int64_t> strides(store.getStrides());
    if (strides.empty())
      return;
    strides.back() += int64_t(store.getRowBytes());
    store.setStrides(strides);
  });
}

/// Leaves the last row where a tile reaches the end of its tensor, say.
static void fetchRowLess(ModuleOp module) {
  module.walk([](task::FetchOp fetch) {
    SmallVector<int64_t> counts(fetch.getCounts());
    if (counts.empty() || counts.front() < 2)
      return;
    --counts.front();
    fetch.setCounts(counts);
  });
}

/// Exchanges the first two operands of one size.
static void swapOperands(ModuleOp module) {
  module.walk([](task::ComputeOp compute) {
    MutableOperandRange buffers = compute.getBuffersMutable();
    for (unsigned i = 0; i + 1 < buffers.size(); ++i)
      for (unsigned k = i + 1; k + 1 < buffers.size(); ++k) {
        Value first = buffers[i].get(), second = buffers[k].get();
        if (first == second || bytesOf(first) != bytesOf(second))
          continue;
        buffers[i].set(second);
        buffers[k].set(first);
        return;
      }
  });
}

/// Keeps an operand's tile for the next one, which is another.
static void keepOperand(ModuleOp module) {
  forEachCore(module, [](task::CoreOp core) {
    // By launch and buffer of the plan.
    std::map<std::pair<uint32_t, uint32_t>, task::FetchOp> fetched;
    for (auto fetch : listOf<task::FetchOp>(core)) {
      task::FetchOp &before = fetched[{fetch.getLaunch(), fetch.getShared()}];
      if (!before ||
          bytesOf(before.getBuffer()) != bytesOf(fetch.getBuffer())) {
        before = fetch;
        continue;
      }
      fetch.getBuffer().replaceAllUsesWith(before.getBuffer());
      fetch.getEnd().replaceAllUsesWith(before.getEnd());
      fetch.erase();
    }
  });
}

/// Stores each tile from the buffer of the tile before.
static void storeTileBefore(ModuleOp module) {
  forEachCore(module, [](task::CoreOp core) {
    std::map<uint32_t, Value> buffers; // by launch
    for (auto store : listOf<task::StoreOp>(core)) {
      Value own = store.getBuffer();
      Value &before = buffers[store.getLaunch()];
      if (before && bytesOf(before) == bytesOf(own))
        store.getBufferMutable().set(before);
      before = own;
    }
  });
}

/// The stores of each launch, in the order of cores.
static std::map<uint32_t, SmallVector<task::StoreOp>>
listStores(ModuleOp module) {
  std::map<uint32_t, SmallVector<task::StoreOp>> stores;
  module.walk(
      [&](task::StoreOp store) { stores[store.getLaunch()].push_back(store); });
  return stores;
}

/// Joins the first and the last tile of a result in the other order.
static void swapParts(ModuleOp module) {
  for (auto &[launch, stores] : listStores(module)) {
    task::StoreOp first = stores.front(), last = stores.back();
    const uint64_t offset = first.getOffset();
    if (bytesOf(first.getBuffer()) != bytesOf(last.getBuffer()))
      continue;
    first.setOffset(last.getOffset());
    last.setOffset(offset);
  }
}

/// Stores every part where the first one lies.
static void storeAtFirst(ModuleOp module) {
  for (auto &[launch, stores] : listStores(module))
    for (task::StoreOp store : stores)
      store.setOffset(stores.front().getOffset());
}

static void dropFaults(ModuleOp module) {
  module.walk([](task::ComputeOp compute) { compute.removeFaultsAttr(); });
}

/// Counts the faults of a piece as if it were at the beginning of its tensor.
static void countFaultsOfPiece(ModuleOp module) {
  module.walk([](task::ComputeOp compute) {
    if (!compute.getFaults())
      return;
    Builder builder(compute.getContext());
    SmallVector<Attribute> words;
    for (auto word : compute.getFaults()->getAsRange<DenseI64ArrayAttr>()) {
      SmallVector<int64_t> numbers(word.asArrayRef());
      // A slot, then begin, size and extent of each dimension.
      for (size_t i = 1; i < numbers.size(); i += 3)
        numbers[i] = 0;
      words.push_back(builder.getDenseI64ArrayAttr(numbers));
    }
    compute.setFaultsAttr(builder.getArrayAttr(words));
  });
}

ArrayRef<WrongMapping> getWrongValues() {
  static const WrongMapping changes[] = {
      {"wrong-map-cut-any", "parts cut a dimension that is not free", cutAny},
      {"wrong-map-cut-chains", "a piece sums halves of what it may not cut",
       cutChains},
      {"wrong-map-join-backwards", "parts of a sum are joined backwards",
       joinBackwards},
      {"wrong-map-drop-tile", "the last tile of a core is left out", dropTile},
      {"wrong-map-fetch-row-before", "a fetch begins a row early",
       fetchRowBefore},
      {"wrong-map-store-farther-apart", "rows are stored too far apart",
       storeFartherApart},
      {"wrong-map-fetch-row-less", "the last row of a tile is not fetched",
       fetchRowLess},
      {"wrong-map-swap-operands", "two operands change places", swapOperands},
      {"wrong-map-keep-operand", "the next tile has the operand of the last",
       keepOperand},
      {"wrong-map-store-tile-before", "a store copies the tile before",
       storeTileBefore},
      {"wrong-map-swap-parts", "two parts are joined in the other order",
       swapParts},
      {"wrong-map-store-at-first", "all parts are stored at one place",
       storeAtFirst},
      {"wrong-map-drop-faults", "fault words are lost", dropFaults},
      {"wrong-map-count-faults-of-piece",
       "faults have their place in the piece, not in the tensor",
       countFaultsOfPiece},
  };
  return changes;
}

} // namespace gensyn::wrong
