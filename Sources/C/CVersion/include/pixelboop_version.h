/// The version of the programs of this package. Only version.c is compiled with it, so that another version compiles nothing
/// else again.
extern const char *const pixelboop_version;
