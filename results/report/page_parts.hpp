#pragma once

#include <string_view>

/// The files that every report consists of, as they stood when this program was built: those in page/ and
/// vendor/. The build makes page_parts.cpp of them, see embed_page.cmake.
namespace dbdyno::results::page {

extern const std::string_view form;  ///< template.html
extern const std::string_view style, script;
extern const std::string_view uplot_style, uplot_script, uplot_licence;

}  // namespace dbdyno::results::page
