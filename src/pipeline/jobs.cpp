#include "pipeline/jobs.h"

#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <system_error>
#include <thread>

namespace rehead {
namespace {

constexpr std::size_t kMost = 256;
constexpr std::size_t kDescriptors = 6;              // that one file may need
constexpr std::size_t kHold = std::size_t{8} << 20;  // of what a file writes before its turn

class AtOnce {
 public:
  AtOnce(std::size_t files, Reporter& reporter, ByteSink& shared, bool discard,
         const std::function<bool(std::size_t, FileTurn)>& work)
      : files_(files), reporter_(reporter), shared_(shared), discard_(discard), work_(work) {}

  /// What one thread does.
  void take_files(const Chain& chain) {
    while (true) {
      const std::size_t index = next_++;
      if (index >= files_) return;
      take(index, chain);
    }
  }

 private:
  void take(std::size_t index, const Chain& chain) {
    TurnSink err(turns_, index, reporter_.out(), kHold);
    TurnSink out(turns_, index, shared_, kHold);
    Reporter mine(err, reporter_);
    const bool begun = !ended_;
    bool go_on = begun && work_(index, {chain, mine, out});
    turns_.wait_for(index);
    if (turns_.is_off(index)) return;
    if (begun) {
      go_on = out.release() && go_on;
      static_cast<void>(err.release() && reporter_.out().flush());
      reporter_.absorb(mine);
      if (!go_on) ended_ = true;
      if (!go_on && discard_) turns_.call_off();
    }
    turns_.pass_on();
  }

  std::size_t files_;
  Reporter& reporter_;
  ByteSink& shared_;
  bool discard_;
  const std::function<bool(std::size_t, FileTurn)>& work_;
  Turns turns_;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<bool> ended_ = false;
};

/// Threads there are descriptors for.
std::size_t affordable() {
  constexpr rlim_t kOthers = 8;
  struct rlimit limit {};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return kMost;
  const rlim_t free = limit.rlim_cur - std::min(limit.rlim_cur, kOthers);
  return static_cast<std::size_t>(std::min<rlim_t>(free / kDescriptors, kMost));
}

}  // namespace

std::vector<Chain> chains_for(const Job& job, std::size_t files) {
  const std::size_t wanted = job.jobs == 0 ? std::thread::hardware_concurrency() : job.jobs;
  const std::size_t threads = std::min({wanted, files, affordable()});
  std::vector<Chain> chains;
  if (threads < 2 || !job.another_chain) return chains;
  while (chains.size() < threads) {
    auto chain = job.another_chain();
    if (!chain) return {};
    chains.push_back(std::move(*chain));
  }
  return chains;
}

void run_at_once(std::vector<Chain>& chains, std::size_t files, Reporter& reporter,
                 ByteSink& shared, bool discard,
                 const std::function<bool(std::size_t, FileTurn)>& work) {
  AtOnce all(files, reporter, shared, discard, work);
  std::vector<std::thread> threads;
  threads.reserve(chains.size());
  try {
    for (const Chain& chain : chains) threads.emplace_back([&] { all.take_files(chain); });
  } catch (const std::system_error&) {  // no more threads are to be had
    if (threads.empty()) all.take_files(chains.front());
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace rehead
