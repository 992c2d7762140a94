// The one judge of whether a body is coded as its label says (RFC 9110
// 8.4). In: the first bytes of what framing and transfer codings leave. Out: the notes of
// the message. `curl --compressed` prints decoded content under the label of the coding, so a label
// alone is no answer; sources ask here, everybody else asks the notes.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

#include "codec/coder.h"
#include "http/message.h"

namespace rehead::codec {

class Judge {
 public:
  enum class Answer : std::uint8_t { yes, no, more };

  /// Do these first bytes carry `coding`? `all`: there are no more. `more`: look_ahead() bytes
  /// tell. gzip and zstd show their magic; deflate and br have none, so that text in the first KiB,
  /// or an error of the decoder there, is their no. An empty body proves nothing: yes.
  Answer shows(http::Coding coding, std::string_view start, bool all);
  /// Bytes of content that settle it for every coding, and for these: a magic takes less.
  static constexpr std::size_t look_ahead() { return 1024; }
  static std::size_t look_ahead(const http::Codings& codings);

  /// Settles the notes of a message: which codings the content carries, and whether its label says
  /// so. False: more bytes are wanted, look_ahead() of its label at the most. Asked again, it
  /// judges anew.
  bool settle(http::Message& message, std::string_view start, bool all);

 private:
  bool decodes(http::Coding coding, std::string_view start);

  std::unique_ptr<Coder> deflate_, br_;  // for trials; made when first needed
};

/// The coding whose magic stands there in full, gzip or zstd; Coding::other for none.
http::Coding coding_shown(std::string_view start);
/// The coding that files of this media type are in themselves; Coding::other for none.
http::Coding coding_of_type(std::string_view media_type);

}  // namespace rehead::codec
