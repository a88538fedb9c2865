#pragma once
#include <stddef.h>

// A file of the page, inside the program.
struct page_file {
    // Where a browser finds it: "/grid.js", "/" for the page itself.
    const char *path;
    // In the terms of HTTP.
    const char *content_type;
    const unsigned char *bytes;
    size_t count;
};

// All files of the page, and how many they are.
const struct page_file *page_files(size_t *count);
