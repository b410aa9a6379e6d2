#include "bench/multiget.hpp"

#include <algorithm>

namespace dbdyno {

void multiget_workload::fill(const workload_settings& settings) {
  const key_ring ring(settings.data, settings.order, settings.seed, settings.thread);
  key_ring::cursor drawn = ring.begin();
  const std::size_t batches = std::max(fewest_batches, (ring.size() + count_ - 1) / count_);
  keys_.reserve(batches * count_);
  for (std::size_t b = 0; b < batches; ++b) {
    std::uint64_t sum = 0;
    for (std::uint32_t i = 0; i < count_; ++i) {
      const auto is_in_batch = [&](std::uint32_t id) {
        return std::any_of(keys_.end() - i, keys_.end(), [&](const key& k) { return k.id() == id; });
      };
      // A key that the batch has already gives way to its successor, so that few favourites do not stop it.
      std::uint32_t id = drawn.next().id();
      while (is_in_batch(id)) id = id % settings.data.keys() + 1;
      keys_.push_back(settings.data.make_key(id));
      sum += keys_.back().tag();
    }
    sums_.push_back(sum);
  }
}

}  // namespace dbdyno
