// A step of the chain, and its row in the table of all steps.
//
// A step's file reads: comment, a final class with apply(), make(), one TransformInfo. Everything
// the user typed is checked in make(), once; apply() runs once per message. A step may keep its own
// copies between messages; it writes nowhere and knows no other step.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "http/exchange.h"
#include "http/policy.h"

namespace rehead::transform {

enum class Verdict : std::uint8_t {
  keep,  // goes on to the next step
  drop,  // is not written
  last,  // goes on to the next step, but nothing after it is read from this input
  stop,  // this one is not written either, and nothing after it is read from this input
};

/// What a step can do once there are no more exchanges.
class Emitter {
 public:
  virtual ~Emitter() = default;
  /// Sends an exchange that the step held back through the rest of the chain.
  virtual void emit(http::Exchange& exchange) = 0;
  virtual Diagnostics& log() = 0;
};

class Transform {
 public:
  virtual ~Transform() = default;
  virtual Result<Verdict> apply(http::Exchange& exchange) = 0;
  /// Before an input that can be read twice: true for a step that wants to see all of it once
  /// before. That first look begins then, and ends with finish().
  virtual bool first_look() { return false; }
  /// What stands around the entries of a HAR, and entries that cannot be read (their number is not
  /// 0): copied as it is, unless the step says drop.
  virtual Verdict pass(http::Exchange&, Diagnostics&) { return Verdict::keep; }
  /// After the last exchange of an input, or once a step wants nothing more. Gives out what was
  /// held back; what is counted starts anew, so that each input is treated as if it were the only
  /// one.
  virtual Status finish(Emitter&) { return {}; }
};

/// A step that looks at one message at a time: what its selection covers, interim (1xx) ones
/// included. A step whose names carry their own half (http::FieldName) takes every message:
/// Selection{}.
class MessageTransform : public Transform {
 public:
  explicit MessageTransform(http::Selection selection) : selection_(selection) {}
  Result<Verdict> apply(http::Exchange& exchange) override;

 protected:
  /// True for a step that removes or changes fields, if it may mean one that a HAR mirrors: it is
  /// also given what only a mirror holds (AsRead::mirrored), as a message without a body.
  virtual bool edits_mirrored() const { return false; }
  /// `exchange` is for a step that needs the other half (content negotiation).
  virtual Status apply(http::Message& message, http::Exchange& exchange) = 0;

 private:
  http::Selection selection_;
};

/// True if a field of this name, or some field that this glob matches, is mirrored in a HAR.
bool may_be_mirrored(std::string_view name);

/// Tells of something a step found in this message.
void report(const http::Message& message, const http::Exchange& exchange, Finding finding);

/// An option of a verb. No verb option shares a name with a global one (a test holds that).
struct Option {
  std::string_view name;          // without the dashes
  std::string_view value;         // how the value is called in help; empty for a flag
  std::string_view help;          // one line
  char letter = '\0';             // the short form, if there is one
  std::string_view choices = {};  // what the value may be, separated by commas; empty if anything
};

/// How a step treats a body, as --plan and help tell it.
enum class Streaming : std::uint8_t {
  heads,   // does not look at bodies
  stream,  // bodies flow through it in constant memory
  asked,   // the same, where an expression or a field asks for size or content
  hold,    // the body is held (memory, then a temporary file) before the head is written
};

/// What the user typed for one step.
struct Arguments {
  std::string argument;                        // empty if the verb takes none
  std::map<std::string, std::string> options;  // by name; a flag has an empty value
  http::Selection selection;
  const http::Policy* policy = nullptr;  // outlives the step

  bool has(const std::string& name) const { return options.contains(name); }
  std::string get(const std::string& name, const std::string& fallback = {}) const {
    const auto found = options.find(name);
    return found == options.end() ? fallback : found->second;
  }
};

struct TransformInfo {
  std::string_view name;      // as typed
  std::string_view argument = {};  // how the argument is called in help; empty if there is none
  std::span<const Option> options = {};
  http::Side side;  // default side in an exchange
  Streaming streaming;
  std::string_view group;    // heading in help: headers, cookies, framing and body, ...
  std::string_view summary;  // one line
  std::string_view help;     // effect on headers and body; paragraphs split by an empty line
  std::span<const std::string_view> examples;  // runnable in examples/, two or more
  Result<std::unique_ptr<Transform>> (*make)(const Arguments& arguments);
  bool hides = false;    // values that are to be seen nowhere, in a diff neither
  bool answers = false;  // as the last step, nothing is written: the exit status is the answer
};

/// For TransformInfo::make of a step that is told nothing but its selection.
template <typename Step>
Result<std::unique_ptr<Transform>> make_plain(const Arguments& arguments) {
  return std::make_unique<Step>(arguments.selection);
}

/// All steps, in the order of help.
std::span<const TransformInfo* const> all();
/// The step of that name, or null.
const TransformInfo* find(std::string_view name);

}  // namespace rehead::transform
