// Embeds the page's files in the program, which C can do. A new file gets its bytes here and a line in the table
// below.

#include "WebPage.h"

// #embed came with C23; compilers support it before they default to C23.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char app_js[] = {
#embed "Page/app.js"
};
static const unsigned char arrangement_js[] = {
#embed "Page/arrangement.js"
};
static const unsigned char bar_js[] = {
#embed "Page/bar.js"
};
static const unsigned char cells_js[] = {
#embed "Page/cells.js"
};
static const unsigned char connection_js[] = {
#embed "Page/connection.js"
};
static const unsigned char controls_js[] = {
#embed "Page/controls.js"
};
static const unsigned char dom_js[] = {
#embed "Page/dom.js"
};
static const unsigned char drums_js[] = {
#embed "Page/drums.js"
};
static const unsigned char exports_js[] = {
#embed "Page/exports.js"
};
static const unsigned char fingers_js[] = {
#embed "Page/fingers.js"
};
static const unsigned char grid_js[] = {
#embed "Page/grid.js"
};
static const unsigned char guide_js[] = {
#embed "Page/guide.js"
};
static const unsigned char icon_png[] = {
#embed "Page/icon.png"
};
static const unsigned char icons_svg[] = {
#embed "Page/icons.svg"
};
static const unsigned char index_html[] = {
#embed "Page/index.html"
};
static const unsigned char keyboard_js[] = {
#embed "Page/keyboard.js"
};
static const unsigned char keys_js[] = {
#embed "Page/keys.js"
};
static const unsigned char library_js[] = {
#embed "Page/library.js"
};
static const unsigned char loudspeaker_js[] = {
#embed "Page/loudspeaker.js"
};
static const unsigned char manifest_webmanifest[] = {
#embed "Page/manifest.webmanifest"
};
static const unsigned char mixer_js[] = {
#embed "Page/mixer.js"
};
static const unsigned char parameters_js[] = {
#embed "Page/parameters.js"
};
static const unsigned char places_js[] = {
#embed "Page/places.js"
};
static const unsigned char playback_js[] = {
#embed "Page/playback.js"
};
static const unsigned char scope_js[] = {
#embed "Page/scope.js"
};
static const unsigned char sheet_js[] = {
#embed "Page/sheet.js"
};
static const unsigned char style_css[] = {
#embed "Page/style.css"
};
static const unsigned char takes_js[] = {
#embed "Page/takes.js"
};
static const unsigned char worklet_js[] = {
#embed "Page/worklet.js"
};

#define FILE(path, content_type, bytes) {path, content_type, bytes, sizeof(bytes)}
#define HTML "text/html; charset=utf-8"
#define SCRIPT "text/javascript; charset=utf-8"
#define STYLE "text/css; charset=utf-8"
#define MANIFEST "application/manifest+json"
#define SVG "image/svg+xml"
#define PNG "image/png"

static const struct page_file files[] = {
    FILE("/", HTML, index_html),
    FILE("/app.js", SCRIPT, app_js),
    FILE("/arrangement.js", SCRIPT, arrangement_js),
    FILE("/bar.js", SCRIPT, bar_js),
    FILE("/cells.js", SCRIPT, cells_js),
    FILE("/connection.js", SCRIPT, connection_js),
    FILE("/controls.js", SCRIPT, controls_js),
    FILE("/dom.js", SCRIPT, dom_js),
    FILE("/drums.js", SCRIPT, drums_js),
    FILE("/exports.js", SCRIPT, exports_js),
    FILE("/fingers.js", SCRIPT, fingers_js),
    FILE("/grid.js", SCRIPT, grid_js),
    FILE("/guide.js", SCRIPT, guide_js),
    FILE("/icon.png", PNG, icon_png),
    FILE("/icons.svg", SVG, icons_svg),
    FILE("/keyboard.js", SCRIPT, keyboard_js),
    FILE("/keys.js", SCRIPT, keys_js),
    FILE("/library.js", SCRIPT, library_js),
    FILE("/loudspeaker.js", SCRIPT, loudspeaker_js),
    FILE("/manifest.webmanifest", MANIFEST, manifest_webmanifest),
    FILE("/mixer.js", SCRIPT, mixer_js),
    FILE("/parameters.js", SCRIPT, parameters_js),
    FILE("/places.js", SCRIPT, places_js),
    FILE("/playback.js", SCRIPT, playback_js),
    FILE("/scope.js", SCRIPT, scope_js),
    FILE("/sheet.js", SCRIPT, sheet_js),
    FILE("/style.css", STYLE, style_css),
    FILE("/takes.js", SCRIPT, takes_js),
    FILE("/worklet.js", SCRIPT, worklet_js),
};

const struct page_file *page_files(size_t *count) {
    *count = sizeof files / sizeof *files;
    return files;
}
