import Foundation
import Glibc

/// Something that a test needs and that not every machine has. Tests are skipped only by `.needs(...)` of `TestNeeds`:
/// scripts/test reports the reasons at its end, and scripts/lib/parts.bash lists those that are not faults.
public struct Need: Sendable {
    /// Why a test is skipped.
    public let reason: String
    /// Whether this machine has it.
    public let isMet: Bool

    /// Something else that a machine may lack.
    public init(_ reason: String, isMet: Bool) {
        self.reason = reason
        self.isMet = isMet
    }

    /// Becoming another user.
    public static let otherUsers = Need("needs the right to become another user", isMet: geteuid() == 0)

    /// A ``SmallDisk``.
    public static let smallDisk = Need("needs the right to mount a file system", isMet: (try? SmallDisk()) != nil)

    /// Files below /usr, such as `bin/jq`.
    public static func installed(_ paths: String...) -> Need {
        let missing = paths.filter { !FileManager.default.fileExists(atPath: "/usr/\($0)") }
        return Need("needs \(missing.joined(separator: ", ")) in /usr", isMet: missing.isEmpty)
    }
}
