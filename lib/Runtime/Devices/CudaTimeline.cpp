// See CudaTimeline.h.

#include "CudaTimeline.h"

#include "gensyn/Executable/plan.pb.h"
#include "gensyn/Runtime/Devices/KernelProfile.h"

namespace gensyn::cuda {

CudaTimeline::~CudaTimeline() {
  if (events.empty())
    return;
  const CurrentContext current = context.tryEnter();
  for (Event event : events)
    context.driver.cuEventDestroy_v2(event);
}

void CudaTimeline::clear() {
  work.clear();
  used = 0;
  isOpen = false;
}

size_t CudaTimeline::record(Stream stream) {
  const Driver &driver = context.driver;
  if (used == events.size()) {
    Event event = nullptr;
    driver.check(driver.cuEventCreate(&event, EventWithTiming),
                 "make an event");
    events.push_back(event);
  }
  driver.check(driver.cuEventRecordWithFlags(
                   events[used], stream,
                   isCaptured ? unsigned(EventRecordExternal) : 0u),
               "record an event");
  return used++;
}

CudaTimeline::Work &CudaTimeline::begin(Stream stream) {
  const size_t event = record(stream);
  if (isOpen)
    work.back().end = event;
  isOpen = true;
  Work &next = work.emplace_back();
  next.begin = event;
  return next;
}

void CudaTimeline::beginLaunch(Stream stream, int launch) {
  if (context.profile)
    begin(stream).launch = launch;
}

void CudaTimeline::beginCopy(Stream stream, const char *kind, uint64_t bytes) {
  if (!context.profile)
    return;
  Work &copy = isOpen && work.back().copy == kind ? work.back() : begin(stream);
  copy.copy = kind;
  ++copy.copies;
  copy.bytes += bytes;
}

void CudaTimeline::stop(Stream stream) {
  if (isOpen)
    work.back().end = record(stream);
  isOpen = false;
}

double CudaTimeline::seconds(const Work &work) const {
  float milliseconds = 0;
  context.driver.check(context.driver.cuEventElapsedTime(
                           &milliseconds, events[work.begin], events[work.end]),
                       "read the time of an event");
  return double(milliseconds) * 1e-3;
}

void CudaTimeline::addTo(const plan::Plan &plan) const {
  for (const Work &each : work)
    if (each.launch >= 0)
      context.profile->addLaunch(plan, each.launch, seconds(each));
  addCopies();
}

void CudaTimeline::addCopies() const {
  for (const Work &each : work)
    if (each.copy)
      context.profile->addCopies(each.copy, each.copies, each.bytes,
                                 seconds(each));
}

} // namespace gensyn::cuda
