// See Conflicts.h.

#include "Conflicts.h"

#include "llvm/ADT/STLExtras.h"

namespace gensyn::mapping {

/// Joins the buffers that loops exchange.
template <class Steps>
static void joinCarries(const Steps &steps,
                        llvm::EquivalenceClasses<uint32_t> &exchanged) {
  for (const plan::Step &step : steps) {
    if (step.has_branch()) {
      joinCarries(step.branch().then_steps(), exchanged);
      joinCarries(step.branch().else_steps(), exchanged);
    }
    if (!step.has_loop())
      continue;
    joinCarries(step.loop().body(), exchanged);
    for (const plan::Step::Carry &carry : step.loop().carries())
      exchanged.unionSets(carry.current(), carry.next());
  }
}

Conflicts::Conflicts(const plan::Plan &plan) : plan(plan) {
  joinCarries(plan.steps(), exchanged);
}

llvm::SmallVector<Conflicts::Span> Conflicts::spansOf(uint32_t buffer) const {
  llvm::SmallVector<Span> spans;
  if (exchanged.contains(buffer))
    for (uint32_t other : exchanged.members(buffer))
      spans.push_back(spanOf(other));
  else
    spans.push_back(spanOf(buffer));
  llvm::erase_if(spans,
                 [](const Span &span) { return span.begin == span.end; });
  return spans;
}

Conflicts::Span Conflicts::spanOf(uint32_t number) const {
  const plan::Buffer &buffer = plan.buffers(int(number));
  const int kind = buffer.place_case();
  switch (buffer.place_case()) {
  case plan::Buffer::kArena:
    return {{kind, 0}, buffer.arena(), buffer.arena() + buffer.bytes()};
  case plan::Buffer::kPrepared:
    return {{kind, 0}, buffer.prepared(), buffer.prepared() + buffer.bytes()};
  case plan::Buffer::kInput:
    return {{kind, buffer.input()}, 0, buffer.bytes()};
  case plan::Buffer::kOutput: {
    // It may lie where the input lies that it replaces.
    const int output = int(buffer.output());
    if (output < plan.in_place_size() && plan.in_place(output))
      return {{plan::Buffer::kInput, uint32_t(plan.donated(output))},
              0,
              buffer.bytes()};
    return {{kind, buffer.output()}, 0, buffer.bytes()};
  }
  case plan::Buffer::kConstant:
    return {{kind, buffer.constant()}, 0, buffer.bytes()};
  case plan::Buffer::kFault:
  case plan::Buffer::PLACE_NOT_SET:
    break;
  }
  return {{kind, number}, 0, 0};
}

void Conflicts::cut(Bytes &bytes, uint64_t at) {
  auto after = bytes.upper_bound(at);
  if (after == bytes.begin()) {
    bytes.try_emplace(at);
    return;
  }
  auto before = std::prev(after);
  if (before->first != at)
    bytes.emplace_hint(after, at, before->second);
}

llvm::SmallVector<llvm::SmallVector<unsigned>>
Conflicts::add(const Accesses &accesses) {
  llvm::SmallVector<llvm::SmallVector<unsigned>> result;
  auto collect = [&](uint32_t buffer, bool writes) {
    llvm::SmallVector<unsigned> &found = result.emplace_back();
    for (const Span &span : spansOf(buffer)) {
      Bytes &bytes = memories[span.memory];
      cut(bytes, span.begin);
      cut(bytes, span.end);
      for (auto users = bytes.find(span.begin); users->first != span.end;
           ++users) {
        llvm::append_range(found, users->second.writers);
        if (writes)
          llvm::append_range(found, users->second.readers);
      }
    }
    llvm::sort(found);
    found.erase(llvm::unique(found), found.end());
  };
  for (uint32_t buffer : accesses.reads)
    collect(buffer, false);
  for (uint32_t buffer : accesses.writes)
    collect(buffer, true);
  // The launch is a user only now, since it does not wait for itself.
  auto visit = [&](uint32_t buffer, auto change) {
    for (const Span &span : spansOf(buffer)) {
      Bytes &bytes = memories[span.memory];
      for (auto users = bytes.find(span.begin); users->first != span.end;
           ++users)
        change(users->second);
    }
  };
  for (uint32_t buffer : accesses.writes)
    visit(buffer, [&](Users &users) {
      users.writers = {added};
      users.readers.clear();
    });
  for (uint32_t buffer : accesses.reads)
    visit(buffer, [&](Users &users) {
      if (!llvm::is_contained(users.writers, added))
        users.readers.push_back(added);
    });
  ++added;
  return result;
}

} // namespace gensyn::mapping
