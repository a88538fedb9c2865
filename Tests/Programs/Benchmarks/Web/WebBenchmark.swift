import ArgumentParser
import DaemonTestSupport
import Foundation
import JackTestSupport
import TestSupport
import Wire

/// What the gateway adds to a touch's latency, and what pages cost it.
struct WebBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "web",
        abstract: "Touch to picture through the gateway beside the bare socket, and many pages.",
        discussion: "Runs a jackd with the dummy driver, a pixelboopd and a pixelboop-web of its own.")

    @Option(help: "Touches that are measured, for each row.")
    var touches = 2000

    @Option(help: "Seconds for which pages are measured.")
    var seconds = 10.0

    private static let pageCount = 50

    func run() async throws {
        FileLimit.raiseLimit()
        let (touches, seconds) = (touches, seconds)
        try await BenchmarkRig.with(options: ["--audition", "never"]) { rig in
            let gateway = try await MeasuredGateway(before: rig)
            try measureTouches(touches, rig, gateway)
            try rig.playDemo()
            let finger = try ChildProgram.floor("touch", ["--path", rig.socketPath])
            try measurePages(Self.pageCount, seconds, rig, gateway)
            await finger.end()
            await gateway.process.end()
        }
    }
}

/// A gateway of the benchmark's own.
struct MeasuredGateway: Sendable {
    let process: ChildProgram
    let port: Int

    init(before rig: BenchmarkRig) async throws {
        let configuration = rig.directory.appending(path: "pixelboop-web.toml")
        try Data().write(to: configuration)
        process = try ChildProgram(
            .product("pixelboop-web"),
            [
                "--config", configuration.path, "--socket", rig.socketPath, "--listen", "127.0.0.1:0", "--max-clients",
                "1000",
                "--token-file", rig.directory.appending(path: "web-token").path,
            ], output: .logged
        ).start()
        port = try await process.port()
    }

    /// A page that subscribes to the picture as pages do.
    func page() throws -> PageSocket {
        let page = try PageSocket(port: port)
        try page.call("subscribe", #"{"topics":["frame"],"maxFps":60}"#)
        return page
    }
}

extension ChildProgram {
    /// Waits until the program reports where it listens, and returns the port.
    fileprivate func port() async throws -> Int {
        try await wait(for: "listening on").split { !$0.isNumber }.last.flatMap { Int($0) } ?? 0
    }
}

/// The two ways take turns, so that other activity of the machine affects both.
private func measureTouches(_ touches: Int, _ rig: BenchmarkRig, _ gateway: MeasuredGateway) throws {
    let (bare, page) = (try rig.connect(), try PageSocket(port: gateway.port))
    for client in [bare, page] as [any LineChannel] {
        try client.call("subscribe", #"{"topics":["frame"],"maxFps":240}"#)
    }
    var (floors, ours): ([Double], [Double]) = ([], [])
    func turn(on channel: some LineChannel) throws -> [Double] {
        // Drops the pictures from the other's turns.
        try channel.call("ping")
        let finger = TimedFinger.drags
        return try finger.times(of: 6 * finger.round, on: channel) { try channel.awaitChange(of: $0) }
    }
    while ours.count < touches {
        floors += try turn(on: bare)
        ours += try turn(on: page)
    }
    ControlTable.times(
        "touch to picture: through the gateway", names: ("bare socket", "gateway"), benchmark: "web touch",
        floor: Distribution(floors), daemon: Distribution(ours))
}

private func measurePages(_ count: Int, _ seconds: Double, _ rig: BenchmarkRig, _ gateway: MeasuredGateway) throws {
    let statistician = try rig.connect()
    let memory = gateway.process.residentBytes
    let pages = try (0..<count).map { _ in try gateway.page() }
    let crowd = Crowd(reading: pages.map(\.descriptor))
    crowd.read(for: 2)
    let frames = try BenchmarkRig.statistics(statistician).frames.sent
    let before = try ThreadTimes(of: gateway.process.identifier)
    let harvest = crowd.read(for: seconds)
    let milliseconds = try ThreadTimes(of: gateway.process.identifier).milliseconds(since: before)
        .reduce(0) { $0 + $1.milliseconds }
    let rate = Double(try BenchmarkRig.statistics(statistician).frames.sent - frames) / Double(count) / harvest.seconds
    let load = milliseconds / 10 / harvest.seconds
    let each = Double(gateway.process.residentBytes - memory) / Double(count) / 1024
    withExtendedLifetime(pages) {
        let table = ControlTable("pages", columns: ["pictures/s", "% of a core", "KiB each"])
        table.row(
            "\(count) pages, and a finger",
            [ControlTable.text(rate, 1), ControlTable.text(load, 1), ControlTable.text(each)])
    }
    Results.record(
        benchmark: "web pages",
        ["pages": .number(Double(count)), "rate": .number(rate), "load": .number(load), "kibibytesEach": .number(each)])
}
