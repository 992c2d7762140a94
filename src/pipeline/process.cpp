#include "pipeline/process.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <climits>
#include <csignal>

namespace rehead {
namespace {

// A signal handler has no other way to know them.
std::array<char, PATH_MAX> temporary_path;
std::atomic<bool> temporary_there = false;
static_assert(std::atomic<bool>::is_always_lock_free);

extern "C" void end_by_signal(int number) {
  if (temporary_there.exchange(false)) ::unlink(temporary_path.data());
  std::signal(number, SIG_DFL);
  std::raise(number);
}

void handle(int number) {
  struct sigaction action {};
  if (::sigaction(number, nullptr, &action) != 0 || action.sa_handler == SIG_IGN) return;
  action = {};
  action.sa_handler = end_by_signal;
  ::sigaction(number, &action, nullptr);
}

}  // namespace

void prepare_process() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(fd, F_GETFD) == -1) {
      // The lowest free descriptor is this very one; opened for the wrong direction on purpose.
      static_cast<void>(::open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY));
    }
  }
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) handle(number);
}

void die_of_pipe() {
  std::signal(SIGPIPE, SIG_DFL);
  sigset_t pipe;
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  sigprocmask(SIG_UNBLOCK, &pipe, nullptr);
  std::raise(SIGPIPE);
}

TemporaryName::TemporaryName(const std::string& path) {
  if (path.size() >= temporary_path.size()) return;
  *std::ranges::copy(path, temporary_path.begin()).out = '\0';
  temporary_there = true;
}

TemporaryName::~TemporaryName() { temporary_there = false; }

}  // namespace rehead
