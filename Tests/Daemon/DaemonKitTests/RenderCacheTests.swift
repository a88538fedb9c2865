import Control
import Media
import SystemSupport
import TestSupport
import Testing

@testable import DaemonKit
@testable import Export

@Suite(.timeLimit(.minutes(1))) struct RenderCacheTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func cache(limit: Int, free: UInt64 = 1 << 40) -> RenderCache {
        RenderCache(in: directory.file("cache"), limit: limit) { _ in free }
    }

    /// A file whose bytes are all the same.
    private func sound(_ byte: UInt8, size: Int, name: String = "mix") throws -> UnnamedSound {
        let file = try PendingFile(at: directory.file("new"))
        try file.write([UInt8](repeating: byte, count: size))
        return UnnamedSound(name: name, file: try file.complete())
    }

    @Test func `files are held until they are released, without a name`() async throws {
        let cache = cache(limit: 1000)
        try await cache.check(1000)
        var files: [any FetchedFile]? = try cache.hold([sound(1, size: 300), sound(2, size: 200, name: "bass")])
        #expect(files?.map(\.name) == ["mix", "bass"])
        #expect(files?.map(\.size) == [300, 200])
        #expect(try await files?[1].bytes(from: 150, count: 100) == [UInt8](repeating: 2, count: 50))
        #expect(cache.size == 500)
        // One of them holds all.
        let last = files?.removeLast()
        files = nil
        #expect(cache.size == 500)
        withExtendedLifetime(last) {}
        #expect(try directory.names == ["cache"])
    }

    @Test func `released files take no room`() async throws {
        let cache = cache(limit: 1000)
        do { _ = try cache.hold([sound(1, size: 300)]) }
        #expect(cache.size == 0)
    }

    @Test func `for a render's room, those read longest ago go first`() async throws {
        let cache = cache(limit: 1000)
        let files = try (1...3).map { try cache.hold([sound($0, size: 300)])[0] }
        await cache.makeRoom(for: 100)
        #expect(cache.size == 900)
        _ = try await files[0].bytes(from: 0, count: 1)
        await cache.makeRoom(for: 400)
        #expect(cache.size == 600)
        #expect(try await files[0].bytes(from: 0, count: 1) == [1])
        #expect(try await files[2].bytes(from: 0, count: 1) == [3])
        await #expect(throws: ServiceError.storage("the render's files had to make room for another's")) {
            try await files[1].bytes(from: 0, count: 1)
        }
        await cache.makeRoom(for: 1000)
        #expect(cache.size == 0)
    }

    @Test func `a render that may exceed the limit is refused`() async throws {
        let cache = cache(limit: 3 << 20)
        try await cache.check(3 << 20)
        await #expect(
            throws: ServiceError.storage(
                """
                the files could have 4 MiB, and renders without a path have 3: render a part, or give a path, as \
                `pixelboop take render` does
                """)
        ) {
            try await cache.check((3 << 20) + 1)
        }
    }

    @Test func `a full disk keeps its last room for the session`() async throws {
        let cache = cache(limit: 1 << 30, free: 300 << 20)
        try await cache.check(44 << 20)
        await #expect(
            throws: ServiceError.storage(
                "the files could have 45 MiB, and \(directory.file("cache")) can have 300 MiB free, of which 256 are "
                    + "left to the session")
        ) {
            try await cache.check((44 << 20) + 1)
        }
    }

    @Test func `files that are held make room on a full disk for the next render's`() async throws {
        let cache = cache(limit: 1 << 30, free: (256 << 20) + 300)
        let files = try (1...2).map { try cache.hold([sound($0, size: 300)])[0] }
        try await cache.check(900)
        await #expect(throws: ServiceError.self) { try await cache.check(901) }
        #expect(cache.size == 600)
        await cache.makeRoom(for: 300)
        #expect(cache.size == 600)
        await cache.makeRoom(for: 500)
        #expect(cache.size == 300)
        #expect(try await files[1].bytes(from: 0, count: 1) == [2])
    }
}
