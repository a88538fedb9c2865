import Engine
import Export
import Media
import Music
import Session
import Synchronization
import SystemSupport
import Wire

/// The sample kits in the user's folder, read on a thread of their own.
final class SampleKitLoader: Sendable {
    let library: KitLibrary
    /// The samples that the session wants, the newest request only; for one reader.
    let wanted: AsyncStream<WantedKit>

    private let wishes: AsyncStream<WantedKit>.Continuation
    private let lastWish = Mutex<WantedKit?>(nil)
    private let thread = WorkerThreads("kits")

    init(_ library: KitLibrary) {
        self.library = library
        (wanted, wishes) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Checks whether the session needs samples that are not loaded.
    func look(at session: isolated Session) {
        let wish = session.wantedKit
        let isNew = lastWish.withLock { last in
            defer { last = wish }
            return wish != last
        }
        if isNew, let wish { wishes.yield(wish) }
    }

    func names() async -> [String] { await thread.run { library.kitNames } }

    /// All kits, built-in ones first, each with the files that cannot be used at a sample rate in Hz.
    func list(sampleRate: Int) async -> [KitEntry] {
        let folders = await thread.run { library.list(sampleRate: sampleRate) }
        return Track.rhythm.soundNames.map { KitEntry(name: $0) } + folders.map { KitEntry($0) }
    }

    /// Loads samples; nil for a kit without any, with the reasons.
    func load(_ wanted: WantedKit) async -> (kit: SampleKit?, problems: [String]) {
        await thread.run {
            let folder = library.load(wanted.name, sampleRate: wanted.sampleRate)
            return (SampleKit(folder, sampleRate: wanted.sampleRate), folder.problems)
        }
    }
}

extension KitEntry {
    init(_ folder: SampleFolder) {
        self.init(
            name: folder.name, samples: folder.drums.map(\.name),
            refused: folder.refusals.map { .init(file: $0.file, reason: "\($0.error)") },
            truncated: folder.truncated.map { .init(file: $0.file, reason: "\($0.truncation)") })
    }
}
