#include "pipeline/watch.h"

#include "http/framing.h"

namespace rehead {
namespace {

using http::Delivery;

std::uint64_t number_of(const http::Exchange& exchange) {
  if (!exchange.alone()) return exchange.number;
  const http::Message* message =
      exchange.response != nullptr ? exchange.response : exchange.request;
  return message != nullptr ? message->notes.number : 0;
}

/// The messages in the places of ExchangeChange::sides.
std::array<http::Message*, 2> sides_of(const http::Exchange& exchange) {
  if (!exchange.alone()) return {exchange.request, exchange.response};
  return {exchange.response != nullptr ? exchange.response : exchange.request, nullptr};
}

std::string bytes(std::uint64_t size) {
  return std::to_string(size) + (size == 1 ? " byte" : " bytes");
}

/// True if a step asked for another body, or for another framing than there is.
bool body_changed(const http::Message& message) {
  if (message.body == nullptr) return false;
  const Delivery& delivery = message.delivery;
  const bool chunked = message.notes.framing == http::Framing::chunked;
  const bool framed =
      (delivery.framing == Delivery::Framing::chunked && (!chunked || delivery.chunk_size != 0)) ||
      (delivery.framing == Delivery::Framing::length &&
       message.notes.framing != http::Framing::length);
  const bool trailers = chunked && delivery.trailers != Delivery::Trailers::keep;
  return message.body->touched() || framed || trailers || delivery.discarded;
}

std::string body_as_read(const http::Message& message) {
  if (message.body == nullptr) return {};
  if (message.notes.framing == http::Framing::chunked) return "chunked";
  const auto size = message.body->size();
  return size ? bytes(*size) : "to the end";
}

/// After it was written.
std::string body_as_written(const http::Message& message) {
  if (http::transfer_codings(message.headers).chunked_last) return "chunked";
  const auto length = http::content_length(message.headers);
  if (length && *length) return bytes(**length);
  const auto size = message.body->size();
  return size ? bytes(*size) : "recoded";
}

std::string_view without_end(std::string_view line) {
  if (line.ends_with('\n')) line.remove_suffix(1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

/// Roughly the bytes it takes.
std::size_t weight(const ExchangeChange& change) {
  std::size_t sum = sizeof change;
  for (const Change& side : change.sides) {
    if (side.there) sum += side.before.bytes();
  }
  return sum;
}

}  // namespace

void HeadText::Lines::clear() {
  text.clear();
  ends.clear();
}

void HeadText::clear() {
  meant_.clear();
  stored_.clear();
  line_end_ = LineEnd::none;
}

void HeadText::take(const http::Message& message) {
  clear();
  std::string& text = meant_.text;
  if (message.kind == http::Kind::request) {
    text.append(message.start.method()).append(" ").append(message.start.target());
    text.append(" ").append(message.start.version());
  } else {
    text.append(message.start.version()).append(" ").append(std::to_string(message.start.status()));
    if (!message.start.reason().empty()) text.append(" ").append(message.start.reason());
  }
  meant_.end_line();
  for (const http::Field& field : message.headers) {
    text.append(field.name()).append(": ").append(field.value());
    meant_.end_line();
  }
}

void HeadText::spell_as_stored(const http::Message& message) {
  const auto add = [&](std::string_view as_read, std::string_view as_meant) {
    stored_.text += as_read.empty() ? as_meant : without_end(as_read);
    stored_.end_line();
  };
  std::size_t line = 0;
  add(message.start.as_read(), (*this)[line++]);
  for (const http::Field& field : message.headers) {
    const bool as_read = field.line_size != 0 && !field.has(http::Field::odd);
    add(as_read ? field.line() : std::string_view(), (*this)[line++]);
  }
  if (message.notes.head_complete) stored_.end_line();
  line_end_ = message.notes.lf_head ? LineEnd::lf : LineEnd::crlf;
}

std::string_view HeadText::operator[](std::size_t line) const {
  const Lines& lines = shown();
  const std::size_t begin = line == 0 ? 0 : lines.ends[line - 1];
  return std::string_view(lines.text).substr(begin, lines.ends[line] - begin);
}

class Watch::WatchedSource final : public format::Source {
 public:
  WatchedSource(Watch& watch, std::unique_ptr<format::Source> source)
      : watch_(watch), source_(std::move(source)) {}
  Result<http::Exchange*> next() override {
    auto next = source_->next();
    // Beyond what is wanted the run would not have read.
    if (!next && watch_.beyond_) return nullptr;
    if (next && *next != nullptr && !(*next)->passage) watch_.read(**next);
    return next;
  }

 private:
  Watch& watch_;
  std::unique_ptr<format::Source> source_;
};

class Watch::WatchedSink final : public format::Sink {
 public:
  WatchedSink(Watch& watch, std::unique_ptr<format::Sink> sink)
      : watch_(watch), sink_(std::move(sink)) {}
  Status write(http::Exchange& exchange) override { return watch_.write(exchange, *sink_); }
  bool left_out() const override { return sink_->left_out(); }
  Status pass(const http::Exchange& passage) override { return sink_->pass(passage); }
  bool wants_rest() const override {
    const bool wants = sink_->wants_rest();
    watch_.beyond_ = !wants;
    return wants || watch_.tell_;
  }
  bool wants_end() const override { return sink_->wants_end(); }
  Status end_input(std::string_view name) override { return sink_->end_input(name); }
  void input_broke_off() override { sink_->input_broke_off(); }
  Status finish() override { return sink_->finish(); }

 private:
  Watch& watch_;
  std::unique_ptr<format::Sink> sink_;
};

std::unique_ptr<format::Source> Watch::around(std::unique_ptr<format::Source> source) {
  return std::make_unique<WatchedSource>(*this, std::move(source));
}

std::unique_ptr<format::Sink> Watch::around(std::unique_ptr<format::Sink> sink) {
  return std::make_unique<WatchedSink>(*this, std::move(sink));
}

void Watch::take(const http::Message& message, HeadText& text) const {
  text.take(message);
  if (lines_) text.spell_as_stored(message);
}

void Watch::read(const http::Exchange& exchange) {
  // What is held back longer than this is taken for left out. Only `last` behind a choice may still
  // give it; where nobody is told, equal bytes then say that nothing changed.
  constexpr std::size_t kHeldBack = std::size_t{8} << 20;
  while (held_back_ > kHeldBack) leave_out_before(pending_.front().number + 1);
  if (!wanted()) return;
  ExchangeChange& change = pending_.emplace_back(std::move(spare_));
  change.number = number_of(exchange);
  change.alone = exchange.alone();
  change.dropped = false;
  const auto messages = sides_of(exchange);
  for (std::size_t i = 0; i < messages.size(); ++i) {
    Change& side = change.sides[i];
    side.there = messages[i] != nullptr;
    if (!side.there) continue;
    side.line = lines_ ? messages[i]->notes.line.value_or(0) : 0;
    take(*messages[i], side.before);
    side.body_before = tell_ ? body_as_read(*messages[i]) : "";
    side.body_after.clear();
  }
  held_back_ += weight(change);
}

void Watch::leave_out_before(std::uint64_t number) {
  while (!pending_.empty() && pending_.front().number < number) {
    step_changed_ = true;
    ExchangeChange& change = pending_.front();
    change.dropped = true;
    for (Change& side : change.sides) {
      side.after.clear();
      side.new_line = lines_ ? lines_() + 1 : 0;
    }
    if (tell_) tell_(change);
    held_back_ -= weight(change);
    pending_.pop_front();
  }
}

Status Watch::write(http::Exchange& exchange, format::Sink& sink) {
  if (!wanted()) return sink.write(exchange);
  leave_out_before(number_of(exchange));
  if (pending_.empty() || pending_.front().number != number_of(exchange)) {
    return sink.write(exchange);
  }
  held_back_ -= weight(pending_.front());
  spare_ = std::move(pending_.front());
  pending_.pop_front();
  const auto messages = sides_of(exchange);
  std::array<bool, 2> bodies{};
  if (exchange.as_read != nullptr && exchange.as_read->mirrored_changed()) step_changed_ = true;
  for (std::size_t i = 0; i < messages.size(); ++i) {
    if (!spare_.sides[i].there || messages[i] == nullptr) continue;
    take(*messages[i], now_);
    bodies[i] = body_changed(*messages[i]);
    step_changed_ = step_changed_ || bodies[i] || now_ != spare_.sides[i].before;
  }
  const std::uint64_t lines = lines_ ? lines_() : 0;
  auto done = sink.write(exchange);
  if (!tell_ || !done) return done;
  bool changed = false;
  for (std::size_t i = 0; i < messages.size(); ++i) {
    Change& side = spare_.sides[i];
    if (!side.there || messages[i] == nullptr) continue;
    side.new_line = lines_ ? lines + 1 : 0;
    take(*messages[i], side.after);
    if (bodies[i]) side.body_after = body_as_written(*messages[i]);
    changed = changed || bodies[i] || side.before != side.after;
  }
  if (changed) tell_(spare_);
  return done;
}

}  // namespace rehead
