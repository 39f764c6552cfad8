// The events of a simulation in the order of their times.

#ifndef GENSYN_LIB_MACHINE_SIMULATOR_EVENTQUEUE_H
#define GENSYN_LIB_MACHINE_SIMULATOR_EVENTQUEUE_H

#include "gensyn/Machine/Estimate.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gensyn::machine {

/// What happens at a time. The key has the task, which orders events of one
/// time by core and number, and below it the packet and the stage.
struct Event {
  static constexpr unsigned stageBits = 10, taskBits = 32,
                            packetBits = 64 - taskBits - stageBits;
  /// Stages that stand for something else: a task's end, and the time at which
  /// other cores see its signals.
  static constexpr uint64_t end = (uint64_t(1) << stageBits) - 1;
  static constexpr uint64_t signal = end - 1;
  static constexpr uint64_t mostStages = signal - 1;
  static_assert(mostPackets <= uint64_t(1) << packetBits);
  static constexpr uint64_t nextPacket = uint64_t(1) << stageBits;

  static Event at(int64_t time, uint32_t task, uint64_t stage) {
    return {time, uint64_t(task) << (64 - taskBits) | stage};
  }
  uint32_t task() const { return static_cast<uint32_t>(key >> taskBits); }
  uint64_t packet() const {
    return key >> stageBits & ((uint64_t(1) << packetBits) - 1);
  }
  uint64_t stage() const { return key & end; }

  /// Times are not negative.
  unsigned __int128 order() const {
    return static_cast<unsigned __int128>(time) << 64 | key;
  }

  int64_t time;
  uint64_t key;
};

/// A heap in which every event has four children: half the levels of a binary
/// one, and the children are adjacent.
class EventQueue {
public:
  bool empty() const { return heap.empty(); }
  const Event &first() const { return heap.front(); }

  void push(Event event) {
    size_t hole = heap.size();
    heap.push_back(event);
    while (hole) {
      const size_t parent = (hole - 1) / arity;
      if (heap[parent].order() <= event.order())
        break;
      heap[hole] = heap[parent];
      hole = parent;
    }
    heap[hole] = event;
  }

  void pop() {
    const Event last = heap.back();
    heap.pop_back();
    if (!heap.empty())
      sink(last);
  }

private:
  static constexpr size_t arity = 4;

  /// Puts an event in the place of the first one.
  void sink(Event event) {
    const size_t size = heap.size();
    size_t hole = 0;
    for (size_t child = 1; child < size; child = arity * hole + 1) {
      size_t least = child;
      const size_t last = child + arity < size ? child + arity : size;
      for (size_t other = child + 1; other < last; ++other)
        if (heap[other].order() < heap[least].order())
          least = other;
      if (event.order() <= heap[least].order())
        break;
      heap[hole] = heap[least];
      hole = least;
    }
    heap[hole] = event;
  }

  std::vector<Event> heap;
};

} // namespace gensyn::machine

#endif
