/// The names of the session's files: a snapshot and a journal for each generation, and what was set aside.
enum SessionFileName {
    enum Kind: String {
        case snapshot
        case journal
    }

    private static let prefix = "session-"
    private static let asidePrefix = "set-aside-"
    /// Files of one name that may be set aside.
    private static let asideLimit = 100
    private static let pendingSuffix = ".tmp"

    /// The name of a generation's snapshot or journal.
    static func name(_ kind: Kind, _ generation: UInt64) -> String { "\(prefix)\(generation).\(kind.rawValue)" }

    /// The name of a snapshot that is being written.
    static func pendingSnapshot(_ generation: UInt64) -> String { name(.snapshot, generation) + pendingSuffix }

    /// The names that a file may get which is set aside, of no use to the daemon, but perhaps to its owner:
    /// `set-aside-session-7.journal`, `set-aside-2-session-7.journal`...
    static func aside(_ name: String) -> some Sequence<String> {
        (1...asideLimit).lazy.map { asidePrefix + ($0 == 1 ? "" : "\($0)-") + name }
    }

    /// What a name says, nil when it is not that of a snapshot or journal.
    static func parse(_ name: String) -> (kind: Kind, generation: UInt64)? {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].hasPrefix(prefix), let kind = Kind(rawValue: String(parts[1])),
            let generation = UInt64(parts[0].dropFirst(prefix.count)), Self.name(kind, generation) == name
        else { return nil }
        return (kind, generation)
    }

    /// Whether the name is that of a snapshot whose writing was given up.
    static func isPending(_ name: String) -> Bool {
        name.hasSuffix(pendingSuffix) && parse(String(name.dropLast(pendingSuffix.count))) != nil
    }

    /// The generation of a file that was set aside, nil for other files.
    static func generation(ofAside name: String) -> UInt64? {
        guard name.hasPrefix(asidePrefix) else { return nil }
        let rest = name.dropFirst(asidePrefix.count).drop { $0.isASCII && $0.isNumber }
        return parse(String(rest.hasPrefix("-") ? rest.dropFirst() : rest))?.generation
    }
}
