// See LaunchHosts.h.

#include "LaunchHosts.h"

#include "LaunchProcesses.h"

#include <csignal>
#include <map>
#include <sstream>

#include <sys/wait.h>

namespace gensyn::run {

using namespace communication;

std::set<std::string> findUnreachable(const Mpirun &mpirun,
                                      const RanksToStart &start, double seconds,
                                      const std::function<double()> &pause) {
  // All at once: what does not answer takes long.
  std::map<pid_t, std::string> probes;
  for (const Host &host : start.hosts) {
    RanksToStart one = start;
    one.ranks = 1;
    one.ranksPerNode = 0;
    one.hosts = {{host.name, 1}};
    std::vector<std::string> words = mpirunWords(mpirun, one);
    words.push_back("true");
    probes.emplace(startProcess(words), host.name);
  }
  std::set<std::string> unreachable;
  bool isStopped = false;
  for (double waited = 0; !probes.empty() && waited < seconds;) {
    const double passed = pause();
    isStopped = passed < 0;
    if (isStopped)
      break;
    waited += passed;
    std::erase_if(probes, [&](const auto &probe) {
      int status = 0;
      if (::waitpid(probe.first, &status, WNOHANG) == 0)
        return false;
      if (status)
        unreachable.insert(probe.second);
      return true;
    });
  }
  for (const auto &[process, host] : probes) {
    ::kill(-process, SIGKILL);
    ::waitpid(process, nullptr, 0);
    unreachable.insert(host);
  }
  return isStopped ? std::set<std::string>() : unreachable;
}

std::string findHost(const RanksToStart &start, const std::string &machine) {
  auto shortName = [](const std::string &name) {
    return name.substr(0, name.find('.'));
  };
  for (const Host &host : start.hosts)
    if (host.name == machine)
      return host.name;
  for (const Host &host : start.hosts)
    if (shortName(host.name) == machine || host.name == shortName(machine))
      return host.name;
  return "";
}

/// The parts of `data=4,pipeline=2` but for the number of groups.
static std::string withoutGroups(const std::string &text) {
  std::istringstream parts(text);
  std::string rest;
  for (std::string part; std::getline(parts, part, ',');)
    if (!part.starts_with("data="))
      rest += (rest.empty() ? "" : ",") + part;
  return rest;
}

void removeGroups(std::vector<std::string> &words) {
  const std::string option = "--parallel";
  for (size_t i = 0; i < words.size(); ++i) {
    const bool isJoined = words[i].starts_with(option + "=");
    if (!isJoined && (words[i] != option || i + 1 == words.size()))
      continue;
    std::string &value = words[isJoined ? i : i + 1];
    const std::string rest =
        withoutGroups(isJoined ? value.substr(option.size() + 1) : value);
    if (!rest.empty()) {
      value = isJoined ? option + "=" + rest : rest;
      continue;
    }
    const auto begin = words.begin() + std::ptrdiff_t(i);
    words.erase(begin, begin + (isJoined ? 1 : 2));
    --i;
  }
}

} // namespace gensyn::run
