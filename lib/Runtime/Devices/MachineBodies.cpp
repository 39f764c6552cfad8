// See MachineBodies.h.

#include "MachineBodies.h"

#include "ElfCheck.h"
#include "gensyn/Executable/KernelAccess.h"
#include "gensyn/Executable/Packages/PlanCheck.h"
#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/mapping.pb.h"
#include "gensyn/Executable/plan.pb.h"

#include <algorithm>

namespace gensyn::runtime {

static std::string_view checked(std::string_view bytes) {
  checkSharedObject(bytes);
  return bytes;
}

/// A body as a launch of a plan, which one check knows.
static void checkBody(const mapping::Body &body, const mapping::Call &call,
                      const KernelAccess &access) {
  plan::Plan plan;
  plan::Launch launch;
  auto add = [&](uint64_t bytes, bool isWritten) {
    launch.add_buffers(uint32_t(plan.buffers_size()));
    plan::Buffer &buffer = *plan.add_buffers();
    buffer.set_bytes(bytes);
    if (isWritten)
      buffer.set_output(launch.buffers(launch.buffers_size() - 1));
    else
      buffer.set_input(launch.buffers(launch.buffers_size() - 1));
  };
  for (int i = 0; i < body.arguments_size(); ++i)
    add(body.arguments(i), uint32_t(i) >= body.operands());
  for (uint32_t i = 0; i < body.faults(); ++i)
    add(sizeof(uint64_t), true);
  for (uint64_t bytes : body.workspaces())
    add(bytes, true);
  launch.set_kernel(call.function());
  launch.set_tiles(call.tiles());
  launch.set_scratch_bytes(call.scratch_bytes());
  checkAccess(plan, launch, access);
}

MachineBodies::MachineBodies(const mapping::Mapping &mapping,
                             const plan::Code &code, bool isPackaged)
    : library(checked(code.data())) {
  std::vector<uint64_t> sizes;
  uint64_t scratchBytes = 0;
  for (const mapping::Body &body : mapping.bodies()) {
    if (body.calls().empty())
      failBadInput("the program is malformed: piece " + quote(body.name()) +
                   " has no code");
    for (const mapping::Call &call : body.calls()) {
      void *symbol = library.find(call.function());
      if (!symbol)
        failBadInput("the program is malformed: there is no function " +
                     quote(call.function()));
      std::optional<KernelAccess> access;
      if (auto data = library.findData(call.function() + KernelAccess::suffix))
        access = KernelAccess::decode(*data);
      if (access)
        checkBody(body, call, *access);
      else if (isPackaged)
        failUnsupported("function " + quote(call.function()) +
                        " does not say what memory it accesses");
      functions[&body].push_back(
          {reinterpret_cast<Kernel>(symbol), call.tiles()});
      scratchBytes = std::max(scratchBytes, call.scratch_bytes());
    }
    sizes.resize(std::max(sizes.size(), size_t(body.workspaces_size())));
    for (int i = 0; i < body.workspaces_size(); ++i)
      sizes[size_t(i)] = std::max(sizes[size_t(i)], body.workspaces(i));
  }
  for (uint64_t bytes : sizes)
    workspaces.push_back(allocateAligned(bytes));
  scratch = allocateAligned(scratchBytes);
}

void MachineBodies::call(const mapping::Body &body,
                         std::span<uint8_t *const> arguments) {
  buffers.assign(arguments.begin(), arguments.end());
  for (int i = 0; i < body.workspaces_size(); ++i)
    buffers.push_back(workspaces[size_t(i)].get());
  for (const Function &function : functions.find(&body)->second)
    function.kernel(buffers.data(), scratch.get(), 0, function.tiles);
}

} // namespace gensyn::runtime
