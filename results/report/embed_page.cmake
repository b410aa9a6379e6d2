# Writes the text files that a report consists of into a C++ file, as raw strings.
#   cmake -D SOURCES=DIRECTORY -D SCRIPTS=FILE;... -D OUTPUT=FILE -P embed_page.cmake

# A part and the files that it is made of, in order. The page's scripts share one scope.
set(form page/template.html)
set(style page/report.css)
set(script ${SCRIPTS})
set(uplot_style vendor/uplot/uPlot.min.css)
set(uplot_script vendor/uplot/uPlot.iife.min.js)
set(uplot_licence vendor/uplot/LICENSE)

set(code "#include \"results/report/page_parts.hpp\"\n\nnamespace dbdyno::results::page {\n")
foreach(part form style script uplot_style uplot_script uplot_licence)
  string(APPEND code "\nconst std::string_view ${part} = R\"dbdyno_part(")
  foreach(file IN LISTS ${part})
    file(READ "${SOURCES}/${file}" text)
    string(FIND "${text}" ")dbdyno_part" end)
    if(NOT end EQUAL -1)
      message(FATAL_ERROR "${file} holds the end of a raw string")
    endif()
    string(APPEND code "${text}")
  endforeach()
  string(APPEND code ")dbdyno_part\";\n")
endforeach()
string(APPEND code "\n}  // namespace dbdyno::results::page\n")
file(WRITE "${OUTPUT}" "${code}")
