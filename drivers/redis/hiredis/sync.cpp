#include <sys/socket.h>

#include "drivers/redis/hiredis/session_internal.hpp"
#include "drivers/socket_wait.hpp"

namespace dbdyno {

using namespace hiredis;

hiredis_sync::hiredis_sync(const connect_options& options, reply_memory memory)
    : pool_(make_pool(memory, options)),
      context_(connect(memory, options)),
      reply_(nullptr, free_reply{memory}),
      value_size_(options.value_size),
      multiget_(options.multiget_keys),
      cells_(cells_capacity(options)),
      fd_(context_->fd),
      spin_(options.spin) {
  if (pool_) pool_->serve(*context_);
}

op_status hiredis_sync::get(const key& k, std::string_view& out) noexcept {
  if (context_->err != 0) [[unlikely]]
    return refuse_when_dead();
  const char* words[] = {"GET", k.text().data()};
  const std::size_t sizes[] = {3, k.text().size()};
  reply_.reset(exchange(2, words, sizes));
  if (reply_ != nullptr && reply_->type == REDIS_REPLY_STRING) [[likely]] {
    out = {reply_->str, reply_->len};
    return op_status::ok;
  }
  return explain_answer(request_kind::get, 2, words, sizes, out);
}

op_status hiredis_sync::set(const key& k, std::string_view value) noexcept {
  if (value.size() > value_size_) {
    error_ = value_too_long;
    return op_status::too_large;
  }
  std::string_view none;
  if (context_->err != 0) [[unlikely]]
    return refuse_when_dead();
  command words = set_command(k, value);
  reply_.reset(exchange(words.count, words.words.data(), words.sizes.data()));
  return explain_answer(request_kind::set, words.count, words.words.data(), words.sizes.data(), none);
}

void hiredis_sync::interrupt() const noexcept {
  ::shutdown(fd_, SHUT_RDWR);
}

std::vector<int> hiredis_sync::sockets() const {
  return context_->err != 0 ? std::vector<int>{} : std::vector<int>{fd_};
}

op_status hiredis_sync::refuse_when_dead() noexcept {
  // A context that failed once could hand out the replies of earlier requests.
  error_ = context_->errstr;
  return op_status::unsent;
}

op_status hiredis_sync::explain_answer(request_kind kind, int count, const char** words,
                                       const std::size_t* sizes, std::string_view& value) noexcept {
  std::string_view refusal;
  if (reply_ != nullptr) [[likely]]
    return status_of(kind, *reply_, value, refusal, error_);

  char* whole = nullptr;
  const int size = redisFormatCommandArgv(&whole, count, words, sizes);
  redisFreeCommand(whole);
  return lost(size);
}

redisReply* hiredis_sync::exchange(int count, const char** words, const std::size_t* sizes) noexcept {
  if (!spin_) return static_cast<redisReply*>(redisCommandArgv(context_.get(), count, words, sizes));
  void* reply = nullptr;
  if (redisAppendCommandArgv(context_.get(), count, words, sizes) != REDIS_OK || !spin_until_answered() ||
      redisGetReply(context_.get(), &reply) != REDIS_OK)
    return nullptr;
  return static_cast<redisReply*>(reply);
}

bool hiredis_sync::spin_until_answered() noexcept {
  int all_written = 0;
  while (all_written == 0) {
    if (redisBufferWrite(context_.get(), &all_written) != REDIS_OK) return false;
  }
  return wait_for_socket(fd_, POLLIN, time_point::max(), true);
}

op_status hiredis_sync::lost(int request_size) noexcept {
  error_ = context_->errstr;
  if (context_->err == REDIS_ERR_PROTOCOL) return op_status::protocol;
  const bool nothing_written =
      request_size >= 0 && sdslen(context_->obuf) == static_cast<std::size_t>(request_size);
  return nothing_written ? op_status::unsent : op_status::disconnected;
}

op_status hiredis_sync::read_rows(std::string_view& out) noexcept {
  if (context_->err != 0) return refuse_when_dead();
  for (std::size_t row = 1; row <= rows_read; ++row) {
    if (redisAppendCommand(context_.get(), "HGETALL %b%d", row_key_prefix.data(), row_key_prefix.size(),
                           static_cast<int>(row)) != REDIS_OK) {
      error_ = context_->errstr;
      return op_status::unsent;
    }
  }
  const auto size = static_cast<int>(sdslen(context_->obuf));
  if (spin_ && !spin_until_answered()) return lost(size);
  op_status status = op_status::ok;
  cells_.clear();
  for (std::size_t row = 0; row < rows_read; ++row) {
    void* raw = nullptr;
    if (redisGetReply(context_.get(), &raw) != REDIS_OK) return lost(size);
    reply_.reset(static_cast<redisReply*>(raw));
    if (status == op_status::ok) status = take_row(*reply_, cells_, error_);
  }
  if (status == op_status::ok) out = cells_.view();
  return status;
}

op_status hiredis_sync::multiget(std::span<const key> keys, std::string_view& out) noexcept {
  if (context_->err != 0) return refuse_when_dead();
  multiget_.fill(keys);
  reply_.reset(exchange(multiget_.count(), multiget_.words(), multiget_.sizes()));
  if (reply_ == nullptr) {
    char* whole = nullptr;
    const int size = redisFormatCommandArgv(&whole, multiget_.count(), multiget_.words(), multiget_.sizes());
    redisFreeCommand(whole);
    return lost(size);
  }
  const op_status status = take_values(*reply_, cells_, error_);
  if (status == op_status::ok) out = cells_.view();
  return status;
}

}  // namespace dbdyno
