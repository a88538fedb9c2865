// The files of the page, which C can put into a program as they are. A new one gets its bytes here and a line in the
// table below.

#include "WebPage.h"

// Part of C since 2023; the compiler would warn of it in older dialects.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char index_html[] = {
#embed "Page/index.html"
};
static const unsigned char app_js[] = {
#embed "Page/app.js"
};

#define FILE(path, content_type, bytes) {path, content_type, bytes, sizeof(bytes)}
#define HTML "text/html; charset=utf-8"
#define SCRIPT "text/javascript; charset=utf-8"

static const struct page_file files[] = {
    FILE("/", HTML, index_html),
    FILE("/app.js", SCRIPT, app_js),
};

const struct page_file *page_files(size_t *count) {
    *count = sizeof files / sizeof *files;
    return files;
}
