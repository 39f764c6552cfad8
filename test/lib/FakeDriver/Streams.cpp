// Streams and events. Work is done when somebody waits for it. Graphs.cpp has
// the graphs that streams record.

#include "Machine.h"

#include <chrono>

namespace gensyn::fakedriver {

static double now() {
  return std::chrono::duration<double>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

Result Machine::add(StreamData &stream, Operation operation) {
  if (stream.capture) {
    stream.dependencies = {
        stream.capture->add(std::move(operation), stream.dependencies)};
    return cuda::Success;
  }
  // The default stream runs after all earlier work of the blocking streams, and
  // they run after its work.
  if (&stream == &defaultStream) {
    Result error = cuda::Success;
    streams.each([&](StreamData &other) {
      if (other.isBlocking && !error)
        error = synchronize(other);
    });
    if (error)
      return error;
  } else if (stream.isBlocking) {
    if (Result error = synchronize(defaultStream))
      return error;
  }
  stream.waiting.push_back(std::move(operation));
  ++stream.added;
  // The other extreme: copies that need not wait are done before kernels that
  // were launched earlier.
  return isEager && !stream.hasLaunched ? synchronize(stream) : cuda::Success;
}

Result Machine::runUntil(StreamData &stream, uint64_t position) {
  while (!broken && stream.done < position) {
    Operation operation = std::move(stream.waiting.front());
    stream.waiting.pop_front();
    ++stream.done;
    if (Result error = operation())
      broken = error;
  }
  return broken;
}

Result Machine::synchronizeAll() {
  Result error = synchronize(defaultStream);
  streams.each([&](StreamData &stream) {
    if (!error && !stream.capture)
      error = synchronize(stream);
  });
  return error;
}

} // namespace gensyn::fakedriver

namespace gensyn::cuda {

using namespace fakedriver;

GENSYN_FAKE_EXPORT cuStreamCreate(Stream *stream, unsigned flags) {
  GENSYN_FAKE_BEGIN(Current);
  auto made = std::make_unique<StreamData>();
  made->context = Machine::current();
  made->isBlocking = !(flags & StreamNonBlocking);
  *stream = reinterpret_cast<Stream>(machine.streams.add(std::move(made)));
  return Success;
}

GENSYN_FAKE_EXPORT cuStreamDestroy_v2(Stream stream) {
  GENSYN_FAKE_BEGIN(Current);
  StreamData *found = machine.streams.find(stream);
  if (!found)
    return ErrorInvalidHandle;
  machine.synchronize(*found);
  machine.events.each([&](EventData &event) {
    if (event.stream == found)
      event.stream = nullptr;
  });
  machine.streams.remove(stream);
  return Success;
}

GENSYN_FAKE_EXPORT cuStreamSynchronize(Stream stream) {
  GENSYN_FAKE_BEGIN(Current);
  StreamData *found = machine.find(stream);
  if (!found)
    return ErrorInvalidHandle;
  if (found->capture) {
    found->captureBroken = true;
    return ErrorCaptureUnsupported;
  }
  return stream ? machine.synchronize(*found) : machine.synchronizeAll();
}

GENSYN_FAKE_EXPORT cuStreamWaitEvent(Stream stream, Event event,
                                     unsigned flags) {
  GENSYN_FAKE_BEGIN(Current);
  StreamData *found = machine.find(stream);
  EventData *awaited = machine.events.find(event);
  if (!found || !awaited)
    return ErrorInvalidHandle;
  if (found->capture)
    return ErrorCaptureUnsupported;
  if (!awaited->isRecorded || !awaited->stream)
    return Success;
  return machine.add(*found,
                     [from = awaited->stream, &machine,
                      position = awaited->position]() -> Result {
                       bool isThere = from == &machine.defaultStream;
                       machine.streams.each([&](StreamData &stream) {
                         isThere |= &stream == from;
                       });
                       return isThere ? machine.runUntil(*from, position)
                                      : static_cast<Result>(Success);
                     });
}

GENSYN_FAKE_EXPORT cuEventCreate(Event *event, unsigned flags) {
  GENSYN_FAKE_BEGIN(Current);
  auto made = std::make_unique<EventData>();
  made->hasTiming = !(flags & EventWithoutTiming);
  *event = reinterpret_cast<Event>(machine.events.add(std::move(made)));
  return Success;
}

GENSYN_FAKE_EXPORT cuEventDestroy_v2(Event event) {
  GENSYN_FAKE_BEGIN(Current);
  if (EventData *found = machine.events.find(event); found && found->stream)
    machine.runUntil(*found->stream, found->position);
  return machine.events.remove(event) ? Success : ErrorInvalidHandle;
}

static Result recordEvent(Event event, Stream stream, bool isExternal) {
  Machine &machine = Machine::get();
  StreamData *found = machine.find(stream);
  EventData *recorded = machine.events.find(event);
  if (!found || !recorded)
    return ErrorInvalidHandle;
  // Other events would join captured streams.
  if (found->capture && !isExternal)
    return ErrorCaptureUnsupported;
  if (!found->capture && isExternal)
    return ErrorInvalidValue;
  Result error = machine.add(*found, [event, &machine]() -> Result {
    EventData *data = machine.events.find(event);
    if (data)
      data->seconds = now();
    return data ? Success : ErrorInvalidHandle;
  });
  if (found->capture)
    found->capture->nodes.back()->record = event;
  else
    recorded->note(*found);
  return error;
}

GENSYN_FAKE_EXPORT cuEventRecord(Event event, Stream stream) {
  GENSYN_FAKE_BEGIN(Current);
  return recordEvent(event, stream, /*isExternal=*/false);
}

GENSYN_FAKE_EXPORT cuEventRecordWithFlags(Event event, Stream stream,
                                          unsigned flags) {
  GENSYN_FAKE_BEGIN(Current);
  if (flags & ~unsigned(EventRecordExternal))
    return ErrorInvalidValue;
  return recordEvent(event, stream, flags & EventRecordExternal);
}

GENSYN_FAKE_EXPORT cuEventSynchronize(Event event) {
  GENSYN_FAKE_BEGIN(Current);
  EventData *found = machine.events.find(event);
  if (!found)
    return ErrorInvalidHandle;
  return found->stream ? machine.runUntil(*found->stream, found->position)
                       : static_cast<Result>(Success);
}

GENSYN_FAKE_EXPORT cuEventElapsedTime(float *milliseconds, Event from,
                                      Event to) {
  GENSYN_FAKE_BEGIN(Current);
  const EventData *first = machine.events.find(from);
  const EventData *second = machine.events.find(to);
  if (!first || !second || !first->hasTiming || !second->hasTiming)
    return ErrorInvalidHandle;
  for (const EventData *each : {first, second}) {
    if (!each->isRecorded)
      return ErrorInvalidHandle;
    if (each->stream && each->stream->done < each->position)
      return ErrorNotReady;
  }
  *milliseconds = static_cast<float>((second->seconds - first->seconds) * 1e3);
  return Success;
}

GENSYN_FAKE_EXPORT cuEventElapsedTime_v2(float *milliseconds, Event from,
                                         Event to) {
  return cuEventElapsedTime(milliseconds, from, to);
}

} // namespace gensyn::cuda
