#include "drivers/errors.hpp"

#include <fmt/format.h>

namespace dbdyno {

setup_error::setup_error(std::string_view driver, std::string_view step, std::string_view target,
                         std::string_view reason)
    : std::runtime_error(fmt::format("{}: cannot {} {}: {}", driver, step, target, reason)),
      driver_(driver),
      step_(step),
      target_(target),
      reason_(reason) {
}

}  // namespace dbdyno
