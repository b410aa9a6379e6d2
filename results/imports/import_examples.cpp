#include "results/imports/import_examples.hpp"

namespace dbdyno::results {

std::string example(const std::string& file) {
  return read_file(std::string(DBDYNO_IMPORT_EXAMPLES) + "/" + file);
}

}  // namespace dbdyno::results
