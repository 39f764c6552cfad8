// See Wire.h.

#include "Wire.h"

#include <algorithm>
#include <iterator>

namespace gensyn::fuzz {

static bool readVarint(const std::string &text, size_t &at, uint64_t &value) {
  value = 0;
  for (unsigned shift = 0; shift < 64 && at < text.size(); shift += 7) {
    auto byte = static_cast<uint8_t>(text[at++]);
    value |= uint64_t(byte & 127) << shift;
    if (byte < 128)
      return true;
  }
  return false;
}

/// True if the whole text parses as a message.
static bool parse(const std::string &text, unsigned depth,
                  std::list<Field> &fields) {
  for (size_t at = 0; at < text.size();) {
    uint64_t key = 0, size = 0;
    Field &field = fields.emplace_back();
    if (!readVarint(text, at, key) || key >> 3 == 0 || key >> 3 > 64)
      return false;
    field.number = static_cast<uint32_t>(key >> 3);
    field.wire = key & 7;
    switch (field.wire) {
    case 0:
      if (!readVarint(text, at, field.value))
        return false;
      break;
    case 1:
    case 5:
      size = field.wire == 1 ? 8 : 4;
      if (text.size() - at < size)
        return false;
      field.bytes = text.substr(at, size);
      at += size;
      break;
    case 2:
      if (!readVarint(text, at, size) || size > text.size() - at)
        return false;
      field.bytes = text.substr(at, size);
      at += size;
      field.isMessage = depth < 12 && size > 1 && size < (1 << 20) &&
                        parse(field.bytes, depth + 1, field.fields);
      if (!field.isMessage)
        field.fields.clear();
      break;
    default:
      return false;
    }
  }
  return true;
}

static void writeVarint(std::string &text, uint64_t value) {
  for (; value > 127; value >>= 7)
    text += static_cast<char>(value | 128);
  text += static_cast<char>(value);
}

std::string writeFields(const std::list<Field> &fields) {
  std::string text;
  for (const Field &field : fields) {
    writeVarint(text, uint64_t(field.number) << 3 | field.wire);
    std::string bytes =
        field.isMessage ? writeFields(field.fields) : field.bytes;
    if (field.wire == 0)
      writeVarint(text, field.value);
    else if (field.wire == 2)
      writeVarint(text, bytes.size());
    if (field.wire != 0)
      text += bytes;
  }
  return text;
}

bool parseFields(const std::string &text, std::list<Field> &fields) {
  return parse(text, 0, fields);
}

void changeBytes(std::string &bytes, Random &random) {
  switch (random.below(6)) {
  case 0:
    bytes.resize(random.below(2 * bytes.size() + 2));
    return;
  case 1: {
    size_t begin = random.below(bytes.size());
    bytes.insert(begin, bytes.substr(begin, 1 + random.below(200)));
    return;
  }
  case 2: {
    std::string piece = bytes.substr(random.below(bytes.size()), 20);
    for (uint64_t times = random.below(2000); times > 0; --times)
      bytes.insert(random.below(2) ? bytes.size() / 2 : 0, piece);
    return;
  }
  case 3: { // a number in a text
    size_t at = bytes.find_first_of("0123456789", random.below(bytes.size()));
    if (at == bytes.npos)
      return;
    size_t end =
        std::min(bytes.find_first_not_of("0123456789", at), bytes.size());
    bytes.replace(at, end - at, std::to_string(random.edge()));
    return;
  }
  default:
    if (!bytes.empty())
      bytes[random.below(bytes.size())] = static_cast<char>(random.below(256));
  }
}

/// Every field of a message, with the list that contains it.
static void
collect(std::list<Field> &fields,
        std::vector<std::pair<std::list<Field> *, std::list<Field>::iterator>>
            &all) {
  for (auto it = fields.begin(); it != fields.end(); ++it) {
    all.emplace_back(&fields, it);
    collect(it->fields, all);
  }
}

void changeFields(std::list<Field> &fields, Random &random,
                  const std::function<void(Field &, Random &)> &changeBytes) {
  std::vector<std::pair<std::list<Field> *, std::list<Field>::iterator>> all;
  collect(fields, all);
  if (all.empty())
    return;
  auto [list, field] = all[random.below(all.size())];
  switch (random.below(10)) {
  case 0:
    list->erase(field);
    return;
  case 1: {
    size_t times = random.once(10) ? 1 + random.below(1000) : 1;
    for (; times > 0; --times)
      list->insert(random.once(2) ? list->begin() : std::next(field), *field);
    return;
  }
  case 2: { // what stands in another field of this number
    std::vector<Field *> others;
    for (auto &[otherList, other] : all)
      if (other->number == field->number && other->wire == field->wire)
        others.push_back(&*other);
    Field copy = *others[random.below(others.size())];
    *field = std::move(copy);
    return;
  }
  case 3: {
    Field copy = *all[random.below(all.size())].second;
    copy.number = random.once(2) ? copy.number : field->number;
    list->insert(field, std::move(copy));
    return;
  }
  case 4:
    field->number = static_cast<uint32_t>(1 + random.below(10));
    return;
  default:
    if (field->wire == 0) {
      field->value =
          random.once(3) ? field->value + random.below(5) - 2 : random.edge();
    } else if (!field->isMessage) {
      changeBytes(*field, random);
    } else if (!field->fields.empty()) {
      // Most of a plan is deeply nested numbers.
      auto inner = field->fields.begin();
      std::advance(inner,
                   static_cast<ptrdiff_t>(random.below(field->fields.size())));
      if (inner->wire == 0)
        inner->value = random.edge();
    }
  }
}

} // namespace gensyn::fuzz
