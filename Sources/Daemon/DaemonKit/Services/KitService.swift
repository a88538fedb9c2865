import Control
import Logging
import Media
import ServiceLifecycle
import Session

/// Loads the samples that the session needs.
struct KitService: Service {
    let kits: SampleKitLoader
    let control: ControlCore
    let logger: Logger

    func run() async throws {
        // The sound fades out after this service has ended, which must not wait for files.
        let loading = Task { await loadWhatIsWanted() }
        defer { loading.cancel() }
        try await gracefulShutdown()
    }

    private func loadWhatIsWanted() async {
        let names = await kits.names()
        control.notify { session, _ in session.kitsFound(names) }
        for await wanted in kits.wanted { await load(wanted) }
    }

    private func load(_ wanted: WantedKit) async {
        let (kit, problems) = await kits.load(wanted)
        // A cancelled load has not read all files.
        guard !Task.isCancelled else { return }
        for problem in problems { logger.warning("kit \(wanted.name): \(problem)") }
        if kit == nil { logger.warning("kit \(wanted.name): there are no samples; its drums use the 808 sounds") }
        control.notify { session, now in session.kitLoaded(kit, for: wanted, at: now) }
    }
}
