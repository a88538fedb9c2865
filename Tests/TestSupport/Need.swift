import Foundation
import Glibc

/// What a test needs that not every machine has. A test asks for it with `.needs(...)` of `TestNeeds`, and in no other way is
/// one left out: the end of scripts/test reports the reasons, and scripts/lib/parts.bash lists those that no fault is behind.
public struct Need: Sendable {
    /// Why a test is left out.
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
