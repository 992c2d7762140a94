// What the program asks of the system before it starts, and how it ends by a signal.
#pragma once

#include <atomic>
#include <csignal>
#include <string>

namespace rehead {

/// Fills closed standard descriptors, so that no file opened later takes their place: reading or
/// writing them still fails. SIGPIPE and SIGXFSZ become errors of write; SIGINT, SIGTERM and SIGHUP
/// remove the temporary file first, unless they were ignored when the program started.
void prepare_process();

/// Removes the temporary files that have names. Takes no memory; for a program about to end.
void remove_temporaries();

/// Ends as if SIGPIPE had not been ignored.
void die_of_pipe();

/// While it lives in some thread, the signals above wait: a temporary name is taken or given up and
/// the file is made, renamed or removed as one. Once they end the program, no other moment begins.
class NamedMoment {
 public:
  NamedMoment();
  ~NamedMoment();
  NamedMoment(const NamedMoment&) = delete;
  NamedMoment& operator=(const NamedMoment&) = delete;

 private:
  sigset_t before_;
};

/// While it lives, the signals above remove the file of that name.
class TemporaryName {
 public:
  explicit TemporaryName(const std::string& path);
  ~TemporaryName();
  TemporaryName(const TemporaryName&) = delete;
  TemporaryName& operator=(const TemporaryName&) = delete;

  struct Slot {
    std::atomic<char*> path = nullptr;  // whoever takes it out owns it
    Slot* next = nullptr;
  };

 private:
  Slot* slot_;
};

}  // namespace rehead
