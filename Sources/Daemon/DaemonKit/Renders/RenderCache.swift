import Control
import Export
import Synchronization
import SystemSupport

/// The files of renders in the background. They never have names, so that none is left, however the daemon ends.
final class RenderCache: Sendable {
    /// Bytes that all files may have together.
    static let usualLimit = 1 << 30
    /// Bytes of the disk that are left free for the session.
    private static let reserve = 256 << 20

    private struct Held {
        var files: [UnnamedFile]
        var size: Int
        /// When it was made or read last; larger is later.
        var lastUse: Int
    }

    private struct State {
        var held: [Int: Held] = [:]
        /// Counts makings and readings.
        var useCount = 0
        /// Files that wait to be closed. For large ones that takes time, so the control thread does not do it, and nobody who
        /// holds the lock.
        var released: [UnnamedFile] = []

        /// Bytes of what is held.
        var size: Int { held.values.reduce(0) { $0 + $1.size } }

        mutating func release(_ number: Int) { released += held.removeValue(forKey: number)?.files ?? [] }
    }

    let directory: String
    private let limit: Int
    private let freeSpace: @Sendable (String) -> UInt64?
    private let state = Mutex(State())
    private let threads = WorkerThreads("render cache")

    /// - Parameters:
    ///   - directory: A folder, made when it is first needed, which other daemons may use as well.
    ///   - limit: Bytes that all files may have together.
    ///   - freeSpace: Bytes that are free in a folder; nil if unknown.
    init(
        in directory: String, limit: Int = usualLimit,
        freeSpace: @escaping @Sendable (String) -> UInt64? = { SystemSupport.freeSpace(in: $0) }
    ) {
        (self.directory, self.limit, self.freeSpace) = (directory, limit, freeSpace)
        // File systems that cannot do without names may have kept the files of a daemon that was killed.
        threads.submit { StaleTemporaryFiles.sweep(directory) }
    }

    /// How many bytes are held.
    var size: Int { state.withLock(\.size) }

    // MARK: Rendering

    /// Refuses a render that can have more bytes than there is room for, and makes the folder.
    func check(_ bytes: Int) async throws(ServiceError) {
        guard bytes <= limit else {
            throw .storage(
                """
                the files could have \(Self.inMiB(bytes)) MiB, and renders without a path have \(Self.inMiB(limit)): \
                render a part, or give a path, as `pixelboop take render` does
                """)
        }
        let free: Int
        do {
            free = try await threads.run {
                try makeDirectories(directory)
                return freeBytes + size
            }
        } catch {
            throw .storage("\(error)")
        }
        guard free < bytes + Self.reserve else { return }
        throw .storage(
            """
            the files could have \(Self.inMiB(bytes)) MiB, and \(directory) can have \(free >> 20) MiB free, \
            of which \(Self.reserve >> 20) are left to the session
            """)
    }

    /// Releases the files that were used longest ago, where a render needs their room: under the limit, or on the disk.
    func makeRoom(for bytes: Int) async {
        // Files that were released before are closed by then, and their room is free.
        await threads.run {
            var free = freeBytes
            state.withLock { state in
                while state.size + bytes > limit || free < bytes + Self.reserve,
                    let oldest = state.held.min(by: { $0.value.lastUse < $1.value.lastUse })
                {
                    free += oldest.value.size
                    state.release(oldest.key)
                }
            }
            closeReleased()
        }
    }

    /// Bytes that are free on the disk; more than any file has if that is unknown.
    private var freeBytes: Int { freeSpace(directory).map { Int(min($0, 1 << 60)) } ?? 1 << 60 }

    /// Holds files until they are released, or others need their room.
    func hold(_ sounds: [UnnamedSound]) -> [any FetchedFile] {
        let number = state.withLock { state in
            state.useCount += 1
            state.held[state.useCount] = Held(
                files: sounds.map(\.file), size: sounds.reduce(0) { $0 + $1.file.size }, lastUse: state.useCount)
            return state.useCount
        }
        let holding = Holding(number, in: self)
        return sounds.enumerated().map { CachedFile(name: $1.name, size: $1.file.size, index: $0, holding: holding) }
    }

    private static func inMiB(_ bytes: Int) -> Int { (bytes + (1 << 20) - 1) >> 20 }

    // MARK: Reading

    fileprivate func bytes(
        of number: Int, _ index: Int, from offset: Int, count: Int
    ) async throws(ServiceError) -> [UInt8] {
        let file = state.withLock { state in
            state.useCount += 1
            state.held[number]?.lastUse = state.useCount
            return state.held[number]?.files[index]
        }
        guard let file else { throw .storage("the render's files had to make room for another's") }
        do {
            return try await threads.run { try file.bytes(from: offset, count: count) }
        } catch {
            throw .storage("\(error)")
        }
    }

    fileprivate func release(_ number: Int) {
        state.withLock { $0.release(number) }
        threads.submit { [self] in closeReleased() }
    }

    /// Closes the files that wait for it; on the cache's own threads.
    private func closeReleased() {
        let released = state.withLock { state in
            defer { state.released = [] }
            return state.released
        }
        withExtendedLifetime(released) {}
    }
}

/// Holds the files of a render together.
private final class Holding: Sendable {
    let number: Int
    let cache: RenderCache

    init(_ number: Int, in cache: RenderCache) { (self.number, self.cache) = (number, cache) }

    deinit { cache.release(number) }
}

private struct CachedFile: FetchedFile {
    let name: String
    let size: Int
    let index: Int
    let holding: Holding

    func bytes(from offset: Int, count: Int) async throws(ServiceError) -> [UInt8] {
        try await holding.cache.bytes(of: holding.number, index, from: offset, count: count)
    }
}
