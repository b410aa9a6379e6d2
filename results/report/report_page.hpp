#pragma once

#include <string>
#include <string_view>

namespace dbdyno::results {

/// One HTML file that needs nothing else: the data of report_data with the script and the styles that draw
/// it.
///
/// The page's Content-Security-Policy allows this script and these styles by their hashes and nothing else;
/// no text of the data or the title can become markup.
std::string report_page(std::string_view title, std::string_view data);

}  // namespace dbdyno::results
