// Strict JSON parsing on nlohmann's callback parser.

#include "gensyn/Runtime/Json.h"

#include "gensyn/Runtime/Error.h"

#include <set>
#include <vector>

namespace gensyn::runtime {

using nlohmann::json;

/// nlohmann starts each message with "[json.exception.parse_error.101] ".
static std::string withoutPrefix(const std::string &message) {
  size_t end = message.find("] ");
  std::string text =
      end == std::string::npos ? message : message.substr(end + 2);
  for (char &c : text)
    if (static_cast<unsigned char>(c) < 32 || c == 127)
      c = '?';
  return text.substr(0, 200);
}

json parseJson(std::string_view text, const std::string &file,
               const std::string &noun) {
  constexpr int deepest = 64;
  std::vector<std::set<std::string>> keys;
  auto watch = [&](int depth, json::parse_event_t event, json &parsed) {
    if (depth > deepest)
      failBadInput(file + ": " + noun + " is nested deeper than " +
                   std::to_string(deepest));
    if (event == json::parse_event_t::object_start)
      keys.emplace_back();
    else if (event == json::parse_event_t::object_end)
      keys.pop_back();
    else if (event == json::parse_event_t::key &&
             !keys.back().insert(parsed.get<std::string>()).second)
      failBadInput(file + ": " + quote(parsed.get<std::string>()) +
                   " is there twice");
    return true;
  };
  try {
    return json::parse(text.begin(), text.end(), watch);
  } catch (const json::exception &error) {
    failBadInput(file + ": " + noun +
                 " is not JSON: " + withoutPrefix(error.what()));
  }
}

std::string printJson(const OrderedJson &value) {
  return value.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

} // namespace gensyn::runtime
