import TestSupport
import Testing

/// A C library whose functions replace those of the same name in a daemon with its path in `LD_PRELOAD`.
final class PreloadedLibrary: Sendable {
    let path: String
    private let directory: TemporaryDirectory

    init(_ source: String) throws {
        directory = try TemporaryDirectory()
        path = directory.file("library.so")
        try directory.write("#define _GNU_SOURCE\n#include <dlfcn.h>\n#include <unistd.h>\n" + source, to: "library.c")
        try #require(ChildProgram.succeeds(["clang", "-shared", "-fPIC", "-o", path, directory.file("library.c")]))
    }
}
