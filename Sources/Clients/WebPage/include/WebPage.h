#pragma once
#include <stddef.h>

// A file of the page, embedded in the program.
struct page_file {
    // Where a browser finds it: "/grid.js", "/" for the page itself.
    const char *path;
    // HTTP's Content-Type.
    const char *content_type;
    const unsigned char *bytes;
    size_t count;
};

// All files of the page, and their number.
const struct page_file *page_files(size_t *count);
