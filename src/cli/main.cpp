// rehead: HTTP messages through a chain of steps. Parses, runs, reports, gives the exit status.
#include <unistd.h>

#include <cstdlib>
#include <exception>
#include <new>

#include "cli/command.h"
#include "cli/stats_text.h"
#include "pipeline/output.h"
#include "pipeline/process.h"
#include "pipeline/terminal.h"

namespace {

using namespace rehead;

/// Spec section 8.
int exit_status(Errc code) {
  switch (code) {
    case Errc::usage:
      return 2;
    case Errc::syntax:
      return 3;
    case Errc::transform:
    case Errc::limit:
      return 4;
    case Errc::io:
      return 5;
    case Errc::pipe:
      return 141;
  }
  return 5;
}

/// The one end of a run that gets no memory, in whatever thread, also while it reports or unwinds:
/// takes none itself.
[[noreturn]] void end_by_exception() {
  try {
    if (const auto thrown = std::current_exception()) std::rethrow_exception(thrown);
  } catch (const std::bad_alloc&) {
    constexpr std::string_view kText =
        "rehead: error: out of memory\n"
        "  hint: --hold, --max-body and --max-entry bound what is held\n";
    remove_temporaries();
    // There is nobody left to tell that stderr cannot be written.
    [[maybe_unused]] const auto told = ::write(STDERR_FILENO, kText.data(), kText.size());
    ::_exit(exit_status(Errc::io));
  } catch (...) {
  }
  std::abort();
}

Status print(std::string_view text) {
  auto output = Output::open({});
  if (!output) return fail(std::move(output.error()));
  std::string shown(text);
  if (look_of_stdout(When::never).harmless) {
    shown.clear();
    append_harmless(shown, text, true);
  }
  if (auto done = (*output)->sink().write(shown); !done) return done;
  return (*output)->commit();
}

/// What steps did to each input, as one JSON object.
Status write_receipts(const std::vector<std::string>& receipts, const std::string& name,
                      ByteSink& err) {
  std::string text = "{\"files\":[";
  for (const std::string& receipt : receipts) {
    if (&receipt != receipts.data()) text += ',';
    text += '\n' + receipt;
  }
  text += "\n]}\n";
  if (name == "-") return err.write(text) ? err.flush() : Status();
  auto output = Output::open(name);
  if (!output) return fail(std::move(output.error()));
  if (auto done = (*output)->sink().write(text); !done) return done;
  return (*output)->commit();
}

}  // namespace

int main(int argc, char** argv) {
  std::set_terminate(end_by_exception);
  prepare_process();
  FdSink err(STDERR_FILENO);
  Reporter reporter(err, exit_status);
  cli::Command command;
  const std::vector<std::string> args(argv + (argc > 0 ? 1 : 0), argv + argc);
  Status done = cli::parse(args, ::isatty(STDIN_FILENO) == 1, reporter, command);
  if (done && command.kind == cli::Command::Kind::explain) {
    static_cast<void>(err.write(command.text) && err.flush());
    return exit_status(Errc::usage);
  }
  if (done && command.kind == cli::Command::Kind::print) done = print(command.text);
  if (done && command.kind == cli::Command::Kind::run) run(command.job, command.chain, reporter);
  if (done && !command.receipts.empty()) {
    done = write_receipts(reporter.receipts(), command.receipts, err);
  }
  if (!done) reporter.fail(done.error());
  const int status = reporter.finish();
  if (done && command.job.policy.stats != nullptr) {
    static_cast<void>(err.write(cli::stats_text(command.stats)) && err.flush());
  }
  if (status == exit_status(Errc::pipe)) die_of_pipe();
  return status;
}
