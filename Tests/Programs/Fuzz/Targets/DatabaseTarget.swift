import Glibc
import Music
import SQLite
import Synchronization
import SystemSupport

@testable import Store
@testable import Takes

/// Damaged files of the session's database and of that of takes: what is whole is found, what is missing is known, what was
/// damaged is set aside, both databases can be used afterwards, and neither harms the other.
///
/// An input is a byte that says whether the daemon was killed, and a series of damages: a byte for the kind, one for the file or
/// the take, and what that kind needs.
struct DatabaseTarget: FuzzTarget {
    private let folder = ScratchFolder()
    private let closed = StateFolder(wasKilled: false)
    private let killed = StateFolder(wasKilled: true)

    func run(_ input: UnsafeRawBufferPointer) {
        var cursor = InputCursor(input)
        let state = cursor.byte() % 2 == 0 ? closed : killed
        var damage = StateDamage(state)
        while !cursor.isAtEnd { damage.add(&cursor) }
        folder.replace(with: damage.files)
        damage.changeRows(in: folder)
        SessionCheck(state, damage, in: folder).run()
        TakesCheck(state, damage, in: folder).run()
    }
}

/// What happens to the files of a state directory.
private struct StateDamage {
    private let state: StateFolder
    private(set) var files: [String: [UInt8]]
    /// The takes some of whose rows are changed.
    private(set) var changedTakes: Set<Int64> = []
    private var statements: [(sql: String, values: [Value])] = []

    private static let pageSize = 4096
    private static let columns = [
        "number", "format", "engine", "architecture", "rate", "began", "pattern", "frames", "played", "inexact",
        "starred", "ended", "size",
    ]

    init(_ state: StateFolder) {
        self.state = state
        files = state.files
    }

    /// Whether a file is not as it was left.
    func isDamaged(_ name: String) -> Bool { files[name] != state.files[name] }

    mutating func add(_ cursor: inout InputCursor) {
        let (kind, which) = (cursor.byte(), cursor.byte())
        switch kind % 12 {
        case 0...8:
            let names = state.files.keys.sorted()
            damage(&files[names[Int(which) % names.count]], as: kind % 12, &cursor)
        case 9, 10: changeTake(which, &cursor)
        default: changePiece(which, &cursor)
        }
    }

    private func damage(_ file: inout [UInt8]?, as kind: UInt8, _ cursor: inout InputCursor) {
        guard var bytes = file else { return }
        let offset = Int(cursor.byte()) << 16 | Int(cursor.byte()) << 8 | Int(cursor.byte())
        let start = bytes.isEmpty ? 0 : offset % bytes.count
        switch kind {
        case 0...2: if !bytes.isEmpty { bytes[start] ^= max(1, cursor.byte()) }
        case 3, 4:
            let block = cursor.block().prefix(bytes.count - start)
            bytes.replaceSubrange(start..<start + block.count, with: block)
        case 5: bytes.removeSubrange(start...)
        case 6:
            // A page in another's place.
            let (from, to) = (start / Self.pageSize * Self.pageSize, Int(cursor.byte()) * Self.pageSize)
            guard to + Self.pageSize <= bytes.count, from + Self.pageSize <= bytes.count else { return }
            bytes.replaceSubrange(to..<to + Self.pageSize, with: bytes[from..<from + Self.pageSize])
        case 7: bytes += cursor.block()
        default:
            file = nil
            return
        }
        file = bytes
    }

    // MARK: Rows of takes

    private mutating func changeTake(_ which: UInt8, _ cursor: inout InputCursor) {
        let number = Int64(which % 3) + 1
        let column = Self.columns[Int(cursor.byte()) % Self.columns.count]
        change("UPDATE takes SET \(column) = ? WHERE number = \(number)", [value(&cursor)], of: number)
    }

    private mutating func changePiece(_ which: UInt8, _ cursor: inout InputCursor) {
        let number = Int64(which % 3) + 1
        let column = ["place", "checksum", "content"][Int(cursor.byte()) % 3]
        let place = number << 32 + Int64(cursor.byte() % 4)
        change("UPDATE pieces SET \(column) = ? WHERE place = \(place)", [value(&cursor)], of: number)
    }

    private mutating func change(_ sql: String, _ values: [Value], of number: Int64) {
        statements.append((sql, values))
        changedTakes.insert(number)
    }

    private func value(_ cursor: inout InputCursor) -> Value {
        let (kind, number) = (cursor.byte(), cursor.byte())
        switch kind % 12 {
        case 0: return .integer(Int64(number))
        case 1: return .integer(-Int64(number))
        case 2: return .integer(.max)
        case 3: return .integer(.min)
        case 4: return .integer(Int64(Int32.max) - Int64(number % 2))
        case 5: return .integer(Int64(number) << 32)
        case 6: return .real(.infinity)
        case 7: return .real(Double(number) * 1e300)
        case 8: return .text("text \(number)")
        case 9: return .blob(cursor.block())
        case 10: return .integer(1 << Int64(number % 63))
        default: return .null
        }
    }

    /// Changes rows where the database is otherwise as it was left.
    func changeRows(in folder: ScratchFolder) {
        guard !isTakesFileDamaged, let path = withoutLinks(folder.path) else { return }
        do {
            let connection = try Database("\(path)/\(TakeStore.fileName)", .readWrite)
            for (sql, values) in statements {
                let statement = try Statement(sql, on: connection)
                try? statement.bind(values)
                // A number that another row has, or nothing where something must be, is refused.
                while (try? statement.step()) == true {}
            }
        } catch {
            require(false, "rows are not changed: \(error)")
        }
    }

