// Finds window groups and changes their shape; see WindowGroups.h.

#include "WindowGroups.h"
#include "gensyn/Numerics/Sizes.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace gensyn;
using namespace gensyn::repro;

static int64_t floorDiv(int64_t a, int64_t b) {
  return llvm::divideFloorSigned(a, b);
}

FailureOr<SmallVector<WindowGroup>> findGroups(const IterationSpace &space,
                                               std::string &reason) {
  SmallVector<WindowGroup> groups;
  auto find = [&](unsigned iterator) -> WindowGroup * {
    for (WindowGroup &group : groups)
      if (group.outer == iterator || group.inner == iterator ||
          group.phase == iterator)
        return &group;
    return nullptr;
  };
  // Shape P first: q - d' t is the only expression with a negative coefficient.
  for (const LinearMap &map : space.maps)
    for (const LinearExpr &expr : map) {
      SmallVector<unsigned> used = expr.iterators();
      if (used.size() != 2 ||
          (expr.coefficients[used[0]] > 0 && expr.coefficients[used[1]] > 0))
        continue;
      unsigned q = used[0], t = used[1];
      if (expr.coefficients[q] < 0)
        std::swap(q, t);
      if (expr.coefficients[q] != 1 || expr.coefficients[t] >= 0 || find(q) ||
          find(t)) {
        reason = "an index is neither s*o + d*k + c nor q - d*t";
        return failure();
      }
      groups.push_back(
          {WindowGroup::P, q, t, std::nullopt, 1, -expr.coefficients[t]});
    }
  // Its phase r stands beside t in s' t + r, and beside q in s q + d r + e.
  for (WindowGroup &group : groups) {
    int64_t reducedDilation = group.dilation;
    for (const LinearMap &map : space.maps)
      for (const LinearExpr &expr : map) {
        SmallVector<unsigned> used = expr.iterators();
        int64_t q = expr.coefficients[group.outer];
        if (q != 0 && expr.coefficients[group.inner] == 0) {
          group.stride = q;
          group.dilation = saturatingMultiply(q, reducedDilation);
        }
        if (used.size() != 2)
          continue;
        for (unsigned iterator : used)
          if (iterator != group.outer && iterator != group.inner &&
              llvm::is_contained(used, group.inner))
            group.phase = iterator;
      }
    if (!group.phase)
      continue;
    for (const LinearMap &map : space.maps)
      for (const LinearExpr &expr : map)
        if (expr.coefficients[group.outer] != 0 &&
            expr.coefficients[*group.phase] != 0)
          group.dilation = expr.coefficients[*group.phase];
  }
  for (const LinearMap &map : space.maps)
    for (const LinearExpr &expr : map) {
      SmallVector<unsigned> used = expr.iterators();
      if (used.size() < 2)
        continue;
      WindowGroup *first = find(used[0]), *second = find(used[1]);
      if (first && first == second) {
        if (first->shape == WindowGroup::P)
          continue;
        reason = "a window group has two input indices";
        return failure();
      }
      if (first || second) {
        reason = "an iterator belongs to two window groups";
        return failure();
      }
      // The iterator that also indexes the result is the output index.
      unsigned o = used[0], k = used[1];
      if (space.reduced[o] && !space.reduced[k])
        std::swap(o, k);
      groups.push_back({WindowGroup::W, o, k, std::nullopt,
                        expr.coefficients[o], expr.coefficients[k]});
    }
  return groups;
}

FailureOr<SmallVector<WindowGroup>>
gensyn::repro::findWindowGroups(const IterationSpace &space,
                                std::string *reason) {
  std::string ignored;
  return findGroups(space, reason ? *reason : ignored);
}

/// True if s' and d' are small enough for the products below, whose other
/// factors the verifier bounds by 2^40 (domain_c5). Larger ones have windows
/// that no tensor holds.
static bool isMultipliable(int64_t sp, int64_t dp) {
  constexpr int64_t limit = int64_t{1} << 20;
  return std::abs(sp) <= limit && std::abs(dp) <= limit;
}

