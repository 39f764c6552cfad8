// The trace of the simulating driver (test/lib/FakeDriver), for its tests.

#ifndef GENSYN_TEST_UNIT_RUNTIME_DEVICES_DRIVERTRACE_H
#define GENSYN_TEST_UNIT_RUNTIME_DEVICES_DRIVERTRACE_H

#include <filesystem>
#include <fstream>
#include <string>

namespace gensyn::test {

/// Lines of a trace that begin with a function's name.
inline int countCalls(const std::filesystem::path &trace,
                      const std::string &call) {
  std::ifstream file(trace);
  int count = 0;
  for (std::string line; std::getline(file, line);)
    count += line.starts_with(call);
  return count;
}

} // namespace gensyn::test

#endif
