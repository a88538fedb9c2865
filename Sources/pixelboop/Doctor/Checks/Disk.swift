import Wire

extension Check {
    /// Whether edits reach the disk.
    static let saving = Check(name: "saving") { seen in
        guard let storage = seen.answers?.state.storage else { return .none("no daemon runs") }
        guard storage.status == .running else {
            return .fault(
                "the session cannot be saved: \(storage.reason)",
                remedy: "make room, or the folder writable: saving resumes by itself; until then do not end the daemon")
        }
        return .well("every edit is on disk")
    }

    /// Whether there is room for session and library.
    static let disk = Check(name: "disk") { seen in
        guard !seen.folders.isEmpty else { return .unknown("the folders are not known") }
        let words = seen.folders.map { folder in
            let room = folder.freeBytes.map { "\($0 >> 20) MiB free" } ?? "cannot be looked at"
            return "\(folder.name) \(folder.path): \(folder.isReadOnly ? "read-only" : room)"
        }.joined(separator: "; ")
        if let folder = seen.folders.first(where: { $0.isReadOnly }) {
            return .fault(words, remedy: "mount -o remount,rw, or another \(folder.setting)")
        }
        if let folder = seen.folders.first(where: { $0.freeBytes.map { $0 < Examination.Folder.leastRoom } == true }) {
            return .fault(words, remedy: "make room: 16 MiB at least, or another \(folder.setting)")
        }
        return seen.folders.allSatisfy { $0.freeBytes != nil } ? .well(words) : .unknown(words)
    }
}

extension Examination.Folder {
    /// Bytes for generations of the session, some hundred KiB each, and a library.
    static let leastRoom = 16 << 20

    /// The setting that names it.
    fileprivate var setting: String { "\(name)-dir" }
}
