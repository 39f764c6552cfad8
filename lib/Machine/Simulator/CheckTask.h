// The check of one task; see Check.h.

#ifndef GENSYN_LIB_MACHINE_SIMULATOR_CHECKTASK_H
#define GENSYN_LIB_MACHINE_SIMULATOR_CHECKTASK_H

#include "Check.h"

#include <functional>
#include <set>
#include <utility>

namespace gensyn::machine {

class TaskCheck {
public:
  explicit TaskCheck(const Subject &subject) : subject(subject) {}

  /// Throws a Failure (bad input) whose line begins with `name()`.
  void check(const std::function<std::string()> &name, uint32_t core,
             const mapping::Task &task);
  /// The same of weights that stay in the core.
  void check(const std::function<std::string()> &name, uint32_t core,
             const mapping::Resident &resident);
  /// Of the segment whose tasks are checked next.
  void setRepetitions(uint32_t count) { repetitions = count; }

private:
  [[noreturn]] void fail(const std::string &text) const;
  void checkCopy(const mapping::Copy &copy);
  void checkMulticast(const mapping::Copy &copy) const;
  void checkTree(const mapping::Copy &copy) const;
  [[noreturn]] void drop(uint32_t path, const std::string &why) const;
  void checkDestinationRows(const mapping::Copy &copy) const;
  void checkCompute(const mapping::Compute &compute);
  void checkWork(const mapping::Work &work) const;
  void checkFault(const mapping::Fault &fault, int number) const;
  /// `low` and `high` are relative to the location.
  void checkLocation(const mapping::Location &location, const std::string &what,
                     bool isWritten, __int128 low, __int128 high,
                     bool maySteps = false) const;
  void checkPath(const mapping::Location &from, const mapping::Location &to,
                 uint32_t path) const;

  const Subject &subject;
  const std::function<std::string()> *name = nullptr;
  uint32_t core = 0, repetitions = 1;
  /// Bodies whose work a kind of cores is known to do.
  std::set<std::pair<uint32_t, uint32_t>> checkedBodies;
};

} // namespace gensyn::machine

#endif
