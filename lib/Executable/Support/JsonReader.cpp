// Typed access to JSON objects, with messages that name the place.

#include "gensyn/Executable/Support/JsonReader.h"

#include "gensyn/Executable/Support/Error.h"

#include <algorithm>
#include <cmath>

namespace gensyn {

using nlohmann::json;

JsonReader::JsonReader(const json &object, std::string where)
    : members(object), where(std::move(where)) {
  if (!members.is_object())
    fail("a JSON object is wanted, " + std::string(members.type_name()) +
         " is there");
}

void JsonReader::fail(const std::string &message) const {
  failBadInput(where + message);
}

void JsonReader::failType(const std::string &key, const std::string &wanted) {
  std::string found =
      find(key)->dump(-1, ' ', true, json::error_handler_t::replace);
  if (found.size() > 40)
    found = found.substr(0, 40) + "...";
  fail(quote(key) + " is " + found + "; " + wanted + " is wanted");
}

bool JsonReader::has(const std::string &key) { return find(key) != nullptr; }

void JsonReader::require(const std::string &key) {
  if (!has(key))
    fail("no " + quote(key));
}

const json *JsonReader::find(const std::string &key) {
  if (std::find(known.begin(), known.end(), key) == known.end())
    known.push_back(key);
  auto found = members.find(key);
  return found == members.end() || (skipsNulls && found->is_null()) ? nullptr
                                                                    : &*found;
}

void JsonReader::text(const std::string &key, std::string &value) {
  if (const json *member = find(key)) {
    if (!member->is_string() || member->get_ref<const std::string &>().empty())
      failType(key, "a name");
    value = member->get<std::string>();
  }
}

void JsonReader::flag(const std::string &key, bool &value) {
  if (const json *member = find(key)) {
    if (!member->is_boolean())
      failType(key, "true or false");
    value = member->get<bool>();
  }
}

static bool isInteger(const json &number, int64_t least, int64_t most) {
  const bool isTooLarge = number.is_number_unsigned() &&
                          number.get<uint64_t>() > uint64_t(INT64_MAX);
  return number.is_number_integer() && !isTooLarge &&
         number.get<int64_t>() >= least && number.get<int64_t>() <= most;
}

void JsonReader::integer(const std::string &key, int64_t &value, int64_t least,
                         int64_t most) {
  const json *member = find(key);
  if (!member)
    return;
  if (!isInteger(*member, least, most))
    failType(key, "an integer from " + std::to_string(least) + " to " +
                      std::to_string(most));
  value = member->get<int64_t>();
}

void JsonReader::integers(const std::string &key, std::vector<int64_t> &value,
                          int64_t least, int64_t most, size_t size) {
  const json *member = find(key);
  if (!member)
    return;
  bool isRight = member->is_array() && (size == 0 || member->size() == size);
  if (isRight)
    for (const json &item : *member)
      isRight = isRight && isInteger(item, least, most);
  if (!isRight)
    failType(key, "a list of " + (size ? std::to_string(size) + " " : "") +
                      "integers from " + std::to_string(least) + " to " +
                      std::to_string(most));
  value = member->get<std::vector<int64_t>>();
}

static std::string shortNumber(double value) {
  json text = value;
  return value == std::floor(value) && std::fabs(value) < 1e15
             ? std::to_string(int64_t(value))
             : text.dump();
}

void JsonReader::number(const std::string &key, double &value, double least,
                        double limit) {
  const json *member = find(key);
  if (!member)
    return;
  std::string wanted = "a number of at least " + shortNumber(least);
  if (std::isfinite(limit))
    wanted += " and below " + shortNumber(limit);
  if (!member->is_number())
    failType(key, wanted);
  double found = member->get<double>();
  if (!std::isfinite(found) || found < least || found >= limit)
    failType(key, wanted);
  value = found;
}

void JsonReader::numbers(const std::string &key, std::vector<double> &value) {
  const json *member = find(key);
  if (!member)
    return;
  if (!member->is_array())
    failType(key, "a list of numbers");
  for (const json &item : *member) {
    if (!item.is_number())
      failType(key, "a list of numbers");
    value.push_back(item.get<double>());
  }
}

void JsonReader::texts(const std::string &key,
                       std::vector<std::string> &value) {
  const json *member = find(key);
  if (!member)
    return;
  if (!member->is_array())
    failType(key, "a list of names");
  for (const json &item : *member) {
    if (!item.is_string())
      failType(key, "a list of names");
    value.push_back(item.get<std::string>());
  }
}

void JsonReader::textOrTexts(const std::string &key,
                             std::vector<std::string> &value) {
  const json *member = find(key);
  if (!member || member->is_null())
    return;
  if (member->is_string())
    value.push_back(member->get<std::string>());
  else
    texts(key, value);
}

size_t JsonReader::choice(const std::string &key,
                          const std::vector<std::string> &words,
                          const std::string &noun) {
  require(key);
  const json *member = find(key);
  if (!member->is_string())
    failType(key, "a name");
  return indexOf(member->get<std::string>(), words, noun);
}

std::vector<size_t> JsonReader::choices(const std::string &key,
                                        const std::vector<std::string> &words,
                                        const std::string &noun) {
  std::vector<std::string> chosen;
  texts(key, chosen);
  std::vector<size_t> indices;
  for (const std::string &word : chosen) {
    const size_t index = indexOf(word, words, noun);
    if (std::find(indices.begin(), indices.end(), index) != indices.end())
      fail(noun + " " + quote(word) + " is there twice");
    indices.push_back(index);
  }
  return indices;
}

size_t JsonReader::indexOf(const std::string &word,
                           const std::vector<std::string> &words,
                           const std::string &noun) const {
  auto found = std::find(words.begin(), words.end(), word);
  if (found != words.end())
    return found - words.begin();
  std::string near = nearest(word, words);
  std::string message = where + noun + " " + quote(word) + " is not known";
  if (!near.empty())
    message += "; the nearest known one is " + quote(near);
  failBadInput(message, "known are " + listed(words, words.size()));
}

JsonReader JsonReader::object(const std::string &key) {
  require(key);
  const json *member = find(key);
  return JsonReader(*member, where + key + ": ");
}

std::vector<JsonReader> JsonReader::objects(const std::string &key) {
  std::vector<JsonReader> items;
  const json *member = find(key);
  if (!member)
    return items;
  if (!member->is_array())
    failType(key, "a list of objects");
  items.reserve(member->size());
  for (size_t i = 0; i < member->size(); ++i) {
    const json &item = (*member)[i];
    std::string place = key + "[" + std::to_string(i) + "]";
    if (auto name = item.find("name");
        item.is_object() && name != item.end() && name->is_string())
      place += " " + quote(name->get_ref<const std::string &>());
    items.emplace_back(item, where + place + ": ");
  }
  return items;
}

JsonReader JsonReader::tree(const std::string &key) {
  JsonReader reader = object(key);
  reader.skipsNulls = true;
  return reader;
}

void JsonReader::finish() const {
  for (const auto &[key, value] : members.items()) {
    if (std::find(known.begin(), known.end(), key) != known.end())
      continue;
    std::string near = nearest(key, known);
    std::string message = where + "key " + quote(key) + " is not known";
    if (!near.empty())
      message += "; the nearest known one is " + quote(near);
    std::vector<std::string> sorted = known;
    std::sort(sorted.begin(), sorted.end());
    failBadInput(message, "known are " + listed(sorted, sorted.size()));
  }
}

} // namespace gensyn
