// One content coding applied. What decides how a body is coded is in the message alone, never in
// how it came in: content of up to 1 MiB is collected and coded in one go; longer or live content
// goes through in blocks. A live body is flushed at every idle, so that a reader can decode what is
// there.
#include <string>

#include "codec/blocks.h"
#include "codec/coder.h"
#include "codec/content_coding.h"

namespace rehead::codec {
namespace {

constexpr std::size_t kWhole = std::size_t{1} << 20;
constexpr std::size_t kBlock = std::size_t{64} << 10;

int usual_level(http::Coding coding) {
  return coding == http::Coding::zstd ? 3 : coding == http::Coding::br ? 5 : 6;
}

}  // namespace

struct Encoder::State {
  static constexpr std::size_t kMost = kWhole + kBlock;            // collected before it is coded
  static constexpr std::size_t kRoom = kMost + kMost / 16 + 4096;  // no coding makes more of it

  /// Takes the next block and sets what is to be done about it.
  Status advance();
  void code(std::string_view bytes, Flush how, std::size_t room_for_it) {
    in = bytes;
    flush = how;
    room = room_for_it;
    coding = true;
    unflushed = how == Flush::none;
  }

  std::unique_ptr<Coder> coder;
  Blocks blocks;
  bool live = false;
  bool collecting = false;  // until it is known whether the content ends within kWhole
  std::string whole;        // what was collected

  bool coding = false;  // the coder is not done with `in` and `flush`
  std::string_view in;
  Flush flush = Flush::none;
  bool unflushed = false;             // the coder may hold bytes that were not made decodable yet
  bool begun = false;                 // the coder had input
  bool idle = false;                  // to be passed on once the coder is done
  bool ended = false;                 // so is the end
  std::optional<Error> failure = {};  // of the body

  std::unique_ptr<char[]> out = std::make_unique_for_overwrite<char[]>(kRoom);
  std::size_t room = 0;  // of `out`, for one call
};

Status Encoder::State::advance() {
  if (failure) return fail(*failure);
  auto block = blocks.next();
  if (!block) {
    // What came before the Error can be decoded; without the coding's end it stays cut.
    failure = std::move(block.error());
    if (begun) code(collecting ? whole : std::string_view{}, Flush::sync, kBlock);
    collecting = false;
    return {};
  }
  idle = block->after == Block::After::idle;
  ended = block->after == Block::After::end;
  begun = begun || !block->bytes.empty();
  if (!begun) return {};  // no content: no bytes at all, not even a coder's header
  if (collecting) {
    whole += block->bytes;
    collecting = !ended && whole.size() <= kWhole;
    if (!collecting) code(whole, ended ? Flush::end : Flush::none, ended ? kRoom : kBlock);
  } else if (ended) {
    code(block->bytes, Flush::end, kBlock);
  } else if (idle && live) {
    if (!block->bytes.empty() || unflushed) code(block->bytes, Flush::sync, kBlock);
  } else if (!block->bytes.empty()) {
    code(block->bytes, Flush::none, kBlock);
  }
  return {};
}

Encoder::Encoder(http::Coding coding, std::optional<int> level)
    : state_(std::make_unique<State>()) {
  state_->coder = make_coder(coding, level.value_or(usual_level(coding)));
  state_->whole.reserve(State::kMost);
}
Encoder::~Encoder() = default;

void Encoder::use(bool live) { state_->live = live; }

void Encoder::attach(ByteSource& upstream) {
  State& state = *state_;
  state.coder->start(state.live);
  state.blocks.start(upstream, kBlock, state.live);
  state.whole.clear();
  state.collecting = !state.live;
  state.failure.reset();
  state.coding = state.unflushed = state.begun = state.idle = state.ended = false;
}

Result<Piece> Encoder::pull() {
  State& state = *state_;
  while (true) {
    if (state.coding) {
      auto did = state.coder->run(state.in, {state.out.get(), state.room}, state.flush);
      if (!did) return fail(std::move(did.error()));
      state.in.remove_prefix(did->taken);
      state.coding = did->then != Progress::Then::done;
      if (did->given != 0) return Piece{Piece::Kind::bytes, {state.out.get(), did->given}};
    } else if (state.idle) {
      state.idle = false;
      return Piece{Piece::Kind::idle};
    } else if (state.ended) {
      return Piece{};
    } else if (auto done = state.advance(); !done) {
      return fail(std::move(done.error()));
    }
  }
}

}  // namespace rehead::codec
