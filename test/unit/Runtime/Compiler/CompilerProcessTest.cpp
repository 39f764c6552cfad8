// Ends of the compiler process, and the errors that the caller gets.

#include "gensyn/Runtime/Compiler/CompilerProcess.h"
#include "../../Executable/TestFiles.h"
#include "gensyn/Executable/plan.pb.h"
#include "gensyn/Runtime/Compiler/Compiler.h"

#include <gtest/gtest.h>

#include <csignal>
#include <fstream>
#include <thread>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace gensyn;
using namespace gensyn::runtime;
using namespace gensyn::test;

static constexpr uint64_t kMemory = uint64_t{1} << 33;

static plan::RunRequest requestOf(const std::string &text) {
  plan::RunRequest request;
  request.set_frozen_module(text);
  return request;
}

/// The number of the process that answered, after the request itself.
static int processOf(const CompilerAnswer &answer,
                     const plan::RunRequest &request) {
  EXPECT_EQ(answer.status, 0);
  std::string text(answer.bytes.begin(), answer.bytes.end());
  const std::string sent = request.SerializeAsString();
  EXPECT_EQ(text.substr(0, sent.size()), sent);
  return std::stoi(text.substr(sent.size()));
}

static CompilerStopped stopOf(CompilerProcess &process,
                              const std::string &method) {
  try {
    process.call(method, requestOf("x"));
  } catch (const CompilerStopped &stopped) {
    return stopped;
  }
  ADD_FAILURE() << method << " was answered";
  return {ExitCode::Ok, "", ""};
}

TEST(CompilerProcess, answersFromOneProcessThatIsNotThisOne) {
  CompilerProcess process(GENSYN_HOSTILE_COMPILER, {kMemory, 60});
  const plan::RunRequest small = requestOf("small"),
                         large = requestOf(std::string(1 << 24, 'x')), empty;
  const int first = processOf(process.call("echo", small), small);
  EXPECT_NE(first, ::getpid());
  EXPECT_EQ(processOf(process.call("echo", large), large), first);
  EXPECT_EQ(processOf(process.call("echo", empty), empty), first);
  // Responses stay valid after later calls.
  CompilerAnswer kept = process.call("echo", small);
  process.call("echo", large);
  EXPECT_EQ(processOf(kept, small), first);
}

TEST(CompilerProcess, saysHowItEndedAndStartsAgain) {
  CompilerProcess process(GENSYN_HOSTILE_COMPILER, {kMemory, 60});
  const plan::RunRequest request = requestOf("x");
  const int first = processOf(process.call("echo", request), request);
  CompilerStopped crash = stopOf(process, "crash");
  EXPECT_EQ(crash.code, ExitCode::BadInput);
  EXPECT_EQ(crash.reason, "the compiler stopped (SIGSEGV)");
  EXPECT_NE(processOf(process.call("echo", request), request), first);
  CompilerStopped abort = stopOf(process, "abort");
  EXPECT_EQ(abort.code, ExitCode::BadInput);
  EXPECT_EQ(abort.reason,
            "the compiler stopped (SIGABRT): 'LLVM ERROR: \\x1b[31m oh'");
  CompilerStopped exhausted = stopOf(process, "exhaust");
  EXPECT_EQ(exhausted.code, ExitCode::OutOfResources);
  EXPECT_EQ(exhausted.reason, "the compiler ran out of memory");
  // The system ends so what needs more memory than there is.
  CompilerStopped killed = stopOf(process, "killed");
  EXPECT_EQ(killed.code, ExitCode::OutOfResources);
  EXPECT_EQ(killed.reason, "the compiler ran out of memory");
  CompilerStopped exit = stopOf(process, "exit");
  EXPECT_EQ(exit.code, ExitCode::Bug);
  EXPECT_EQ(exit.reason, "the compiler ended with exit code 9");
}

TEST(CompilerProcess, onlyLlvmsFatalErrorsAreTheModels) {
  CompilerProcess process(GENSYN_HOSTILE_COMPILER, {kMemory, 60});
  CompilerStopped fatal = stopOf(process, "fatal");
  EXPECT_EQ(fatal.code, ExitCode::BadInput);
  EXPECT_EQ(fatal.reason,
            "the compiler stopped: 'LLVM ERROR: cannot select\\n  t1: f32'");
  CompilerStopped left = stopOf(process, "leave");
  EXPECT_EQ(left.code, ExitCode::Bug);
  EXPECT_EQ(left.reason, "the compiler ended with exit code 1: "
                         "'a library has had enough'");
}

