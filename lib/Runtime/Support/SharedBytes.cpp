// Anonymous files in memory that are sent between processes.

#include "SharedBytes.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

namespace gensyn::runtime {

Descriptor &Descriptor::operator=(Descriptor &&other) noexcept {
  std::swap(number, other.number);
  return *this;
}

Descriptor::~Descriptor() {
  if (number >= 0)
    ::close(number);
}

int Descriptor::release() {
  int result = number;
  number = -1;
  return result;
}

SharedBytes::SharedBytes(size_t size)
    : file(::memfd_create("gensyn", MFD_CLOEXEC)), length(size) {
  // Pages are allocated now: a write to a missing page would be a SIGBUS.
  if (file.get() < 0 ||
      (size && ::posix_fallocate(file.get(), 0, static_cast<off_t>(size)) != 0))
    throw std::bad_alloc();
  map();
}

SharedBytes::SharedBytes(Descriptor sent, size_t size)
    : file(std::move(sent)), length(size) {
  map();
}

void SharedBytes::map() {
  if (length == 0)
    return;
  void *mapped = ::mmap(nullptr, length, PROT_READ | PROT_WRITE, MAP_SHARED,
                        file.get(), 0);
  if (mapped == MAP_FAILED)
    throw std::bad_alloc();
  bytes = static_cast<uint8_t *>(mapped);
}

SharedBytes::~SharedBytes() {
  if (bytes)
    ::munmap(bytes, length);
}

namespace {
struct PacketHeader {
  uint64_t size;
  int32_t status;
  char word[204];
};
/// Control buffer for one descriptor.
union PacketControl {
  char space[CMSG_SPACE(sizeof(int))];
  cmsghdr header;
};
} // namespace

bool sendMessage(int socket, const std::string &word, int status,
                 const SharedBytes *bytes) {
  PacketHeader header = {};
  header.size = bytes ? bytes->size() : 0;
  header.status = status;
  std::memcpy(header.word, word.data(),
              std::min(word.size(), sizeof(header.word) - 1));
  iovec part = {&header, sizeof(header)};
  PacketControl control = {};
  msghdr message = {};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  if (header.size) {
    message.msg_control = control.space;
    message.msg_controllen = sizeof(control.space);
    cmsghdr *rights = CMSG_FIRSTHDR(&message);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(sizeof(int));
    const int file = bytes->descriptor().get();
    std::memcpy(CMSG_DATA(rights), &file, sizeof(int));
  }
  ssize_t sent;
  do
    sent = ::sendmsg(socket, &message, MSG_NOSIGNAL);
  while (sent < 0 && errno == EINTR);
  return sent == ssize_t(sizeof(header));
}

std::optional<SharedMessage> receiveMessage(int socket) {
  PacketHeader header = {};
  iovec part = {&header, sizeof(header)};
  PacketControl control = {};
  msghdr message = {};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control.space;
  message.msg_controllen = sizeof(control.space);
  ssize_t received;
  do
    received = ::recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  while (received < 0 && errno == EINTR);
  if (received != ssize_t(sizeof(header)))
    return std::nullopt;
  SharedMessage result;
  header.word[sizeof(header.word) - 1] = 0;
  result.word = header.word;
  result.status = header.status;
  result.size = header.size;
  if (cmsghdr *rights = CMSG_FIRSTHDR(&message);
      rights && rights->cmsg_type == SCM_RIGHTS) {
    int file;
    std::memcpy(&file, CMSG_DATA(rights), sizeof(int));
    result.file = Descriptor(file);
  }
  if (result.size && result.file.get() < 0)
    return std::nullopt;
  return result;
}

} // namespace gensyn::runtime
