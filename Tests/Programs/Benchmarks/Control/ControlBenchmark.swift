import ArgumentParser
import Foundation
import JackTestSupport

/// How fast touches become pictures, and what many clients cost.
struct ControlBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "control",
        abstract: "Touch to picture, pings beside clients that never pause, many subscribers: each beside its floor.",
        discussion: """
            Runs a jackd with the dummy driver and a pixelboopd of its own, with 64 frames a period at 48 kHz. A floor \
            is the least program that does the same on the same sockets, measured by turns with the daemon.
            """)

    enum Part: String, CaseIterable, ExpressibleByArgument {
        case touch, crowded, subscribers
    }

    @Argument(help: "What to measure; everything by default.")
    var parts = Part.allCases

    @Option(help: "Touches that are measured, for each row.")
    var touches = 2000

    @Option(help: "Seconds for which each number of subscribers is measured.")
    var seconds = 10.0

    func run() async throws {
        FileLimit.raiseLimit()
        for part in Part.allCases where parts.contains(part) {
            switch part {
            case .touch: try await TouchMeasurement(touches: touches).run()
            case .crowded: try await CrowdedMeasurement(seconds: seconds).run()
            case .subscribers: try await SubscriberMeasurement(seconds: seconds).run()
            }
            // Part by part, even into a file.
            fflush(nil)
        }
    }
}

// MARK: Tables

/// A table whose first column names the rows.
struct ControlTable {
    private static let nameWidth = 34
    private static let cellWidth = 12

    init(_ title: String, columns: [String]) {
        print("\n" + title.padding(toLength: Self.nameWidth, withPad: " ", startingAt: 0) + Self.cells(columns))
    }

    func row(_ name: String, _ cells: [String]) {
        print(name.padding(toLength: Self.nameWidth, withPad: " ", startingAt: 0) + Self.cells(cells))
    }

    private static func cells(_ cells: [String]) -> String {
        cells.map { String(repeating: " ", count: max(1, cellWidth - $0.count)) + $0 }.joined()
    }

    static func text(_ number: Double, _ places: Int = 0) -> String { String(format: "%.\(places)f", number) }
}

extension ControlTable {
    /// A table of times with a row for the floor, one for the daemon and their ratio, which are also recorded.
    static func times(
        _ title: String, names: (floor: String, daemon: String) = ("bare", "daemon"), benchmark: String,
        floor: Distribution, daemon: Distribution
    ) {
        let table = ControlTable(title, columns: ["p50 us", "p99 us", "max us"])
        func cells(_ times: Distribution) -> [Double] {
            [times.quantile(0.5), times.quantile(0.99), times.maximum].map { 1e6 * $0 }
        }
        let (floor, daemon) = (cells(floor), cells(daemon))
        table.row(names.floor, floor.map { text($0) })
        table.row(names.daemon, daemon.map { text($0) })
        table.row("ratio", zip(daemon, floor).map { text($0 / $1, 2) })
        Results.record(
            benchmark: benchmark,
            [
                "p50": .number(daemon[0]), "p99": .number(daemon[1]), "max": .number(daemon[2]),
                "bareP50": .number(floor[0]), "bareP99": .number(floor[1]), "bareMax": .number(floor[2]),
            ])
    }
}
