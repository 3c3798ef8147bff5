# Warnings and sanitizers of every target of the project. Vendor and MLIR headers are system headers: they do not warn.
add_compile_options(-Wall -Wextra -Wno-unused-parameter -Wno-missing-field-initializers)
if(DS_ENABLE_WERROR)
  add_compile_options(-Werror)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # False positives of GCC 12 inside LLVM's SmallVector and optional at -O2.
  add_compile_options(-Wno-maybe-uninitialized -Wno-array-bounds -Wno-stringop-overflow -Wno-dangling-pointer)
endif()
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  add_compile_options(-Wno-unknown-pragmas) # hints for GCC's vectoriser
  add_compile_options(-Wno-c++20-extensions) # lambdas that capture structured bindings, which GCC has always taken
  add_compile_options(-Wno-deprecated-declarations) # inside std::stable_sort of GCC 12's library
endif()
if(DS_SANITIZER)
  add_compile_options(-fsanitize=${DS_SANITIZER} -fno-omit-frame-pointer -g)
  add_link_options(-fsanitize=${DS_SANITIZER})
  if(DS_SANITIZER STREQUAL "undefined")
    # A report ends the process. The functions of the vendors' libraries are called through types of our own with the same ABI, which
    # is all that those promise; clang's check of their names would call each a mistake.
    add_compile_options(-fno-sanitize-recover=undefined -fno-sanitize=function)
  endif()
endif()