/// W to P: o := q + qlo - d' t, k := s' t + r.
static LogicalResult turnIntoP(IterationSpace &space, const WindowGroup &group,
                               const LinearExpr &input, int64_t inputExtent) {
  int64_t s = group.stride, d = group.dilation, g = std::gcd(s, d);
  int64_t sp = s / g, dp = d / g, padding = -input.constant;
  if (!isMultipliable(sp, dp))
    return failure();
  int64_t taps = space.extents[group.inner];
  int64_t low = floorDiv(padding - d * (sp - 1), s);
  int64_t high = floorDiv(inputExtent - 1 + padding, s);
  unsigned q = group.outer, t = group.inner;
  space.extents[q] = high - low + 1;
  space.extents[t] = llvm::divideCeilSigned(taps, sp);
  std::optional<unsigned> r;
  if (sp > 1) {
    r = space.insertIterator(q, sp);
    if (t > q)
      ++t;
  }
  auto zero = [&] {
    return LinearExpr{SmallVector<int64_t>(space.extents.size(), 0), 0};
  };
  LinearExpr output = zero(), tap = zero();
  output.coefficients[q] = 1;
  output.coefficients[t] = -dp;
  output.constant = low;
  tap.coefficients[t] = sp;
  if (r)
    tap.coefficients[*r] = 1;
  // k first: its replacement names t, which is k's own number.
  SmallVector<LinearMap> before = space.maps;
  for (auto [map, old] : llvm::zip(space.maps, before))
    for (auto [expr, oldExpr] : llvm::zip(map, old)) {
      int64_t fo = oldExpr.coefficients[q], fk = oldExpr.coefficients[t];
      expr.coefficients[q] = expr.coefficients[t] = 0;
      for (size_t i = 0; i < expr.coefficients.size(); ++i)
        expr.coefficients[i] +=
            fo * output.coefficients[i] + fk * tap.coefficients[i];
      expr.constant += fo * output.constant + fk * tap.constant;
    }
  return success();
}

/// P to W: q := o - a + d' t, then r := k - s' t (or t := k). Extents of o and
/// k are those of the tensors they index.
static LogicalResult turnIntoW(IterationSpace &space,
                               const WindowGroup &group) {
  int64_t s = group.stride, d = group.dilation, g = std::gcd(s, d);
  int64_t sp = s / g, dp = d / g;
  unsigned q = group.outer, t = group.inner;
  int64_t offset = 0, outputs = -1, taps = 0;
  if (!isMultipliable(sp, dp) || llvm::MulOverflow(space.extents[t], sp, taps))
    return failure();
  for (auto [map, shape] : llvm::zip(space.maps, space.shapes))
    for (auto [expr, extent] : llvm::zip(map, shape)) {
      if (expr.coefficients[q] && expr.coefficients[t]) {
        offset = expr.constant;
        outputs = extent;
      } else if (expr.coefficients[t]) {
        taps = extent;
      }
    }
  if (outputs < 0)
    return failure();
  for (LinearMap &map : space.maps)
    for (LinearExpr &expr : map) {
      int64_t fq = expr.coefficients[q], ft = expr.coefficients[t];
      int64_t fr = group.phase ? expr.coefficients[*group.phase] : 0;
      // Now q names o; t names k, and the old t has to cancel.
      int64_t tap = group.phase ? fr : ft + fq * dp;
      if (group.phase && ft + fq * dp - fr * sp != 0)
        return failure();
      int64_t shift = 0;
      if (llvm::MulOverflow(fq, offset, shift) ||
          llvm::SubOverflow(expr.constant, shift, expr.constant))
        return failure();
      expr.coefficients[t] = tap;
      if (group.phase)
        expr.coefficients[*group.phase] = 0;
    }
  space.extents[q] = outputs;
  space.extents[t] = taps;
  if (group.phase)
    space.eraseIterator(*group.phase);
  return success();
}

LogicalResult gensyn::repro::reshapeForResult(IterationSpace &space) {
  // One group at a time: iterators are renumbered when one changes its shape.
  for (bool changed = true; changed;) {
    changed = false;
    auto groups = findWindowGroups(space);
    if (failed(groups))
      return failure();
    for (const WindowGroup &group : *groups) {
      const LinearMap &result = space.maps.back();
      bool isInput = false;
      size_t position = 0;
      for (auto [i, expr] : llvm::enumerate(result)) {
        int64_t outer = expr.coefficients[group.outer];
        int64_t inner = expr.coefficients[group.inner];
        bool input =
            group.shape == WindowGroup::W ? outer && inner : outer && !inner;
        if (input) {
          isInput = true;
          position = i;
        }
      }
      if (isInput && group.shape == WindowGroup::W) {
        if (failed(turnIntoP(space, group, result[position],
                             space.shapes.back()[position])))
          return failure();
        changed = true;
      } else if (!isInput && group.shape == WindowGroup::P) {
        if (failed(turnIntoW(space, group)))
          return failure();
        changed = true;
      }
      if (changed)
        break;
    }
  }
  space.normalize();
  return success();
}

