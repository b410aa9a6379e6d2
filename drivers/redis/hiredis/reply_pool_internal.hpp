#pragma once

#include <hiredis/hiredis.h>

#include <string>

/// Includes hiredis.h: for this folder's sources only.
namespace dbdyno::hiredis {

/// The memory of one reply, used for every one of them: hiredis' reply functions, which its readers call
/// instead of making reply objects.
///
/// The text is copied, once: hiredis moves what it has read before it hands a reply over. A reply is good
/// until the next one is read. Of an array there is only the outermost level, without its elements.
/// Lifetime: outlives the contexts it serves, and stays where it is.
class reply_pool {
 public:
  /// text_size: bytes of the longest text expected; a longer one allocates.
  explicit reply_pool(std::size_t text_size) { text_.reserve(text_size); }
  reply_pool(const reply_pool&) = delete;
  reply_pool& operator=(const reply_pool&) = delete;

  /// From now on the context's replies are made here.
  void serve(redisContext& context) noexcept {
    context.reader->fn = functions();
    context.reader->privdata = this;
    // A reader that has looked for a reply in vain has begun its next one already.
    context.reader->rstack[0].privdata = this;
  }

 private:
  static redisReplyObjectFunctions* functions() noexcept {
    static redisReplyObjectFunctions all = [] {
      redisReplyObjectFunctions out{};
      out.createString = create_string;
      out.createArray = create_array;
      out.createInteger = create_integer;
      out.createNil = create_nil;
      out.freeObject = [](void*) {};
      return out;
    }();
    return &all;
  }

  static void* create_string(const redisReadTask* task, char* text, size_t size) noexcept {
    reply_pool& self = of(task);
    if (task->parent != nullptr) return &self.element_;
    self.text_.assign(text, size);
    self.reply_.str = self.text_.data();
    self.reply_.len = size;
    return self.make(task);
  }
  static void* create_array(const redisReadTask* task, int) noexcept {
    reply_pool& self = of(task);
    if (task->parent != nullptr) return &self.element_;
    self.reply_.elements = 0;
    return self.make(task);
  }
  static void* create_integer(const redisReadTask* task, long long value) noexcept {
    reply_pool& self = of(task);
    if (task->parent != nullptr) return &self.element_;
    self.reply_.integer = value;
    return self.make(task);
  }
  static void* create_nil(const redisReadTask* task) noexcept {
    reply_pool& self = of(task);
    if (task->parent != nullptr) return &self.element_;
    self.reply_.type = REDIS_REPLY_NIL;
    return &self.reply_;
  }

  static reply_pool& of(const redisReadTask* task) noexcept {
    return *static_cast<reply_pool*>(task->privdata);
  }
  redisReply* make(const redisReadTask* task) noexcept {
    reply_.type = task->type;
    return &reply_;
  }

  redisReply reply_{};
  redisReply element_{};  ///< stands for all elements of an array
  std::string text_;
};

}  // namespace dbdyno::hiredis
