// What goes through the chain: a request, a response, or both.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "http/message.h"

namespace rehead::http {

enum class Side : std::uint8_t { response, request, both };

/// One T for each half of an exchange. Both halves live until the exchange is written, so whatever
/// a step or sink keeps for a message (a coder, held bytes, a text) it keeps per half.
template <typename T>
class PerHalf {
 public:
  PerHalf() = default;
  /// Each T is made from these arguments.
  template <typename... Arguments>
  explicit PerHalf(const Arguments&... arguments)
      : request_(arguments...), response_(arguments...) {}
  PerHalf(const PerHalf&) = default;
  PerHalf(PerHalf&&) noexcept = default;
  PerHalf& operator=(const PerHalf&) = default;
  PerHalf& operator=(PerHalf&&) noexcept = default;
  ~PerHalf() = default;

  T& operator[](Kind kind) { return kind == Kind::request ? request_ : response_; }
  const T& operator[](Kind kind) const { return kind == Kind::request ? request_ : response_; }
  T& operator[](const Message& message) { return (*this)[message.kind]; }
  const T& operator[](const Message& message) const { return (*this)[message.kind]; }
  /// Calls visit(T&) for both.
  template <typename Visit>
  void for_each(Visit visit) {
    visit(request_);
    visit(response_);
  }

 private:
  T request_;
  T response_;
};

/// Other bytes for a part of a text.
struct TextEdit {
  std::size_t at;    // of the part
  std::size_t size;  // in bytes
  std::string text;  // what stands there from now on
};

/// Changes JSON as it was read.
class Rewriter {
 public:
  virtual ~Rewriter() = default;
  enum class What : std::uint8_t { entry, around };
  /// The changes to `json`, in order, none overlapping; they leave it JSON of the same shape: no
  /// element or member more or less. `around`: an object with a member that stands around the
  /// entries. Asked again, of the changed text, until there are none.
  virtual std::vector<TextEdit> rewrite(std::string_view json, What what) = 0;
  /// Told instead of a member of this many bytes: too long to be held. A text takes its place.
  virtual std::string too_long(std::string_view key) = 0;
};

struct Exchange;

/// What a source keeps of the bytes it read, for the sink of the same format.
class AsRead {
 public:
  virtual ~AsRead() = default;
  /// Changes the text that was read, and with it what was loaded from it and is as it was loaded.
  /// False: no text is kept, all there is are the messages.
  virtual bool rewrite(Rewriter&, Exchange&) { return false; }
  /// A copy that outlives the exchange.
  virtual std::unique_ptr<AsRead> keep() const = 0;
  /// Fields of the half `message` that only a mirror of its fields holds (cookies[] of a HAR), or
  /// null. What a step changes in them is changed in the mirror.
  virtual Message* mirrored(const Message&) { return nullptr; }
  /// True if a step did.
  virtual bool mirrored_changed() const { return false; }
};

struct Exchange {
  Message* request = nullptr;   // null: there is none
  Message* response = nullptr;  // null: there is none
  std::string_view file;        // as named by the user, "<stdin>" for standard input
  std::uint64_t number = 0;     // of the entry from 1; 0 for a message on its own (raw HTTP)

  // What an entry says besides its messages, as it stands there; empty where it says nothing.
  std::string_view time = {};  // startedDateTime
  std::string_view ms = {};    // time: a JSON number
  std::string_view url = {};   // of the request

  AsRead* as_read = nullptr;  // null: the format keeps nothing; dies with the exchange
  bool passage = false;  // no exchange but bytes around them: the chain is not asked (Sink::pass)
  // Of a passage of raw HTTP: the line ends that stand behind the message `number`.
  std::string_view separators = {};

  // A step chose an interim (1xx) response by its status: reports do not pass it over.
  bool interim_wanted = false;

  /// A message on its own, as raw HTTP gives it.
  bool alone() const { return number == 0; }
  /// An interim response on its own.
  bool interim() const { return alone() && response != nullptr && response->interim(); }
  /// The half a message of it is; none if it stands on its own.
  Half half_of(const Message& message) const {
    if (alone()) return Half::none;
    return message.kind == Kind::request ? Half::request : Half::response;
  }
  /// Says of an error in a half of an entry which one it is, and where it begins if nothing more
  /// exact is known.
  Status placed(Status done, const Message& message) const {
    if (done || alone() || done.error().half != Half::none) return done;
    done.error().half = half_of(message);
    if (!done.error().byte) done.error().byte = message.notes.offset;
    return done;
  }
  /// Calls visit(Message&) -> Status for the request, then the response, as far as there. What
  /// goes wrong in a half of an entry is placed().
  template <typename Visit>
  Status for_each(Visit visit) {
    for (Message* message : {request, response}) {
      if (message == nullptr) continue;
      if (auto done = visit(*message); !done) return placed(std::move(done), *message);
    }
    return {};
  }
};

/// Which half of an exchange a step touches: the default of the verb, or what -s says. A message on
/// its own is touched whatever it is, unless -s was given.
struct Selection {
  Side side = Side::both;
  bool chosen = false;  // by -s, or by a prefix of the name

  bool operator==(const Selection&) const = default;
  bool covers(const Exchange& exchange, Kind kind) const {
    if (exchange.alone() && !chosen) return true;
    return side == Side::both || (side == Side::request) == (kind == Kind::request);
  }
};

}  // namespace rehead::http
