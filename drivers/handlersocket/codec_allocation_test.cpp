#include <gtest/gtest.h>

#include <cstdlib>
#include <new>
#include <string>
#include <string_view>

#include "drivers/handlersocket/codec.hpp"

namespace {

std::size_t allocations = 0;

}  // namespace

void* operator new(std::size_t size) {
  ++allocations;
  if (void* const memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}

namespace dbdyno {
namespace {

TEST(handlersocket_codec_allocations, none_for_requests_and_replies) {
  const connect_options options{.where = parse_target("handlersocket://127.0.0.1:9998/hs_test?wr=9999"),
                                .value_size = 1024};
  handlersocket_codec codec(options);
  std::string out(handlersocket_codec::request_capacity(options), '\0');
  const std::string clean(1024, 'x');
  const std::string awkward = std::string(500, '\n') + "\xe2\x82\xac";
  const std::string unstorable = std::string(500, 'x') + "\xff";
  std::string replies[] = {"0\t1\t" + clean + "\n", "0\t1\ta\x01Ib\n", "0\t1\n",         "0\t1\t1\n",
                           "2\t1\treadonly\n",      "0\t1\t" + clean,  "nothing of it\n"};
  const key k(42, 0);

  const std::size_t before = allocations;
  std::size_t work = 0;
  for (const std::string_view value :
       {std::string_view(clean), std::string_view(awkward), std::string_view(unstorable)}) {
    work += codec.check(value) == op_status::ok ? 1 : 0;
    work += static_cast<std::size_t>(codec.append_set(out.data(), k, value) - out.data());
    work += static_cast<std::size_t>(codec.append_get(out.data(), k) - out.data());
  }
  for (std::string& reply : replies) {
    work += codec.decode(op_kind::get, reply.data(), reply.data() + reply.size()).consumed;
    work += codec.decode(op_kind::set, reply.data(), reply.data() + reply.size()).consumed;
  }
  EXPECT_EQ(allocations - before, 0U);
  EXPECT_GT(work, 0U);
}

TEST(handlersocket_codec_allocations, would_be_counted) {
  const std::size_t before = allocations;
  EXPECT_EQ(std::string(100, 'x').size(), 100U);
  handlersocket_codec(
      connect_options{.where = parse_target("handlersocket://127.0.0.1:9998/hs_test?wr=9999")})
      .error_text();
  EXPECT_GT(allocations, before);
}

}  // namespace
}  // namespace dbdyno
