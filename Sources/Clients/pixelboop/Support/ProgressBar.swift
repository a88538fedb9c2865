import FoundationEssentials
import Glibc

/// A progress bar on standard error, if that is a terminal.
struct ProgressBar {
    private static let width = 40

    private let label: String
    private let isShown = isatty(STDERR_FILENO) == 1
    private var shown: Int?

    init(label: String) {
        self.label = label
    }

    mutating func show(_ share: Double) {
        let percent = Int((min(max(share, 0), 1) * 100).rounded(.down))
        guard isShown, percent != shown else { return }
        shown = percent
        put("\r" + ProgressBar.line(label: label, percent: percent))
    }

    func finish() {
        if shown != nil { put("\n") }
    }

    /// `song.wav [####......]  40 %`
    static func line(label: String, percent: Int) -> String {
        let full = width * percent / 100
        let number = String(repeating: " ", count: 3 - min(3, String(percent).count)) + String(percent)
        return label + " [" + String(repeating: "#", count: full) + String(repeating: ".", count: width - full)
            + "] \(number) %"
    }

    private func put(_ text: String) {
        // Failing to show the bar must not stop the work.
        try? Output.write(Array(text.utf8), to: STDERR_FILENO)
    }
}
