// Content codings undone, one stage a coding: the outermost reads the body, each other one reads
// the stage before it.
//
//   body --> blocks --> members --> blocks --> members --> content
//            \___ outermost ___/    \_____ next _____/
//
// Limits hold for what every stage gives, not for the last alone: a body may
// expand in the middle of its chain and come to nothing at its end.
#include <utility>
#include <vector>

#include "codec/blocks.h"
#include "codec/content_coding.h"
#include "codec/judge.h"
#include "codec/members.h"
#include "http/field_value.h"

namespace rehead::codec {
namespace {

constexpr std::size_t kCoded = std::size_t{64} << 10;
constexpr std::size_t kContent = std::size_t{64} << 10;  // near enough to stay in a cache
constexpr std::size_t kWhole = std::size_t{256} << 10;   // where all coded bytes are there at once

/// What all stages of one body share.
struct Shared {
  const http::Policy* policy = nullptr;
  Diagnostics* log = nullptr;
  Judge judge;
  // Bytes of the transfer codings that were undone before; null if there were none.
  const std::uint64_t* beneath = nullptr;
  http::Coding content = http::Coding::other;  // what the media type says the content is coded in
};

/// Their expansion is bounded by the format, so that a ratio shows a bomb; br and zstd are bounded
/// by the size alone.
bool is_deflate(http::Coding coding) {
  return coding == http::Coding::gzip || coding == http::Coding::deflate;
}

class Stage final : public ByteSource {
 public:
  /// `outer` is the stage before it, null for the outermost; `inner`: there is one behind it.
  void start(http::Coding coding, ByteSource& upstream, const Stage* outer, bool inner,
             Shared& shared) {
    if (!content_) content_ = std::make_unique_for_overwrite<char[]>(kWhole);
    shared_ = &shared;
    outer_ = outer;
    inner_ = inner;
    given_ = taken_ = 0;
    in_ = {};
    ended_ = repeat_ = as_it_is_ = false;
    first_ = true;
    use(coding);
    http::Codings judged;
    if (outer != nullptr) judged.push_back(coding);
    blocks_.start(upstream, kCoded, true, Judge::look_ahead(judged));
  }

  /// Bytes of coded data so far.
  const std::uint64_t* taken() const { return &taken_; }

  Result<Piece> pull() override {
    while (!ended_) {
      if (first_ && !in_.bytes.empty()) {
        first_ = false;
        if (auto done = look(); !done) return fail(std::move(done.error()));
      }
      if (as_it_is_ && !in_.bytes.empty()) {
        taken_ += in_.bytes.size();
        return Piece{Piece::Kind::bytes, std::exchange(in_.bytes, {})};
      }
      if (repeat_ || !in_.bytes.empty()) {
        auto content = decode();
        if (!content) return stop(std::move(content.error()));
        if (!content->empty()) return Piece{Piece::Kind::bytes, *content};
        continue;
      }
      if (in_.after == Block::After::idle) {
        in_.after = Block::After::more;
        return Piece{Piece::Kind::idle};
      }
      if (in_.after == Block::After::end) return finish();
      auto block = blocks_.next();
      if (!block) return fail(std::move(block.error()));
      in_ = *block;
    }
    return Piece{};
  }

 private:
  void use(http::Coding coding) {
    coding_ = coding;
    members_.start(coding);
    ratio_to_ = &taken_;
    if (outer_ == nullptr && shared_->beneath != nullptr) ratio_to_ = shared_->beneath;
    if (outer_ != nullptr && is_deflate(outer_->coding_)) ratio_to_ = outer_->ratio_to_;
  }

  /// What an outer coding gave is judged as a body is. The outermost is known to be there; its
  /// magic is looked at all the same, for it costs nothing.
  Status look() {
    const bool all = in_.after == Block::After::end;
    if (outer_ == nullptr) {
      as_it_is_ = magic(coding_, in_.bytes, all) == Magic::refuted;
    } else {
      as_it_is_ = shared_->judge.shows(coding_, in_.bytes, all) == Judge::Answer::no;
    }
    if (!as_it_is_) return {};
    std::string what = "the content is not coded as " + std::string(token_of(coding_));
    if (shared_->policy->strict()) return fail({Errc::transform, "coding-false", std::move(what)});
    const http::Coding shown = coding_shown(in_.bytes);
    const bool other = shown != http::Coding::other && shown != shared_->content && !inner_;
    if (other) {
      use(shown);
      as_it_is_ = false;
    }
    what += other ? " but as " + std::string(token_of(shown)) : "; kept";
    shared_->log->report({.level = Level::warning, .id = "coding-false", .what = std::move(what)});
    return {};
  }

