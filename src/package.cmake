# cmake --install: the program, its manual page, completion for three shells, README, examples.
# With REHEAD_DEB also what Debian wants in a package; `ninja package` (or cpack) then makes the .deb.
#
#   cmake --preset deb && cmake --build build/deb --target package
include(GNUInstallDirs)

option(REHEAD_DEB "Install what a Debian package holds, below /usr" OFF)
set(REHEAD_MAINTAINER "the rehead authors <root@localhost>" CACHE STRING
    "Who builds the package: NAME <ADDRESS>")
set(package ${CMAKE_CURRENT_BINARY_DIR}/package)
find_program(GZIP_PROGRAM gzip REQUIRED)

# compressed(NAME SOURCE): package/NAME.gz, the same bytes each time
function(compressed name source)
  add_custom_command(OUTPUT ${package}/${name}.gz
    COMMAND ${GZIP_PROGRAM} -9nc ${source} > ${package}/${name}.gz
    DEPENDS ${source} VERBATIM)
  add_custom_target(${name}.gz DEPENDS ${package}/${name}.gz)
  add_dependencies(rehead ${name}.gz)
endfunction()

install(TARGETS rehead)
file(MAKE_DIRECTORY ${package})
compressed(rehead.1 ${PROJECT_SOURCE_DIR}/man/rehead.1)
install(FILES ${package}/rehead.1.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)

set(completion ${PROJECT_SOURCE_DIR}/src/cli/completion)
install(FILES ${completion}/rehead.bash RENAME rehead
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${completion}/rehead.fish
        DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
# Debian's zsh looks into site-functions below /usr/local only.
set(zsh_folder site-functions)
if(REHEAD_DEB)
  set(zsh_folder vendor-completions)
endif()
install(FILES ${completion}/_rehead DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/${zsh_folder})

install(FILES ${PROJECT_SOURCE_DIR}/README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples DESTINATION ${CMAKE_INSTALL_DOCDIR}
        USE_SOURCE_PERMISSIONS PATTERN quickstart.sh EXCLUDE)  # that one builds
if(NOT REHEAD_DEB)
  install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/CHANGELOG.md
          DESTINATION ${CMAKE_INSTALL_DOCDIR})
  return()
endif()

# Debian Policy 12.5, 12.7: copyright, the changelog of the program, that of the package.
file(STRINGS ${PROJECT_SOURCE_DIR}/LICENSE license)
string(REPLACE "\\;" ";" license "${license}")
string(REGEX REPLACE "^.*(Permission is hereby)" "\\1" license "${license}")
string(REPLACE ";;" "\n .\n " license "${license}")
string(REPLACE ";" "\n " license "${license}")
file(CONFIGURE OUTPUT ${package}/copyright @ONLY CONTENT
"Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: rehead

Files: *
Copyright: 2026 the rehead authors
License: Expat
 @license@
")
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(CONFIGURE OUTPUT ${package}/debian.changelog @ONLY CONTENT
"rehead (@PROJECT_VERSION@-1) unstable; urgency=medium

  * Version @PROJECT_VERSION@; changelog.gz tells what is new.

 -- @REHEAD_MAINTAINER@  @date@
")
compressed(changelog ${PROJECT_SOURCE_DIR}/CHANGELOG.md)
compressed(changelog.Debian ${package}/debian.changelog)
# Its text names libdeflate with a version, which is taken for a copy of zlib.
file(WRITE ${package}/rehead.overrides "rehead: embedded-library zlib *\n")
install(FILES ${package}/rehead.overrides RENAME rehead
        DESTINATION ${CMAKE_INSTALL_DATADIR}/lintian/overrides)
install(FILES ${package}/copyright ${package}/changelog.gz ${package}/changelog.Debian.gz
        DESTINATION ${CMAKE_INSTALL_DOCDIR})

set(CPACK_GENERATOR DEB)
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGE_CONTACT "${REHEAD_MAINTAINER}")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SECTION web)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ
    GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "HTTP messages through a chain of steps")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
"rehead reads HTTP messages as people have them in pipes and on disk (what
curl -i prints, saved requests and responses, HAR files), runs a chain of
steps over headers and bodies and writes the result, framed as its headers
say.
.
It changes, takes out and reports header fields and cookies, takes chunks
and content codings off and puts them on, chooses and asserts messages, and
converts between raw HTTP, HAR, JSON and curl commands, in constant memory.")
include(CPack)