/// domain_c3: per result dimension its own iterators, and distinct values.
static LogicalResult verifyResultMap(Operation *op,
                                     const IterationSpace &space) {
  SmallVector<bool> used(space.extents.size(), false);
  for (auto [dim, expr] : llvm::enumerate(space.maps.back())) {
    SmallVector<unsigned> iterators = expr.iterators();
    for (unsigned i : iterators) {
      if (space.reduced[i])
        return op->emitOpError("index ")
               << dim << " of the result uses the reduced iterator d" << i;
      if (std::exchange(used[i], true))
        return op->emitOpError("iterator d")
               << i << " stands in two indices of the result";
    }
    if (iterators.size() != 2)
      continue;
    // x a + y b = x a' + y b' exactly if a - a' is a multiple of y / g and b' -
    // b the same multiple of x / g.
    const int64_t a = iterators[0], b = iterators[1];
    const int64_t x = std::abs(expr.coefficients[a]),
                  y = std::abs(expr.coefficients[b]), g = std::gcd(x, y);
    if (y / g < space.extents[a] && x / g < space.extents[b])
      return op->emitOpError("index ")
             << dim << " of the result reaches an element twice";
  }
  for (auto [i, extent] : llvm::enumerate(space.extents))
    if (!space.reduced[i] && !used[i] && extent > 1)
      return op->emitOpError("the parallel iterator d")
             << i << " stands in no index of the result";
  return success();
}

LogicalResult gensyn::repro::verifyDomain(Operation *op, DomainAttr domain,
                                          ArrayAttr maps, ValueRange operands) {
  int64_t previous = -1;
  for (int64_t iterator : domain.getReduced()) {
    if (iterator <= previous || iterator >= int64_t(domain.getRank()))
      return op->emitOpError("reduced iterators [")
             << domain.getReduced() << "] are not increasing below "
             << domain.getRank();
    previous = iterator;
  }
  for (int64_t extent : domain.getExtents())
    if (extent < 0)
      return op->emitOpError("an iterator has the negative extent ") << extent;
  // Products are checked before any multiplication that could overflow.
  if (!boundedProduct(domain.getExtents(), kMaxDomainPoints)) // domain_c5
    return op->emitOpError("the domain has more than 2^60 points");
  SmallVector<int64_t> reduced;
  for (int64_t iterator : domain.getReduced())
    reduced.push_back(domain.getExtents()[iterator]);
  if (!boundedProduct(ArrayRef(reduced), kMaxElements)) // g2
    return op->emitOpError("reduces more than 2^40 points");
  if (maps.size() != operands.size() + 1)
    return op->emitOpError("has ")
           << maps.size() << " maps, expected " << operands.size() + 1;
  auto space = IterationSpace::get(domain, maps, operands, op->getResult(0));
  if (failed(space))
    return op->emitOpError("has a map that is not linear in the ")
           << domain.getRank() << " iterators";
  for (auto [i, map] : llvm::enumerate(space->maps)) {
    if (map.size() != space->shapes[i].size())
      return op->emitOpError("map ")
             << i << " has " << map.size() << " indices, expected "
             << space->shapes[i].size();
    for (const LinearExpr &expr : map) {
      if (expr.iterators().size() > 2)
        return op->emitOpError("an index of map ")
               << i << " has more than two iterators";
      if (!space->isBounded(expr)) // domain_c5
        return op->emitOpError("an index of map ")
               << i << " has a number beyond 2^40 or goes beyond 2^60";
    }
  }
  if (failed(verifyResultMap(op, *space)))
    return failure();
  std::string reason;
  if (failed(findWindowGroups(*space, &reason)))
    return op->emitOpError() << reason;
  return success();
}
