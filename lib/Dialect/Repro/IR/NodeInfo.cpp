// See NodeInfo.h.

#include "gensyn/Dialect/Repro/IR/NodeInfo.h"

#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;

gensyn::repro::NodeInfo gensyn::repro::readNodeInfo(Location location) {
  NodeInfo info;
  location->walk([&](Location part) {
    auto named = dyn_cast<NameLoc>(part);
    if (!named)
      return WalkResult::advance();
    info.name = named.getName().str();
    auto fused = dyn_cast<FusedLoc>(named.getChildLoc());
    info.isNode = fused != nullptr;
    auto facts = fused ? dyn_cast_or_null<DictionaryAttr>(fused.getMetadata())
                       : DictionaryAttr();
    if (auto kind = facts ? facts.getAs<StringAttr>("op") : StringAttr())
      info.operation = kind.str();
    return WalkResult::interrupt();
  });
  return info;
}
