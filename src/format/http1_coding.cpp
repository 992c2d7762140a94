#include "format/http1_coding.h"

#include <algorithm>

#include "http/framing.h"

namespace rehead::format {

using codec::Judge;
using http::Framing;

Status CodingDecision::settle(http::Message& message, Unframe& unframe, Input& input, bool judged) {
  unframe.decoded = false;
  if (message.body == nullptr || message.notes.framing == Framing::opaque) return {};
  if (message.notes.framing == Framing::length) {
    return judged || message.notes.codings.empty() ? Status() : judge_front(message, input);
  }
  undo_transfer_codings(message, unframe);
  if (message.notes.codings.empty()) return {};
  const bool all =
      content_start_.look(*message.body, Judge::look_ahead(message.notes.codings), start_);
  // Where the body broke off there are no more bytes either.
  if (!judge_->settle(message, start_, all)) judge_->settle(message, start_, true);
  return {};
}

/// Where chunks were named and are off, curl took the others off too, whatever the bytes are.
void CodingDecision::undo_transfer_codings(http::Message& message, Unframe& unframe) {
  const http::TransferCodings transfer = http::transfer_codings(message.headers);
  if (transfer.inner.empty() || message.notes.transfer_label_false) return;
  const bool all = transfer_start_.look(*message.body, Judge::look_ahead(transfer.inner), start_);
  auto shown = judge_->shows(transfer.inner.back(), start_, all);
  if (shown == Judge::Answer::more) shown = judge_->shows(transfer.inner.back(), start_, true);
  if (shown == Judge::Answer::no || policy_->framing == http::FramingMode::curl) {
    message.notes.inner_label_false = true;
    return;
  }
  // Too many of them are an Error of the content.
  static_cast<void>(unframe.decoder.use(transfer.inner, *message.log));
  unframe.decoded = true;
  transfer_start_.rewind();
  message.body->undone({transfer.inner.size(), unframe.decoder.coded_size()});
}

/// The content of a length stands in the window: it is looked at there.
Status CodingDecision::judge_front(http::Message& message, Input& input) {
  const std::size_t most = static_cast<std::size_t>(
      std::min<std::uint64_t>(message.notes.declared, Judge::look_ahead(message.notes.codings)));
  while (true) {
    const std::string_view start = input.window().substr(0, most);
    const bool all = start.size() == message.notes.declared || input.at_end();
    if (judge_->settle(message, start, all)) return {};
    if (auto done = input.fill(); !done) return done;
  }
}

}  // namespace rehead::format