  Result<std::string_view> decode() {
    const Flush flush = in_.after == Block::After::end ? Flush::end : Flush::none;
    const std::size_t room = flush == Flush::end ? kWhole : kContent;
    auto did = members_.run(in_.bytes, {content_.get(), room}, flush);
    if (!did) return fail(std::move(did.error()));
    in_.bytes.remove_prefix(did->taken);
    repeat_ = did->then == Progress::Then::repeat;
    taken_ += did->taken;
    given_ += did->given;
    const http::Limits& limits = shared_->policy->limits;
    if (given_ > limits.max_body) {
      return fail(
          {Errc::limit, "content-size",
           "the decoded content is larger than " + std::to_string(limits.max_body) + " bytes",
           "--max-body raises the limit"});
    }
    const bool counts = is_deflate(coding_) && given_ > limits.ratio_free;
    if (counts && given_ / limits.max_ratio > *ratio_to_) {
      return fail({Errc::limit, "content-ratio",
                   "the decoded content is more than " + std::to_string(limits.max_ratio) +
                       " times as large as the coded bytes"});
    }
    return std::string_view(content_.get(), did->given);
  }

  Result<Piece> finish() {
    if (!members_.complete()) {
      return stop({Errc::transform, "coding-cut",
                   "the " + std::string(token_of(coding_)) + " data ends early",
                   "--lenient keeps what came"});
    }
    if (members_.junk() != 0) {
      shared_->log->report({.level = Level::warning,
                            .id = "coding-junk",
                            .what = std::to_string(members_.junk()) + " bytes behind the " +
                                    std::string(token_of(coding_)) + " data dropped"});
    }
    ended_ = true;
    return Piece{};
  }

  /// The coded data is no good from here on.
  Result<Piece> stop(Error error) {
    if (error.code != Errc::transform || !shared_->policy->lenient()) {
      return fail(std::move(error));
    }
    shared_->log->report({.level = Level::warning,
                          .id = error.id,
                          .what = std::move(error.what) + "; what came before is kept"});
    ended_ = true;
    return Piece{};
  }

  Blocks blocks_;
  Members members_;
  http::Coding coding_ = http::Coding::other;
  Shared* shared_ = nullptr;
  const Stage* outer_ = nullptr;
  bool inner_ = false;
  std::uint64_t taken_ = 0, given_ = 0;      // bytes
  const std::uint64_t* ratio_to_ = nullptr;  // bytes that went into this run of gzip and deflate
  Block in_;                                 // what is still to be decoded
  bool first_ = true;                        // no byte was seen yet
  bool as_it_is_ = false;                    // the bytes are not coded
  bool repeat_ = false;                      // there may be content without further input
  bool ended_ = false;
  std::unique_ptr<char[]> content_;
};

}  // namespace

struct Decoder::State {
  Shared shared;
  std::vector<http::Coding> codings;
  std::vector<std::unique_ptr<Stage>> stages;  // outermost coding first; kept over messages
  ByteSource* content = nullptr;
};

Decoder::Decoder(const http::Policy& policy) : state_(std::make_unique<State>()) {
  state_->shared.policy = &policy;
}
Decoder::~Decoder() = default;

Result<std::size_t> Decoder::use(std::span<const http::Coding> codings, Diagnostics& log) {
  return use(codings, log, {}, http::Coding::other);
}

Result<std::size_t> Decoder::use(const http::Message& message) {
  const http::Undone beneath = message.body != nullptr ? message.body->undone() : http::Undone{};
  const std::span<const http::Coding> codings = message.notes.codings;
  return use(message.notes.slice ? codings.first(0) : codings, *message.log, beneath,
             coding_of_type(http::media_type(message.headers)));
}

Result<std::size_t> Decoder::use(std::span<const http::Coding> codings, Diagnostics& log,
                                 http::Undone beneath, http::Coding content) {
  State& state = *state_;
  const std::size_t most = state.shared.policy->limits.max_codings;
  if (codings.size() + beneath.codings > most) {
    return fail(
        {Errc::limit, "codings", "more than " + std::to_string(most) + " codings on one body"});
  }
  std::size_t left = codings.size();
  while (left != 0 && codings[left - 1] != http::Coding::other) --left;
  state.codings.assign(codings.begin() + static_cast<std::ptrdiff_t>(left), codings.end());
  state.shared.log = &log;
  state.shared.beneath = beneath.coded;
  state.shared.content = content;
  return left;
}

void Decoder::attach(ByteSource& upstream) {
  State& state = *state_;
  Stats* stats = state.shared.policy->stats;
  if (stats != nullptr && !state.codings.empty()) ++stats->bodies_decoded;
  state.content = &upstream;
  const std::size_t size = state.codings.size();
  for (std::size_t i = 0; i < size; ++i) {
    if (i == state.stages.size()) state.stages.push_back(std::make_unique<Stage>());
    Stage& stage = *state.stages[i];
    stage.start(state.codings[size - 1 - i], *state.content,
                i == 0 ? nullptr : state.stages[i - 1].get(), i + 1 != size, state.shared);
    state.content = &stage;
  }
}

Result<Piece> Decoder::pull() { return state_->content->pull(); }

const std::uint64_t* Decoder::coded_size() const {
  return state_->codings.empty() ? nullptr : state_->stages.front()->taken();
}

}  // namespace rehead::codec
