// A body on its way into a HAR: held, its codings taken off, for in HAR the text is decoded. What
// is UTF-8 becomes the text, anything else base64. A coding that is not known or turns out broken
// is left on.
#pragma once

#include <cstdint>
#include <string>

#include "base/io.h"
#include "base/spool.h"
#include "codec/content_coding.h"
#include "http/message.h"
#include "http/policy.h"

namespace rehead::format {

class HarContent {
 public:
  explicit HarContent(const http::Policy& policy) : policy_(&policy), decoder_(policy) {}

  /// Reads the content of `message`, which has a body, to its end. `original`, if given, is what it
  /// is compared with. An Error is that of a body that broke off; what came before it stands.
  Status take(http::Message& message, ByteSource* original);
  /// Bytes of the content, with and without its codings.
  std::uint64_t coded_size() const { return coded_.size(); }
  std::uint64_t size() const { return size_; }
  bool is_text() const { return text_; }
  /// It is what `original` gave.
  bool same() const { return same_; }
  /// The text as a JSON string.
  Status write(ByteSink& output);

 private:
  ByteSource& start();
  bool look(ByteSource* original);

  const http::Policy* policy_;
  codec::Decoder decoder_;
  Spool coded_;
  http::Message* message_ = nullptr;
  bool decode_ = false;
  std::uint64_t size_ = 0;
  bool text_ = true;
  bool same_ = false;
};

}  // namespace rehead::format