    var isTakesFileDamaged: Bool { isDamaged("takes.db") || isDamaged("takes.db-wal") }
}

/// Opens a damaged session.
private struct SessionCheck {
    private let state: StateFolder
    private let damage: StateDamage
    private let folder: ScratchFolder

    init(_ state: StateFolder, _ damage: StateDamage, in folder: ScratchFolder) {
        (self.state, self.damage, self.folder) = (state, damage, folder)
    }

    func run() {
        let neighbours = self.neighbours
        do throws(StorageFailure) {
            var keeper = try opened()
            if let report = keeper.report { check(report, keeper.document, setAside: keeper.fetchSetAside()) }
            try StateFolder.store([.setName("after")], in: &keeper)
            let document = keeper.document
            keeper.close()
            var next = try opened()
            require(next.report?.damages == [] && next.document == document, "the session was not stored")
            next.close()
        } catch {
            require(false, "a damaged session cannot be used: \(error)")
        }
        require(self.neighbours == neighbours, "opening the session changed another file")
    }

    /// The other files that were there before.
    private var neighbours: [String: [UInt8]] {
        folder.files.filter { state.files[$0.key] != nil && !$0.key.hasPrefix("session.db") }
    }

    private func opened() throws(StorageFailure) -> SessionKeeper {
        var keeper = StateFolder.keeper(in: folder)
        var found: FoundSession?
        do throws(StorageFailure) {
            found = try keeper.open()
        } catch {
            guard error.isOfReading else { throw error }
            found = try keeper.open(isLastTry: true)
        }
        if let found { try keeper.adopt(found) }
        require(keeper.isOpen, "a session is found, but not open")
        return keeper
    }

    private func check(_ report: RecoveryReport, _ document: Document, setAside: String?) {
        Rules.check(document)
        switch report.source {
        case .database, .copy: require(state.documents.contains(document), "a session that never existed")
        case .lost:
            require(document == Document(), "a lost session is not a new one")
            require(damage.isDamaged(StateFolder.copyName), "a copy is whole, but was not loaded")
        case .new: require(damage.files["session.db"] == nil, "a session is taken for a new one")
        case .unknown: require(false, "a disk that answers is taken for one that does not")
        }
        // What ends a log may be what a power cut left.
        let isKnown = !report.damages.isEmpty || report.isNew || damage.isDamaged("session.db-wal")
        require(document == state.documents.last || isKnown, "something is missing, and nobody knows")
        guard !report.damages.isEmpty, damage.files["session.db-wal"] == nil else { return }
        guard let setAside else { return require(false, "what is damaged is not set aside") }
        require(folder[setAside] == damage.files["session.db"], "what was set aside is not what was damaged")
    }
}

/// Opens a damaged database of takes.
private struct TakesCheck {
    private let state: StateFolder
    private let damage: StateDamage
    private let folder: ScratchFolder

    init(_ state: StateFolder, _ damage: StateDamage, in folder: ScratchFolder) {
        (self.state, self.damage, self.folder) = (state, damage, folder)
    }

    /// What a store reports.
    private final class Reports: Sendable {
        let failures = Mutex<[String]>([])
        let setAside = Mutex<[String]>([])

        var all: TakeStore.Reports {
            TakeStore.Reports(
                onStatus: { [self] status in
                    if case .stopped(let reason) = status { failures.withLock { $0.append(reason) } }
                }, onSetAside: { [self] name, _ in setAside.withLock { $0.append(name) } })
        }
    }

    func run() {
        let session = folder["session.db"]
        let reports = Reports()
        check(open(reports) { StateFolder.takes(of: $0) })
        let new = open(reports) { store in
            StateFolder.record(4, in: store)
            return StateFolder.takes(of: store)
        }
        check(new)
        let isKept = new.last.map { isNew($0) && !$0.pieces.isEmpty } == true
        require(isKept || !reports.failures.withLock(\.isEmpty), "a take is not kept, and nobody knows")
        let found = open(reports) { store in
            defer { if !damage.isTakesFileDamaged { deleteAll(in: store) } }
            return StateFolder.takes(of: store)
        }
        check(found)
        require(!isKept || found.last == new.last, "a take is lost")
        for name in reports.setAside.withLock(\.self) { require(folder[name] != nil, "\(name) was not set aside") }
        require(folder["session.db"] == session, "takes have changed the session")
    }

    private func open<Result>(_ reports: Reports, _ body: (TakeStore) -> Result) -> Result {
        do {
            let store = try StateFolder.openTakes(in: folder, reports.all)
            defer { require(store.close(within: .seconds(20)), "the takes are not closed") }
            return body(store)
        } catch {
            fatalError("\(error)")
        }
    }

    /// Whatever a row says, its take can be deleted.
    private func deleteAll(in store: TakeStore) {
        let rest = finished {
            for take in try await store.entries() { _ = try await store.delete(take.number) }
            return try await store.entries().count
        }
        require(rest == 0, "\(rest) takes cannot be deleted")
    }

    /// What is read of a take is its beginning, and takes without damage are whole.
    private func check(_ found: [StateFolder.ReadTake]) {
        for take in found {
            let original = state.takes.first { $0.entry.number == take.entry.number }
            require(
                isNew(take) || take.pieces.isEmpty || original?.pieces.starts(with: take.pieces) == true,
                "take \(take.entry.number) has pieces that it never had")
        }
        guard !damage.isTakesFileDamaged else { return }
        for take in state.takes where !damage.changedTakes.contains(take.entry.number) {
            require(found.contains(take), "take \(take.entry.number) is lost, although others were damaged")
        }
    }

    private func isNew(_ take: StateFolder.ReadTake) -> Bool { take.entry.head.pattern == "take 4" }
}
