// What stands between two raw messages of which the first has a known end: line
// ends, nothing, or bytes that belong to no message.
#pragma once

#include <string>

#include "base/io.h"
#include "format/http1_body.h"
#include "http/message.h"
#include "http/policy.h"

namespace rehead::format {

class MessageGap {
 public:
  /// `junk` finds the next head behind what is none.
  MessageGap(Input& input, const http::Policy& policy, OpenBody& junk)
      : input_(&input), policy_(&policy), open_body_(&junk) {}
  /// Behind a body; `line_start`: the input stands at the start of a line.
  void start(bool line_start) {
    line_start_ = line_start;
    separators_.clear();
  }
  /// Stands the input at the head behind `message`; false: there is none. `requests`: the stream
  /// has shown a request.
  Result<bool> cross(http::Message& message, bool requests);
  /// The line ends that were crossed.
  const std::string& separators() const REHEAD_LIFETIMEBOUND { return separators_; }

 private:
  Result<bool> head_stands_at(std::size_t at);
  Status skip_junk();

  Input* input_;
  const http::Policy* policy_;
  OpenBody* open_body_;
  http::Message* message_ = nullptr;  // the one before
  std::string separators_;
  bool requests_ = false;
  bool line_start_ = true;
};

}  // namespace rehead::format
