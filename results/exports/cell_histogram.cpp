#include "results/exports/cell_histogram.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "results/latency_record.hpp"

namespace dbdyno::results {

histogram histogram_of(const cell& from, const std::string& kind) {
  try {
    return to_histogram(from.histograms.at(kind));
  } catch (const std::runtime_error& error) {
    throw std::runtime_error(fmt::format("{}, repetition {}, histogram \"{}\": {}", from.name,
                                         from.repetition, kind, error.what()));
  }
}

}  // namespace dbdyno::results
