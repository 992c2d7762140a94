// Results and errors. The lowest layer says what went wrong and, where it knows, at which byte;
// the pipeline adds file and message; main adds the program's name. Each is added once.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#if defined(__clang__)
#define REHEAD_LIFETIMEBOUND [[clang::lifetimebound]]
#else
#define REHEAD_LIFETIMEBOUND
#endif

namespace rehead {

/// What kind of failure; one table in cli/main.cpp maps these to exit statuses.
enum class Errc : std::uint8_t {
  usage,      // what the user typed: exit 2
  syntax,     // the input is not what it claims: exit 3
  transform,  // a step failed on well-formed input: exit 4
  limit,      // a limit of spec section 8 was hit: exit 4
  io,         // the system said no: exit 5
  pipe,       // the reader of our output is gone: exit 141, silently
};

/// The half of an exchange something was found in; none for a message on its own.
enum class Half : std::uint8_t { none, request, response };

struct Error {
  Errc code = Errc::syntax;
  std::string_view id;    // stable name for --errors json, kebab-case, static text
  std::string what;       // one sentence without place; input bytes only through quoted()
  std::string hint = {};  // the way out, or empty
  std::optional<std::uint64_t> byte = {};  // offset from 0 in the uncompressed input
  std::optional<std::uint64_t> line = {};  // line from 1 in the uncompressed input
  std::uint64_t message = 0;  // message from 1; 0 = the message that is being worked on
  Half half = Half::none;
};

template <typename T>
using Result = tl::expected<T, Error>;
/// Success without a value, or an Error.
using Status = Result<void>;

[[nodiscard]] inline tl::unexpected<Error> fail(Error error) {
  return tl::unexpected<Error>(std::move(error));
}

}  // namespace rehead
