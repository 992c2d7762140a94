// Results and errors. The lowest layer says what went wrong and, where it knows, at which byte;
// the pipeline adds file and message; main adds the program's name. Each is added once.
#pragma once

#include <cstdint>
#include <memory>
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
  limit,      // a limit (http::Limits) was hit: exit 4
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

/// An Error on the heap, so that a Result is small and success touches nothing but its flag.
class BoxedError {
 public:
  BoxedError(Error error)  // NOLINT(google-explicit-constructor): what fail() gives becomes one
      : error_(std::make_unique<Error>(std::move(error))) {}
  BoxedError(const BoxedError& other) : BoxedError(*other.error_) {}
  BoxedError(BoxedError&&) noexcept = default;
  BoxedError& operator=(const BoxedError& other) {
    error_ = std::make_unique<Error>(*other.error_);
    return *this;
  }
  BoxedError& operator=(BoxedError&&) noexcept = default;
  ~BoxedError() = default;

  Error& operator*() { return *error_; }
  const Error& operator*() const { return *error_; }

 private:
  std::unique_ptr<Error> error_;  // null only once moved from
};

/// A value, or an Error.
template <typename T>
class [[nodiscard]] Result : public tl::expected<T, BoxedError> {
 public:
  using Base = tl::expected<T, BoxedError>;
  using Base::Base;
  Result() : Base() {}  // written out: a defaulted one would zero the whole object at `return {}`
  Error& error() REHEAD_LIFETIMEBOUND { return *Base::error(); }
  const Error& error() const REHEAD_LIFETIMEBOUND { return *Base::error(); }
};
/// Success without a value, or an Error.
using Status = Result<void>;

[[nodiscard]] inline tl::unexpected<Error> fail(Error error) {
  return tl::unexpected<Error>(std::move(error));
}

}  // namespace rehead
