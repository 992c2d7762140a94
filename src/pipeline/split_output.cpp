#include "pipeline/split_output.h"

#include <algorithm>
#include <utility>

#include "base/ascii.h"
#include "format/har_entry.h"
#include "http/pseudo_field.h"
#include "pipeline/output.h"

namespace rehead {
namespace {

constexpr std::size_t kOpen = 16;  // files at a time

}  // namespace

/// What the sink of one name writes into. The file is made for its first byte.
class SplitOutput::Part final : public ByteSink {
 public:
  Part(SplitOutput& owner, std::string name) : owner_(owner), name_(std::move(name)) {}
  ~Part() override { std::erase(owner_.open_, this); }

  Status write(std::string_view bytes) override {
    if (bytes.empty() || !owner_.lost_) return owner_.lost_;
    if (auto done = open(); !done) return done;
    return settle(output_->sink().write(bytes));
  }
  Status flush() override { return is_open_ ? settle(output_->sink().flush()) : owner_.lost_; }
  /// Gives the file its name; without a byte there is none.
  Status commit() {
    if (!output_ || !owner_.lost_) return owner_.lost_;
    if (auto done = open(); !done) return done;
    if (auto done = settle(output_->commit()); !done) return done;
    owner_.written_ += output_->written();
    if (owner_.to_->single) owner_.done_.insert(name_);
    output_.reset();
    std::erase(owner_.open_, this);
    is_open_ = false;
    return {};
  }
  std::uint64_t written() const { return output_ ? output_->written() : 0; }

  std::unique_ptr<format::Sink> sink;

 private:
  Status open() {
    if (is_open_) return {};
    if (owner_.done_.contains(name_)) {
      return fail({Errc::transform, "output-twice",
                   "a second message for the file " + ascii::quoted(name_, name_.size()),
                   "put {entry} or {message} into the name, {file} too if there are several"});
    }
    if (owner_.open_.size() == kOpen) {
      Part* const oldest = owner_.open_.front();
      owner_.open_.erase(owner_.open_.begin());
      oldest->is_open_ = false;
      if (auto done = oldest->settle(oldest->output_->park()); !done) return done;
    }
    if (output_) {
      if (auto done = settle(output_->resume()); !done) return done;
    } else {
      auto opened = Output::open_part(name_);
      if (!opened) return settle(fail(std::move(opened.error())));
      output_ = std::move(*opened);
    }
    owner_.open_.push_back(this);
    is_open_ = true;
    return {};
  }
  /// Remembers an error, which is one of the system, and says which file it is about.
  Status settle(Status done) {
    if (done) return done;
    done.error().what = ascii::quoted(name_, name_.size()) + ": " + done.error().what;
    return owner_.lost_ = std::move(done);
  }

  SplitOutput& owner_;
  std::string name_;
  std::unique_ptr<Output> output_;
  bool is_open_ = false;
};

/// Sends each exchange where it belongs.
class SplitOutput::SplitSink final : public format::Sink {
 public:
  explicit SplitSink(SplitOutput& owner) : owner_(owner) {}

  Status write(http::Exchange& exchange) override;
  Status pass(const http::Exchange& passage) override;
  bool wants_rest() const override {
    return std::ranges::any_of(owner_.order_,
                               [](const auto& part) { return part->sink->wants_rest(); });
  }
  Status end_input(std::string_view name) override {
    host_.clear();
    before_.clear();
    before_size_ = 0;
    return each([&](format::Sink& sink) { return sink.end_input(name); });
  }
  void input_broke_off() override {
    for (const auto& part : owner_.order_) part->sink->input_broke_off();
  }
  Status finish() override {
    return each([](format::Sink& sink) { return sink.finish(); });
  }

 private:
  template <typename Do>
  Status each(Do what) {
    for (const auto& part : owner_.order_) {
      if (auto done = what(*part->sink); !done) return done;
    }
    return {};
  }
  Result<Part*> part_for(std::string name);
  Status keep(const http::Exchange& passage);

  SplitOutput& owner_;
  std::string host_;  // of the request before, for the response that follows it on its own
  std::vector<std::unique_ptr<http::AsRead>> before_;  // passages of this document so far
  std::size_t before_size_ = 0;                        // their bytes
};

Status SplitOutput::SplitSink::write(http::Exchange& exchange) {
  if (exchange.request != nullptr) {
    host_ = http::text_of(http::PseudoField::host, exchange, nullptr).value_or("");
  }
  std::string name = owner_.name_.name_for(exchange, owner_.setup_.selection.side, host_);
  if (!owner_.to_->single) {
    auto part = part_for(std::move(name));
    if (!part) return fail(std::move(part.error()));
    return (*part)->sink->write(exchange);
  }
  const auto part = owner_.make_part(std::move(name));
  if (auto done = part->sink->write(exchange); !done) return done;
  return part->commit();
}

Status SplitOutput::SplitSink::pass(const http::Exchange& passage) {
  if (passage.number != 0) return {};  // an entry that cannot be read has no name
  if (owner_.to_->entries) {
    if (auto done = keep(passage); !done) return done;
  }
  return each([&](format::Sink& sink) { return sink.pass(passage); });
}

/// A part that begins now learns what stands before the entries.
Result<SplitOutput::Part*> SplitOutput::SplitSink::part_for(std::string name) {
  Part*& part = owner_.parts_[name];
  if (part != nullptr) return part;
  owner_.order_.push_back(owner_.make_part(std::move(name)));
  part = owner_.order_.back().get();
  for (const auto& kept : before_) {
    const http::Exchange passage{.file = {}, .as_read = kept.get(), .passage = true};
    if (auto done = part->sink->pass(passage); !done) return fail(std::move(done.error()));
  }
  return part;
}

Status SplitOutput::SplitSink::keep(const http::Exchange& passage) {
  const auto* read = dynamic_cast<const format::HarEntry*>(passage.as_read);
  if (read == nullptr) return {};
  if (format::begins_document(passage)) {
    before_.clear();
    before_size_ = 0;
  }
  before_size_ += read->piece.lead.size() + read->piece.bytes.size();
  if (before_size_ > owner_.setup_.policy->limits.hold) {
    return fail({.code = Errc::limit,
                 .id = "har-members",
                 .what = "what stands around the entries is too long to be put into every file",
                 .hint = "raise it with --hold",
                 .byte = read->piece.offset});
  }
  before_.push_back(read->keep());
  return {};
}

SplitOutput::SplitOutput(NameTemplate name) : name_(std::move(name)) {}

SplitOutput::~SplitOutput() = default;

std::unique_ptr<format::Sink> SplitOutput::make_sink(const format::FormatInfo& to,
                                                     const format::SinkSetup& setup) {
  to_ = &to;
  setup_ = setup;
  if (to.entries) setup_.har_tools = format::make_har_tools(setup);
  return std::make_unique<SplitSink>(*this);
}

std::unique_ptr<SplitOutput::Part> SplitOutput::make_part(std::string name) {
  auto part = std::make_unique<Part>(*this, std::move(name));
  format::SinkSetup setup = setup_;
  setup.output = part.get();
  part->sink = to_->make_sink(setup);
  return part;
}

Status SplitOutput::flush() {
  for (Part* part : open_) {
    if (auto done = part->flush(); !done) return done;
  }
  return lost_;
}

std::uint64_t SplitOutput::written() const {
  std::uint64_t all = written_;
  for (const auto& part : order_) all += part->written();
  return all;
}

Status SplitOutput::commit() {
  for (const auto& part : order_) {
    if (auto done = part->commit(); !done) return done;
  }
  return lost_;
}

}  // namespace rehead
