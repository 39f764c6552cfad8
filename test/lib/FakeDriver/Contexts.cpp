// Contexts, and the stack of them that each thread has.

#include "Machine.h"

namespace gensyn::fakedriver {

static std::vector<cuda::Context> &stackOfThread() {
  static thread_local std::vector<cuda::Context> stack;
  return stack;
}

cuda::Context Machine::current() {
  const std::vector<cuda::Context> &stack = stackOfThread();
  // A context that was destroyed may still be on stacks.
  if (stack.empty() || !get().contexts.count(stack.back()))
    return nullptr;
  return stack.back();
}

static Result makeContext(cuda::Context *context, cuda::Device device,
                          bool isPrimary) {
  Machine &machine = Machine::get();
  if (device < 0 || device >= machine.devices)
    return cuda::ErrorInvalidDevice;
  for (auto &[handle, data] : machine.contexts)
    if (isPrimary && data.isPrimary && data.device == device) {
      ++data.uses;
      *context = handle;
      return cuda::Success;
    }
  // Never the handle of a context that was destroyed.
  static uintptr_t last = 0x1000;
  *context = reinterpret_cast<cuda::Context>(++last);
  machine.contexts[*context] = {device, isPrimary, 1};
  return cuda::Success;
}

static Result destroyContext(cuda::Context context) {
  Machine &machine = Machine::get();
  machine.synchronizeAll();
  machine.contexts.erase(context);
  machine.removeMemory(context);
  if (machine.contexts.empty())
    machine.reset();
  return cuda::Success;
}

} // namespace gensyn::fakedriver

namespace gensyn::cuda {

using namespace fakedriver;

GENSYN_FAKE_EXPORT cuDevicePrimaryCtxRetain(Context *context, Device device) {
  GENSYN_FAKE_BEGIN(Initialized);
  return makeContext(context, device, /*isPrimary=*/true);
}

GENSYN_FAKE_EXPORT cuDevicePrimaryCtxRelease_v2(Device device) {
  GENSYN_FAKE_BEGIN(Initialized);
  for (auto &[handle, data] : machine.contexts)
    if (data.isPrimary && data.device == device)
      return --data.uses == 0 ? destroyContext(handle) : Success;
  return ErrorInvalidContext;
}

GENSYN_FAKE_EXPORT cuDevicePrimaryCtxGetState(Device device, unsigned *flags,
                                              int *active) {
  GENSYN_FAKE_BEGIN(Initialized);
  *flags = 0;
  *active = 0;
  for (const auto &[handle, data] : machine.contexts)
    *active |= data.isPrimary && data.device == device;
  return Success;
}

// The forms of cuCtxCreate of several toolkits; their parameters of the context
// are ignored.
static Result createContext(Context *context, Device device) {
  Result error = makeContext(context, device, /*isPrimary=*/false);
  if (!error)
    stackOfThread().push_back(*context);
  return error;
}

GENSYN_FAKE_EXPORT cuCtxCreate_v2(Context *context, unsigned, Device device) {
  GENSYN_FAKE_BEGIN(Initialized);
  return createContext(context, device);
}

GENSYN_FAKE_EXPORT cuCtxCreate_v3(Context *context, void *, int, unsigned,
                                  Device device) {
  GENSYN_FAKE_BEGIN(Initialized);
  return createContext(context, device);
}

GENSYN_FAKE_EXPORT cuCtxCreate_v4(Context *context, void *, unsigned,
                                  Device device) {
  GENSYN_FAKE_BEGIN(Initialized);
  return createContext(context, device);
}

GENSYN_FAKE_EXPORT cuCtxDestroy_v2(Context context) {
  GENSYN_FAKE_BEGIN(Initialized);
  auto found = machine.contexts.find(context);
  if (found == machine.contexts.end() || found->second.isPrimary)
    return ErrorInvalidContext;
  if (Machine::current() == context)
    stackOfThread().pop_back();
  return destroyContext(context);
}

GENSYN_FAKE_EXPORT cuCtxSetCurrent(Context context) {
  GENSYN_FAKE_BEGIN(Initialized);
  if (context && !machine.contexts.count(context))
    return ErrorInvalidContext;
  std::vector<Context> &stack = stackOfThread();
  if (!stack.empty())
    stack.pop_back();
  if (context)
    stack.push_back(context);
  return Success;
}

GENSYN_FAKE_EXPORT cuCtxGetCurrent(Context *context) {
  GENSYN_FAKE_BEGIN(Initialized);
  *context = Machine::current();
  return Success;
}

GENSYN_FAKE_EXPORT cuCtxPushCurrent_v2(Context context) {
  GENSYN_FAKE_BEGIN(Initialized);
  if (!machine.contexts.count(context))
    return ErrorInvalidContext;
  stackOfThread().push_back(context);
  return Success;
}

GENSYN_FAKE_EXPORT cuCtxPopCurrent_v2(Context *context) {
  GENSYN_FAKE_BEGIN(Initialized);
  std::vector<Context> &stack = stackOfThread();
  if (stack.empty())
    return ErrorInvalidContext;
  *context = stack.back();
  stack.pop_back();
  return Success;
}

GENSYN_FAKE_EXPORT cuCtxSynchronize() {
  GENSYN_FAKE_BEGIN(Current);
  return machine.isCapturing() ? ErrorCaptureUnsupported
                               : machine.synchronizeAll();
}

} // namespace gensyn::cuda
