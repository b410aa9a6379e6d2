# What every target of the project shares: language level, warnings, sanitizers.
add_library(dbdyno_options INTERFACE)
target_compile_features(dbdyno_options INTERFACE cxx_std_20)
target_include_directories(dbdyno_options INTERFACE ${PROJECT_SOURCE_DIR})
target_compile_options(dbdyno_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # GCC bug 105651: a false alarm inside std::string's own operators.
  target_compile_options(dbdyno_options INTERFACE -Wno-restrict)
endif()
if(DBDYNO_WERROR)
  target_compile_options(dbdyno_options INTERFACE -Werror)
endif()
if(DBDYNO_SANITIZE)
  target_compile_options(dbdyno_options INTERFACE -fsanitize=${DBDYNO_SANITIZE} -fno-omit-frame-pointer)
  target_link_options(dbdyno_options INTERFACE -fsanitize=${DBDYNO_SANITIZE})
  target_compile_definitions(dbdyno_options INTERFACE DBDYNO_SANITIZED)
endif()

# dbdyno_library(NAME SOURCES file... [PRIVATE target...] [PUBLIC target...])
function(dbdyno_library name)
  cmake_parse_arguments(arg "" "" "SOURCES;PRIVATE;PUBLIC" ${ARGN})
  add_library(${name} STATIC ${arg_SOURCES})
  target_link_libraries(${name} PUBLIC dbdyno_options ${arg_PUBLIC} PRIVATE ${arg_PRIVATE})
endfunction()

# dbdyno_program(NAME SOURCES file... LIBRARIES target...): an executable in bin/.
function(dbdyno_program name)
  cmake_parse_arguments(arg "" "" "SOURCES;LIBRARIES" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE dbdyno_options ${arg_LIBRARIES})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
endfunction()

# dbdyno_test(NAME LABELS label... SOURCES file... LIBRARIES target... [SERIAL]): a GoogleTest program, one CTest test a
# case. Labels: unit (no server), server (starts throwaway servers), slow. SERIAL: nothing else runs beside, for tests
# whose known answers are times.
function(dbdyno_test name)
  if(NOT DBDYNO_TESTS)
    return()
  endif()
  cmake_parse_arguments(arg "SERIAL" "TIMEOUT" "LABELS;SOURCES;LIBRARIES" ${ARGN})
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 120)
  endif()
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE dbdyno_options ${arg_LIBRARIES} GTest::gtest_main GTest::gmock)
  # What is tested is optimised where it is built; a test's own templates would only take long to compile.
  target_compile_options(${name} PRIVATE -O0)
  gtest_discover_tests(${name} DISCOVERY_TIMEOUT 60
                       PROPERTIES LABELS "${arg_LABELS}" TIMEOUT ${arg_TIMEOUT} RUN_SERIAL ${arg_SERIAL})
endfunction()
