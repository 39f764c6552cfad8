// See RanksReport.h.

#include "RanksReport.h"

#include "../Terminal/Terminal.h"
#include "gensyn/Executable/Support/Json.h"
#include "gensyn/Executable/Support/TextTable.h"
#include "gensyn/Runtime/Devices/DeviceExchange.h"
#include "gensyn/Runtime/Training/ThroughputMeter.h"

namespace gensyn::run {

using namespace terminal;

using runtime::describeBytes;

static OrderedJson describeRank(const runtime::Model &model,
                                const communication::Communicator &ranks) {
  const runtime::RankTimes &times = model.rankTimes();
  const communication::Statistics moved = ranks.statistics();
  OrderedJson rank = {
      {"rank", ranks.rank()},
      {"host", ranks.host(ranks.rank())},
      {"target", model.target()},
      {"microbatches", times.microbatches},
      {"seconds_computing", times.computing},
      {"seconds_exchanging", times.exchanging},
      {"seconds_updating", times.updating},
      {"seconds_waiting", moved.secondsWaiting},
      {"bytes_sent", moved.bytesSent},
      {"bytes_received", moved.bytesReceived},
      {"peak_resident_bytes", runtime::readProcessMemory().peak}};
  if (const runtime::DeviceExchange *gpu = model.exchange())
    rank["gpu"] = gpu->number();
  return rank;
}

static std::vector<std::string> makeRow(const OrderedJson &rank) {
  std::vector<std::string> row = {std::to_string(rank.at("rank").get<int>()),
                                  rank.at("host").get<std::string>(),
                                  rank.at("target").get<std::string>()};
  if (rank.contains("gpu"))
    row.back() += ", GPU " + std::to_string(rank.at("gpu").get<int>());
  row.push_back(std::to_string(rank.at("microbatches").get<int64_t>()));
  for (const char *key : {"seconds_computing", "seconds_exchanging",
                          "seconds_updating", "seconds_waiting"})
    row.push_back(describeSeconds(rank.at(key).get<double>()));
  for (const char *key : {"bytes_sent", "peak_resident_bytes"})
    row.push_back(describeBytes(rank.at(key).get<uint64_t>()));
  return row;
}

void reportRanks(const Options &options, const runtime::Model &model,
                 communication::Communicator &ranks) {
  const std::vector<std::string> all =
      ranks.gather(describeRank(model, ranks).dump());
  if (ranks.rank() != 0 || options.quiet)
    return;
  TextTable table(3);
  table.add({"rank", "host", "target", "microbatches", "computing",
             "exchanging", "updating", "waiting", "sent", "memory"});
  OrderedJson list = OrderedJson::array();
  for (const std::string &text : all) {
    list.push_back(OrderedJson::parse(text));
    table.add(makeRow(list.back()));
  }
  if (options.json)
    printRecord({{"event", "ranks"}, {"ranks", list}});
  else
    printLines(table.print());
}

} // namespace gensyn::run
