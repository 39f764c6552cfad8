// The events of a simulation in the order of their times.

#ifndef GENSYN_LIB_MACHINE_SIMULATOR_EVENTS_EVENTQUEUE_H
#define GENSYN_LIB_MACHINE_SIMULATOR_EVENTS_EVENTQUEUE_H

#include "gensyn/Machine/Estimate.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace gensyn::machine {

/// Of an event that is not of a packet on its way.
constexpr uint32_t noHop = ~uint32_t(0);

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

  static Event at(int64_t time, uint32_t task, uint64_t stage,
                  uint32_t place = 0) {
    return {time, uint64_t(task) << (64 - taskBits) | stage, place, noHop};
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
  /// Of a packet: where its state is; before it is on its way, its copy's. And
  /// the hop that it takes, among those of all ways.
  uint32_t place, hop;
};

/// A heap in which every event has four children: half the levels of a binary
/// one, and the children are adjacent.
class EventHeap {
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

/// A calendar: the events of the present day are a heap, those of each of the
/// days after it are a list, and all later ones are a heap. Most of a packet's
/// events are a few nanoseconds ahead, so they enter a list, and then a heap of
/// a few events. The order is that of one heap.
class EventQueue {
public:
  EventQueue() : firsts(days, none), isUsed(days / wordBits) {}

  bool empty() const { return today.empty(); }
  const Event &first() const { return today.first(); }

  /// Not before the last event that was taken out.
  void push(Event event) {
    const int64_t day = dayOf(event);
    if (today.empty())
      present = day;
    if (day <= present)
      today.push(event);
    else if (day - present < int64_t(days))
      pushInto(static_cast<size_t>(day) % days, event);
    else
      later.push(event);
  }

  /// Tells `enter` about an event twice: while there is another day before its
  /// one, and when its day begins. Not about all events.
  template <class Enter> void pop(const Enter &enter) {
    today.pop();
    if (today.empty())
      goOn(enter);
  }
  void pop() {
    pop([](const Event &, bool) {});
  }

private:
  static constexpr int dayBits = 10; ///< of picoseconds
  static constexpr size_t days = 4096, wordBits = 64;
  static constexpr uint32_t none = ~uint32_t(0);
  struct Entry {
    Event event;
    uint32_t next;
  };

  static int64_t dayOf(const Event &event) { return event.time >> dayBits; }

  void pushInto(size_t place, Event event) {
    uint32_t entry = unused;
    if (entry == none) {
      entry = static_cast<uint32_t>(entries.size());
      entries.push_back({event, none});
    } else {
      unused = entries[entry].next;
    }
    entries[entry] = {event, firsts[place]};
    firsts[place] = entry;
    isUsed[place / wordBits] |= uint64_t(1) << place % wordBits;
    ++listed;
  }

  /// The next day after the present one that has a list.
  int64_t findListed() const {
    const size_t begin = static_cast<size_t>(present + 1) % days;
    size_t word = begin / wordBits;
    uint64_t bits = isUsed[word] & ~uint64_t(0) << begin % wordBits;
    while (!bits) {
      word = (word + 1) % isUsed.size();
      bits = isUsed[word];
    }
    const size_t place = word * wordBits + size_t(__builtin_ctzll(bits));
    return present + 1 + int64_t((place + days - begin) % days);
  }

  template <class Enter> void goOn(const Enter &enter) {
    if (!listed && later.empty())
      return;
    int64_t day = listed ? findListed() : dayOf(later.first());
    if (!later.empty())
      day = std::min(day, dayOf(later.first()));
    present = day;
    const size_t place = static_cast<size_t>(day) % days;
    uint32_t entry = std::exchange(firsts[place], none);
    isUsed[place / wordBits] &= ~(uint64_t(1) << place % wordBits);
    while (entry != none) {
      enter(entries[entry].event, true);
      today.push(entries[entry].event);
      --listed;
      entry = std::exchange(entries[entry].next, std::exchange(unused, entry));
    }
    for (; !later.empty() && dayOf(later.first()) == day; later.pop())
      today.push(later.first());
    if (listed)
      for (entry = firsts[static_cast<size_t>(findListed()) % days];
           entry != none; entry = entries[entry].next)
        enter(entries[entry].event, false);
  }

  EventHeap today, later;
  int64_t present = 0;
  std::vector<Entry> entries;
  uint32_t unused = none;
  /// Of each day: the first entry of its list.
  std::vector<uint32_t> firsts;
  std::vector<uint64_t> isUsed;
  size_t listed = 0;
};

} // namespace gensyn::machine

#endif
