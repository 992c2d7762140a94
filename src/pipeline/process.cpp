#include "pipeline/process.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <vector>

namespace rehead {
namespace {

using Slot = TemporaryName::Slot;

// A signal handler has no other way to know them. Slots are used again, but never freed: the
// handler walks the list at any time.
std::atomic<Slot*> slots = nullptr;
static_assert(std::atomic<Slot*>::is_always_lock_free);
static_assert(std::atomic<char*>::is_always_lock_free);
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);

std::mutex free_mutex;
std::vector<Slot*>& free_slots() {
  static auto* const list = new std::vector<Slot*>;  // outlives every TemporaryName
  return *list;
}

constexpr std::array kSignals = {SIGINT, SIGTERM, SIGHUP};
std::atomic<int> moments = 0;  // that are under way
std::atomic<bool> ending = false;
thread_local int depth = 0;  // of the moments of this thread

extern "C" void end_by_signal(int number) {
  ending = true;
  // Those under way are in other threads: in its own a NamedMoment blocks the signal. Each is a few
  // calls of the system long.
  while (moments != 0) ::poll(nullptr, 0, 1);
  remove_temporaries();
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

void remove_temporaries() {
  for (Slot* slot = slots; slot != nullptr; slot = slot->next) {
    if (const char* path = slot->path.exchange(nullptr)) ::unlink(path);
  }
}

void prepare_process() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(fd, F_GETFD) == -1) {
      // The lowest free descriptor is this very one; opened for the wrong direction on purpose.
      static_cast<void>(::open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY));
    }
  }
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  for (const int number : kSignals) handle(number);
}

void die_of_pipe() {
  std::signal(SIGPIPE, SIG_DFL);
  sigset_t pipe;
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  sigprocmask(SIG_UNBLOCK, &pipe, nullptr);
  std::raise(SIGPIPE);
}

NamedMoment::NamedMoment() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int number : kSignals) sigaddset(&signals, number);
  pthread_sigmask(SIG_BLOCK, &signals, &before_);
  ++moments;
  if (depth++ != 0 || !ending) return;
  --moments;
  while (true) ::pause();
}

NamedMoment::~NamedMoment() {
  --depth;
  --moments;
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

TemporaryName::TemporaryName(const std::string& path) {
  const std::lock_guard lock(free_mutex);
  if (free_slots().empty()) {
    slot_ = new Slot;
    slot_->next = slots;
    slots = slot_;
  } else {
    slot_ = free_slots().back();
    free_slots().pop_back();
  }
  slot_->path = ::strdup(path.c_str());
}

TemporaryName::~TemporaryName() {
  std::free(slot_->path.exchange(nullptr));
  const std::lock_guard lock(free_mutex);
  free_slots().push_back(slot_);
}

}  // namespace rehead
