// Writes TensorBoard's files: protocol buffers in TFRecord frames.

#include "EventFile.h"

#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/Support/Files.h"
#include "gensyn/Runtime/Formats/event.pb.h"

#include <array>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <cstring>

#include <fcntl.h>
#include <unistd.h>

namespace gensyn::runtime {

/// The table of the reflected polynomial 0x1EDC6F41.
static constexpr std::array<uint32_t, 256> castagnoliTable = [] {
  std::array<uint32_t, 256> table{};
  for (uint32_t i = 0; i < 256; ++i) {
    uint32_t word = i;
    for (int bit = 0; bit < 8; ++bit)
      word = word >> 1 ^ (word & 1 ? 0x82f63b78 : 0);
    table[i] = word;
  }
  return table;
}();

uint32_t checksumCastagnoli(const void *data, size_t size) {
  const auto *bytes = static_cast<const uint8_t *>(data);
  uint32_t word = ~uint32_t(0);
  for (size_t i = 0; i < size; ++i)
    word = word >> 8 ^ castagnoliTable[(word ^ bytes[i]) & 255];
  return ~word;
}

static void addLittleEndian(std::string &bytes, uint64_t value, int width) {
  for (int i = 0; i < width; ++i)
    bytes += char(value >> (8 * i));
}

static uint32_t maskedChecksum(const std::string &bytes) {
  const uint32_t sum = checksumCastagnoli(bytes.data(), bytes.size());
  return (sum >> 15 | sum << 17) + 0xa282ead8;
}

std::string frameRecord(const std::string &contents) {
  std::string record;
  addLittleEndian(record, contents.size(), 8);
  addLittleEndian(record, maskedChecksum(record), 4);
  record += contents;
  addLittleEndian(record, maskedChecksum(contents), 4);
  return record;
}

EventFile::~EventFile() {
  if (file >= 0)
    ::close(file);
}

/// Returns the characters of the host name that are valid in a file name.
static std::string machineName() {
  char name[256] = {};
  if (::gethostname(name, sizeof name - 1) != 0)
    return "localhost";
  for (char &c : name)
    if (c && !std::isalnum(static_cast<unsigned char>(c)) && c != '-' &&
        c != '.')
      c = '_';
  return *name ? name : "localhost";
}

static double secondsSince1970() {
  return std::chrono::duration<double>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

void EventFile::open(const std::filesystem::path &folder, int64_t step) {
  requireWritableFolder(folder);
  const double now = secondsSince1970();
  const std::string name = "events.out.tfevents." +
                           std::to_string(int64_t(now)) + "." + machineName() +
                           "." + std::to_string(::getpid()) + ".";
  if (file >= 0)
    ::close(file);
  for (int number = 0;; ++number) {
    place = folder / (name + std::to_string(number));
    file = ::open(place.c_str(),
                  O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666);
    if (file >= 0)
      break;
    if (errno != EEXIST)
      failInputOutput(place.string() +
                      ": cannot be written: " + std::strerror(errno));
  }
  tensorboard::Event event;
  event.set_wall_time(now);
  event.set_file_version("brain.Event:2");
  write(event);
  if (step == 0)
    return;
  event.Clear();
  event.set_wall_time(now);
  event.set_step(step + 1);
  event.mutable_session_log()->set_status(tensorboard::SessionLog::START);
  write(event);
}

void EventFile::append(const OrderedJson &row) {
  tensorboard::Event event;
  tensorboard::Summary &summary = *event.mutable_summary();
  for (const auto &[name, value] : row.items()) {
    if (name == "step" || name == "epoch" || name == "seconds" ||
        name == "eval_samples")
      continue;
    // A number that is not finite prints as null, but is still a number here.
    if (!value.is_number())
      continue;
    tensorboard::Summary::Value &scalar = *summary.add_value();
    scalar.set_tag(name);
    scalar.set_simple_value(value.get<float>());
  }
  if (summary.value_size() == 0)
    return;
  event.set_wall_time(secondsSince1970());
  event.set_step(row.value("step", int64_t(0)));
  write(event);
}

void EventFile::write(const tensorboard::Event &event) {
  const std::string record = frameRecord(event.SerializeAsString());
  ssize_t written;
  do {
    written = ::write(file, record.data(), record.size());
  } while (written < 0 && errno == EINTR);
  if (written != ssize_t(record.size()))
    failInputOutput(place.string() + ": cannot be written: " +
                    std::strerror(written < 0 ? errno : ENOSPC));
}

} // namespace gensyn::runtime
