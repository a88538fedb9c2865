import Foundation

/// The database in shared memory in which jackd 2 keeps the metadata of all of a user's servers.
///
/// A server that shuts down removes it. One that is killed leaves its locks there, about ten of them; after some 150
/// kills there is no room for more, and from then on every client that opens the database complains. A client that is
/// killed in the middle of a change leaves a lock taken, and the next server waits for it forever.
public enum MetadataDatabase {
    private static let path = "/dev/shm/jack_db-\(getuid())"

    /// Whether any user's server is running, which may be using it.
    public static var isUsed: Bool {
        let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return processes.contains { process in
            let name = try? String(contentsOfFile: "/proc/\(process)/comm", encoding: .utf8)
            return name == "jackd\n" || name == "jackdbus\n"
        }
    }

    /// Whether JACK's library can use it: Debian sid's (1.9.22) is built without Berkeley DB.
    public static var isSupported: Bool {
        // Whether it is loaded, as what JACK's library needs.
        guard let database = dlopen("libdb-5.3.so", RTLD_LAZY | RTLD_NOLOAD) else { return false }
        dlclose(database)
        return true
    }

    /// Removes the database, as a killed server could not, unless a server is running.
    ///
    /// Clients that have it open keep what they have, as when a server shuts down.
    public static func removeIfUnused() {
        if !isUsed { try? FileManager.default.removeItem(atPath: path) }
    }

    /// Makes room for a starting server, unless another one is running, or a test has spoilt the database.
    static func removeLeftOver() {
        var isDirectory: ObjCBool = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory), isDirectory.boolValue {
            removeIfUnused()
        }
    }

    /// Puts a file in its place, so that servers run but accept no metadata, until it is removed.
    public static func spoil() throws {
        try? FileManager.default.removeItem(atPath: path)
        try Data().write(to: URL(filePath: path))
    }
}
