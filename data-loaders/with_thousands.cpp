#include "data-loaders/with_thousands.hpp"

namespace dbdyno {

std::string with_thousands(std::uint64_t number) {
  std::string out = std::to_string(number);
  for (std::size_t at = out.size(); at > 3;) out.insert(at -= 3, 1, ',');
  return out;
}

}  // namespace dbdyno
