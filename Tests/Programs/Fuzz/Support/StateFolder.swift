import Music
import Synchronization

@testable import Store
@testable import Takes

/// A daemon's state directory as it was left: a session, a copy of it, and takes; and what was in them.
struct StateFolder {
    /// A take as it can be read.
    struct ReadTake: Equatable, Sendable {
        var entry: KeptTake
        var pieces: [[UInt8]]
    }

    static let copyName = "session-copy-20261128-153000.db"

    let files: [String: [UInt8]]
    /// The session after each of its changes; the last one is how it was left.
    let documents: [Document]
    let takes: [ReadTake]

    /// - Parameter wasKilled: Whether the daemon was killed in a take, so that a part of both databases is in their logs.
    init(wasKilled: Bool) {
        let folder = ScratchFolder()
        do {
            let session = try Self.makeSession(in: folder)
            var keeper = session.keeper
            let store = try Self.openTakes(in: folder)
            for number in 1...3 { Self.record(number, in: store, isEnd: !wasKilled || number < 3) }
            _ = finished { try await store.star(1, true) }
            let filesThen = folder.files
            require(store.close(within: .seconds(10)), "the takes are not closed")
            keeper.close()
            // Empty logs, and the lock, may be missing.
            files = (wasKilled ? filesThen : folder.files).filter { $0.key != "lock" && !$0.value.isEmpty }
            documents = session.documents
        } catch {
            fatalError("\(error)")
        }
        // What a daemon finds that is started after that.
        folder.replace(with: files)
        takes = Self.readTakes(in: folder)
        require(takes.count == 3 && takes.allSatisfy { $0.pieces.count > 1 }, "the takes are not there")
    }

    // MARK: The session

    static func keeper(in folder: ScratchFolder) -> SessionKeeper {
        var limits = SessionKeeper.Limits()
        limits.snapshot = 1500
        return SessionKeeper(SessionFolder(folder.path), beginningWith: Document(), limits: limits)
    }

    private static func makeSession(in folder: ScratchFolder) throws -> (documents: [Document], keeper: SessionKeeper) {
        var keeper = keeper(in: folder)
        _ = try keeper.open()
        var documents = [keeper.document]
        for number in 0..<32 {
            try store([change(number)], in: &keeper)
            documents.append(keeper.document)
            while keeper.snapshotNeed >= .due { try keeper.writeSnapshot() }
            if number == 16 {
                let snapshot = SnapshotProgress(keeper.document, number: keeper.number)
                try WholeDatabase.write(snapshot, to: folder.file(copyName))
            }
        }
        return (documents, keeper)
    }

    private static func change(_ number: Int) -> DocumentChange {
        let track = Track.allCases[number % 4]
        switch number % 5 {
        case 0: return .setName("pattern \(number)")
        case 1: return .adjust(.tempo, to: .number(100 + Double(number)))
        case 2: return .set(.gain, on: track, to: .number(-Double(number)))
        case 3: return .launch([Slot(track, number % Slot.count)])
        default:
            var notes = SlotNotes()
            notes[number % 12, number % 32] = .accent
            return .edit([Slot(track, number % Slot.count): notes])
        }
    }

    /// Stores changes that belong together.
    static func store(_ changes: [DocumentChange], in keeper: inout SessionKeeper) throws(StorageFailure) {
        var unsaved = UnsavedChanges()
        unsaved.add(changes, document: { Document() })
        keeper.add(unsaved)
        while keeper.hasUnsaved { try keeper.write() }
    }

    // MARK: Takes

    static func openTakes(in folder: ScratchFolder, _ reports: TakeStore.Reports = .init()) throws -> TakeStore {
        var options = TakeStore.Options()
        // Commits only when something is asked, and at the end; memory need not be as large as a disk.
        (options.commitInterval, options.checkpointInterval) = (.seconds(60), .seconds(60))
        options.freeSpace = { _ in nil }
        return try TakeStore(in: folder.path, options, reports)
    }

    /// Records a take in several pieces.
    static func record(_ number: Int, in store: TakeStore, isEnd: Bool = true) {
        store.begin(
            TakeHead(
                engineVersion: 1, architecture: TakeHead.ownArchitecture, sampleRate: 48_000, began: 1_767_357_296,
                pattern: "take \(number)"))
        for part in 1...4 {
            store.add((0..<800).map { UInt8(truncatingIfNeeded: $0 &* ($0 &+ number) &* part) })
            store.note(TakeProgress(frames: Int64(480_000 * part), hasPlayed: true))
            _ = finished { (try? await store.entries().count) ?? 0 }
        }
        if isEnd { store.end() }
    }

    /// All takes of a folder.
    private static func readTakes(in folder: ScratchFolder) -> [ReadTake] {
        do {
            let store = try openTakes(in: folder)
            defer { store.close(within: .seconds(10)) }
            return takes(of: store)
        } catch {
            fatalError("\(error)")
        }
    }

    /// All takes of a store, as far as they can be read.
    static func takes(of store: TakeStore) -> [ReadTake] {
        finished {
            var takes: [ReadTake] = []
            for entry in (try? await store.entries()) ?? [] {
                let pieces = (try? await store.pieces(of: entry.number, from: 0)) ?? []
                takes.append(ReadTake(entry: entry, pieces: pieces))
            }
            return takes
        }
    }
}
