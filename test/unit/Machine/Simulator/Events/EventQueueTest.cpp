// The queue of events has the order of a sorted list, at all distances of
// times.

#include "Simulator/Events/EventQueue.h"

#include "gensyn/Numerics/SplitMix64.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

using namespace gensyn;
using machine::Event;

TEST(EventQueueTest, TakesEventsInTheOrderOfTimesAndTasks) {
  SplitMix64 random(1);
  for (const int most : {1, 12, 24, 40}) {
    machine::EventQueue queue;
    std::vector<Event> sorted;
    int64_t now = 0;
    uint32_t number = 0;
    auto push = [&] {
      // From no time at all to far beyond the calendar.
      const auto bits = static_cast<int>(random() % uint64_t(most));
      const auto later = static_cast<int64_t>(random() >> (63 - bits));
      const Event event =
          Event::at(now + later / 2, number++ * 7919 % 10007, Event::end);
      queue.push(event);
      const auto place = std::upper_bound(
          sorted.begin(), sorted.end(), event,
          [](const Event &a, const Event &b) { return a.order() < b.order(); });
      sorted.insert(place, event);
    };
    for (int i = 0; i < 5000; ++i) {
      for (uint64_t k = random() % 3; k-- > 0;)
        push();
      ASSERT_EQ(queue.empty(), sorted.empty());
      if (sorted.empty())
        continue;
      ASSERT_EQ(queue.first().time, sorted.front().time);
      ASSERT_EQ(queue.first().key, sorted.front().key);
      now = queue.first().time;
      queue.pop();
      sorted.erase(sorted.begin());
    }
  }
}

TEST(EventQueueTest, TellsWhatComesInTheNextDaysThatHaveEvents) {
  constexpr int64_t day = 1024;
  machine::EventQueue queue;
  for (uint32_t task : {0, 5, 9})
    queue.push(Event::at(task * day, task, Event::end));
  std::vector<std::pair<uint32_t, bool>> told;
  auto pop = [&] {
    told.clear();
    queue.pop([&](const Event &event, bool isToday) {
      told.emplace_back(event.task(), isToday);
    });
  };
  using Told = std::vector<std::pair<uint32_t, bool>>;
  pop();
  EXPECT_EQ(told, (Told{{5, true}, {9, false}}));
  queue.push(Event::at(5 * day + 1, 6, Event::end)); // in the same day
  pop();
  EXPECT_TRUE(told.empty());
  pop();
  EXPECT_EQ(told, (Told{{9, true}}));
  pop();
  EXPECT_TRUE(told.empty() && queue.empty());
}
