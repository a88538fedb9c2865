import Foundation

/// Figures that tests measured, for docs/benchmarks.md; printed with `PIXELBOOP_FIGURES=1`.
enum Figures {
    private static let isWanted = ProcessInfo.processInfo.environment["PIXELBOOP_FIGURES"] == "1"

    /// Shows how much sounds differ.
    static func show(_ name: String, decibels: Double) {
        if isWanted { print("figures: \(name): \(String(format: "%.2f", decibels)) dB") }
    }

    static func show(_ name: String, _ number: Double) {
        if isWanted { print("figures: \(name): \(String(format: "%.2f", number))") }
    }

    /// Shows how far steps were from their exact times.
    ///
    /// - Parameter errors: In milliseconds.
    static func show(_ name: String, _ errors: some Sequence<Double>) {
        let sorted = errors.map(abs).sorted()
        guard isWanted, let worst = sorted.last else { return }
        let rms = (sorted.reduce(0) { $0 + $1 * $1 } / Double(sorted.count)).squareRoot()
        let words = [sorted[sorted.count / 2], rms, worst].map { String(format: "%.4f", $0) }
        print("figures: \(name): median \(words[0]), RMS \(words[1]), worst \(words[2]) ms of \(sorted.count) steps")
    }
}
