import Glibc

/// A server name that no other test process uses at the same time, but that later ones reuse.
///
/// JACK has room for eight servers, and gives the place of a killed one only to the next of the same name: names that
/// are never used again would fill it up.
final class NameClaim {
    let name: String
    private let lock: Int32

    /// Claims the first free name, until this is freed or the process ends.
    init() throws {
        for number in 1...8 {
            let name = "pixelboop-test-\(number)"
            let descriptor = open(Self.file(name, "lock"), O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { continue }
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 {
                self.name = name
                lock = descriptor
                return
            }
            close(descriptor)
        }
        throw JackServer.Failure.noNameLeft
    }

    /// A file that all test processes of this user share, wherever each keeps its temporary files: next to JACK's own.
    static func file(_ name: String, _ ending: String) -> String {
        "/dev/shm/\(name)-\(getuid()).\(ending)"
    }

    deinit {
        close(lock)
    }
}
