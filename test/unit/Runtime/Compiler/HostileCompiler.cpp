// A compiler library for CompilerProcessTest.cpp that does what a model may do
// to one: the method says what.

#include "gensyn/Runtime/Compiler/CompilerApi.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>
#include <thread>

#include <unistd.h>

static int recurse(int depth) {
  volatile char frame[1 << 12];
  frame[0] = 1;
  return depth == 0 ? frame[0] : recurse(depth - 1) + frame[0];
}

extern "C" __attribute__((visibility("default"))) int
gensyn_compiler_call(const char *method, const uint8_t *request,
                     size_t requestSize, uint8_t **response,
                     size_t *responseSize) {
  const std::string name = method;
  std::fprintf(stdout, "printed\n");
  std::fflush(stdout);
  if (name == "crash")
    std::raise(SIGSEGV);
  if (name == "killed")
    std::raise(SIGKILL);
  if (name == "abort") {
    std::fprintf(stderr, "first\nLLVM ERROR: \x1b[31m oh\n");
    std::abort();
  }
  if (name == "exhaust") {
    std::fprintf(stderr, "LLVM ERROR: out of memory\n");
    std::abort();
  }
  if (name == "exit")
    std::_Exit(9);
  if (name == "fatal") {
    std::fprintf(stderr, "first\nLLVM ERROR: cannot select\n  t1: f32\n");
    std::_Exit(1);
  }
  if (name == "leave") {
    std::fprintf(stderr, "a library has had enough\n");
    std::_Exit(1);
  }
  if (name == "hang")
    std::this_thread::sleep_for(std::chrono::hours(1));
  if (name == "chatter")
    for (int i = 0; i < 1 << 16; ++i)
      std::fprintf(stderr, "again and again\n");
  if (name == "recurse" && recurse(20000) == 0) // 80 MiB of stack
    return 1;
  if (name == "allocate") {
    void *volatile bytes = std::malloc(size_t{1} << 30);
    if (!bytes)
      return 2;
    std::free(bytes);
  }
  // The request back, and the process that answers.
  const std::string process = std::to_string(::getpid());
  *responseSize = requestSize + process.size();
  *response = static_cast<uint8_t *>(std::malloc(*responseSize));
  std::copy_n(request, requestSize, *response); // also where there is none
  std::memcpy(*response + requestSize, process.data(), process.size());
  return 0;
}

extern "C" __attribute__((visibility("default"))) void
gensyn_compiler_free(uint8_t *response) {
  std::free(response);
}
