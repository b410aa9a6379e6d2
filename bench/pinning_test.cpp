#include "bench/pinning.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <unistd.h>

#include <latch>
#include <thread>

#include "drivers/errors.hpp"

namespace dbdyno {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::vector<unsigned> four{0, 1, 2, 5};

TEST(pinning, is_what_the_text_says) {
  EXPECT_FALSE(parse_pinning("--pin", "none", four, 1).any());
  const pinning one = parse_pinning("--pin", "client=5,server=0-2", four, 1);
  EXPECT_THAT(one.client, ElementsAre(5));
  EXPECT_THAT(one.server, ElementsAre(0, 1, 2));
  EXPECT_EQ(to_string(one), "client=5,server=0+1+2");
  EXPECT_EQ(parse_pinning("--pin", to_string(one), four, 1), one);
  EXPECT_EQ(to_string(parse_pinning("--pin", "server=1+0", four, 1)), "server=1+0");
  EXPECT_EQ(to_string(pinning{}), "");
}

TEST(pinning, deals_the_cpus_by_itself) {
  EXPECT_EQ(to_string(parse_pinning("--pin", "auto", four, 1)), "client=5,server=0+1+2");
  EXPECT_EQ(to_string(parse_pinning("--pin", "auto", four, 3)), "client=1+2+5,server=0");
  EXPECT_EQ(to_string(parse_pinning("--pin", "auto", four, 9)), "client=1+2+5,server=0");
  EXPECT_FALSE(parse_pinning("--pin", "auto", {7}, 1).any()) << "one is not dealt";
}

std::string complaint(const char* text) {
  try {
    parse_pinning("--pin", text, four, 1);
  } catch (const usage_error& error) {
    return error.what();
  }
  return "none";
}

TEST(pinning, says_what_is_wrong) {
  EXPECT_THAT(complaint("client"),
              AllOf(HasSubstr("--pin"), HasSubstr("'client'"), HasSubstr("client=CPUS")));
  EXPECT_THAT(complaint("client=3"), AllOf(HasSubstr("no CPU 3"), HasSubstr("0, 1, 2, 5")));
  EXPECT_THAT(complaint("client=2-1"), HasSubstr("upside down"));
  EXPECT_THAT(complaint("client=x"), HasSubstr("'x'"));
  EXPECT_THAT(complaint("client=1,,server=0"), HasSubstr("''"));
  EXPECT_THAT(complaint("client=1,client=2"), HasSubstr("'client=2' names them a second time"));
  EXPECT_NO_THROW(check_pinning("--pin", "client=900")) << "a plan may be another machine's";
  EXPECT_THROW(check_pinning("--pin", "client=x"), usage_error);
}

TEST(pinning, binds_all_threads_of_a_process_and_this_one_alone) {
  const std::vector<unsigned> before = allowed_cpus();
  std::latch stay{1};
  std::latch there{1};
  std::vector<unsigned> seen;
  std::jthread other([&] {
    there.count_down();
    stay.wait();
    seen = allowed_cpus();
  });
  there.wait();
  pin_process(::getpid(), {before.back()});
  stay.count_down();
  other.join();
  EXPECT_THAT(seen, ElementsAre(before.back()));
  EXPECT_THAT(allowed_cpus(), ElementsAre(before.back()));
  pin_process(::getpid(), before);

  std::jthread alone([&] {
    pin_this_thread(before.front());
    seen = allowed_cpus();
  });
  alone.join();
  EXPECT_THAT(seen, ElementsAre(before.front()));
  EXPECT_EQ(allowed_cpus(), before);
}

}  // namespace
}  // namespace dbdyno
