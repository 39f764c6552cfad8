// Strict JSON parsing on nlohmann's parser.

#include "gensyn/Executable/Support/Json.h"

#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/Support/Printable.h"

#include <set>
#include <vector>

namespace gensyn {

using nlohmann::json;

/// nlohmann starts each message with "[json.exception.parse_error.101] ".
static std::string withoutPrefix(const std::string &message) {
  size_t end = message.find("] ");
  return printable(
      std::string_view(message).substr(end == std::string::npos ? 0 : end + 2),
      200);
}

namespace {

/// Detects input that the parser would accept: deep nesting and duplicate keys.
/// The parser's own callback could do that, but traverses all members of an
/// object or a list whenever one of them ends.
class StrictReader final : public nlohmann::json_sax<json> {
public:
  StrictReader(const std::string &file, const std::string &noun)
      : file(file), noun(noun) {}

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t &) override { return true; }
  bool string(string_t &) override { return true; }
  bool binary(binary_t &) override { return true; }
  bool start_object(size_t) override { return open(); }
  bool end_object() override { return close(); }
  bool start_array(size_t) override { return open(); }
  bool end_array() override { return close(); }
  bool key(string_t &name) override {
    if (!keys.back().insert(name).second)
      failBadInput(file + ": " + quote(name) + " is there twice");
    return true;
  }
  /// The parser reports it.
  bool parse_error(size_t, const std::string &,
                   const json::exception &) override {
    return false;
  }

private:
  bool open() {
    constexpr size_t deepest = 64;
    if (keys.size() > deepest)
      failBadInput(file + ": " + noun + " is nested deeper than " +
                   std::to_string(deepest));
    keys.emplace_back();
    return true;
  }
  bool close() {
    keys.pop_back();
    return true;
  }

  const std::string &file;
  const std::string &noun;
  /// Keys of the enclosing objects; empty for a list.
  std::vector<std::set<std::string>> keys;
};

} // namespace

json parseJson(std::string_view text, const std::string &file,
               const std::string &noun) {
  try {
    StrictReader reader(file, noun);
    (void)json::sax_parse(text.begin(), text.end(), &reader);
    return json::parse(text.begin(), text.end());
  } catch (const json::exception &error) {
    failBadInput(file + ": " + noun +
                 " is not JSON: " + withoutPrefix(error.what()));
  }
}

std::string printJson(const OrderedJson &value) {
  return value.dump(-1, ' ', true, OrderedJson::error_handler_t::replace);
}

} // namespace gensyn
