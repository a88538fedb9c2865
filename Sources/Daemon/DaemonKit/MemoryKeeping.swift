import Logging
import Synchronization
import SystemSupport
import Systemd

extension MemoryKeeping {
    /// Has a keeper lock memory, and logs how much whenever that changes.
    init(_ keeper: MemoryKeeper, _ logger: Logger) {
        let logged = LoggedText(keeper.atStart.map { "\($0)" } ?? "")
        self.init(
            lock: {
                let text = "\(keeper.lock())"
                if logged.replace(text) { logger.info("\(text)") }
            },
            release: { keeper.release() })
    }
}

/// What was logged last.
private final class LoggedText: Sendable {
    private let text: Mutex<String>

    init(_ text: String) { self.text = Mutex(text) }

    /// Replaces the text; returns whether it is new.
    func replace(_ new: String) -> Bool {
        text.withLock { text in
            defer { text = new }
            return text != new
        }
    }
}
