# Run by CPack on what is staged: Debian's zsh looks in another folder than zsh's own default.
file(GLOB_RECURSE staged ${CPACK_TEMPORARY_DIRECTORY}/_lockstep)
foreach(file IN LISTS staged)
  get_filename_component(zsh ${file}/../.. ABSOLUTE)
  file(RENAME ${zsh}/site-functions ${zsh}/vendor-completions)
endforeach()