TEST(CompilerProcess, isEndedWhenItTakesTooLong) {
  CompilerProcess process(GENSYN_HOSTILE_COMPILER, {kMemory, 1});
  CompilerStopped stopped = stopOf(process, "hang");
  EXPECT_EQ(stopped.code, ExitCode::OutOfResources);
  EXPECT_EQ(stopped.reason, "the compiler took more than 1 seconds");
}

TEST(CompilerProcess, hasStackWhereTheCallerHasLittle) {
  CompilerProcess process(GENSYN_HOSTILE_COMPILER, {kMemory, 60});
  const plan::RunRequest request = requestOf("x");
  processOf(process.call("recurse", request), request);
}

TEST(CompilerProcess, whatItPrintsIsBounded) {
  CompilerProcess process(GENSYN_HOSTILE_COMPILER, {kMemory, 60});
  const plan::RunRequest request = requestOf("x");
  processOf(process.call("chatter", request), request);
}

TEST(CompilerProcess, answersSeveralThreads) {
  CompilerProcess process(GENSYN_HOSTILE_COMPILER, {kMemory, 60});
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&process, i] {
      const plan::RunRequest request =
          requestOf(std::string(1000, char('a' + i)));
      for (int k = 0; k < 50; ++k)
        processOf(process.call("echo", request), request);
    });
  for (std::thread &thread : threads)
    thread.join();
}

TEST(CompilerProcess, outlivesTheThreadThatStartedIt) {
  CompilerProcess process(GENSYN_HOSTILE_COMPILER, {kMemory, 60});
  const plan::RunRequest request = requestOf("x");
  stopOf(process, "exit"); // the next call starts another one
  int first = 0, second = 0;
  std::thread([&] {
    first = processOf(process.call("echo", request), request);
  }).join();
  std::thread([&] {
    second = processOf(process.call("echo", request), request);
  }).join();
  EXPECT_EQ(first, second);
}

TEST(CompilerProcess, endsWithItsParent) {
  int pipe[2];
  ASSERT_EQ(::pipe(pipe), 0);
  const pid_t parent = ::fork();
  if (parent == 0) {
    CompilerProcess process(GENSYN_HOSTILE_COMPILER, {kMemory, 60});
    const plan::RunRequest request = requestOf("x");
    const int compiler = processOf(process.call("echo", request), request);
    (void)!::write(pipe[1], &compiler, sizeof(compiler));
    ::raise(SIGKILL);
  }
  int compiler = 0, status = 0;
  ASSERT_EQ(::read(pipe[0], &compiler, sizeof(compiler)),
            ssize_t(sizeof(compiler)));
  ::waitpid(parent, &status, 0);
  for (int tries = 0; tries < 1000 && ::kill(compiler, 0) == 0; ++tries) {
    // Where no process collects it, it stays as a zombie.
    std::ifstream file("/proc/" + std::to_string(compiler) + "/stat");
    std::string number, word, state;
    if (file >> number >> word >> state; state == "Z")
      break;
    ::usleep(10'000);
    ASSERT_LT(tries, 999) << "the compiler is still there";
  }
  ::close(pipe[0]);
  ::close(pipe[1]);
}

TEST(CompilerProcess, endsWithItsObjectAndHoldsNoLock) {
  ScratchFolder scratch;
  const std::string path = scratch / "lock";
  int process = 0;
  {
    int lock = ::open(path.c_str(), O_CREAT | O_RDWR, 0600);
    ASSERT_EQ(::flock(lock, LOCK_EX), 0);
    CompilerProcess compiler(GENSYN_HOSTILE_COMPILER, {kMemory, 60});
    const plan::RunRequest request = requestOf("x");
    process = processOf(compiler.call("echo", request), request);
    ::close(lock);
    int again = ::open(path.c_str(), O_RDWR);
    EXPECT_EQ(::flock(again, LOCK_EX | LOCK_NB), 0);
    ::close(again);
  }
  EXPECT_NE(::kill(process, 0), 0);
}

#if !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)
TEST(CompilerProcess, hasNoMoreMemoryThanItsLimit) {
  const plan::RunRequest request = requestOf("x");
  CompilerProcess little(GENSYN_HOSTILE_COMPILER, {uint64_t{1} << 29, 60});
  EXPECT_EQ(little.call("allocate", request).status, 2);
  CompilerProcess enough(GENSYN_HOSTILE_COMPILER, {uint64_t{3} << 30, 60});
  EXPECT_EQ(enough.call("allocate", request).status, 0);
}
#endif
