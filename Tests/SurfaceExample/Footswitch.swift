import ArgumentParser
import Configuration
import Foundation
import PixelBoopClient
import ServiceCommand
import Surface

/// What the footswitch can be told: the control socket, the log, and which cell of the control row it presses.
enum FootswitchKey: String, SettingKey {
    case socket
    case column
    case logLevel = "log-level"

    static let program = "pixelboop-footswitch"
    static let prefix = "PIXELBOOP_FOOTSWITCH_"

    var expectation: String {
        switch self {
        case .socket: "an absolute path"
        case .column: "an integer from 0 to 43"
        case .logLevel: LogLevel.expectation
        }
    }
}

struct FootswitchSettings: Settings {
    var socketPath: String
    var column = 1
    var logLevel = LogLevel.info

    init(directories: BaseDirectories) { socketPath = directories.controlSocket ?? "" }

    mutating func set(_ key: FootswitchKey, to value: RawValue, home: String?) throws(BadValue) {
        switch key {
        case .socket: socketPath = try checked(value.path(home: home))
        case .column: column = try checked(value.integer) { (0..<Frame.columns).contains($0) }
        case .logLevel: logLevel = try checked(value.choice())
        }
    }

    func value(of key: FootswitchKey) -> String? {
        switch key {
        case .socket: quoted(socketPath)
        case .column: "\(column)"
        case .logLevel: quoted(logLevel.rawValue)
        }
    }
}

/// Each line that comes in is a press of a cell; each line that goes out is the colour of the lamp beside it.
actor Footswitch: Surface {
    let interest = Interest()
    private let column: Int
    private var client: PixelBoopClient?
    private var lamp: Color?

    init(column: Int) { self.column = column }

    func connected(to client: PixelBoopClient) { self.client = client }

    func disconnected() {
        client = nil
        light(Color(0))
    }

    func received(_ event: ClientEvent) {
        if case .frame(let keyFrame) = event { light(keyFrame.frame[column, Layout.controlRow]) }
    }

    func run() async throws {
        // A thread of its own, because reading waits.
        let (presses, press) = AsyncStream<String>.makeStream()
        Thread.detachNewThread { while let line = readLine() { press.yield(line) } }
        for await _ in presses { await self.press() }
        light(Color(0))
    }

    private func press() async {
        try? await client?.send(Touch(id: 1, .down, column: column, row: Layout.controlRow))
        try? await client?.send(Touch(id: 1, .up, column: column, row: Layout.controlRow))
    }

    private func light(_ color: Color) {
        guard color != lamp else { return }
        lamp = color
        let line = "lamp \(color.red) \(color.green) \(color.blue)\n"
        try? FileHandle.standardOutput.write(contentsOf: Data(line.utf8))
    }
}

@main
struct Main: SurfaceCommand {
    typealias Values = FootswitchSettings

    static let configuration = CommandConfiguration(
        commandName: FootswitchKey.program, abstract: "A switch with a lamp for PixelBoop. \(precedence)")

    @OptionGroup var service: ServiceOptions<FootswitchKey>

    @Option(help: "The column of the control row that it presses. Default: 1, play and stop.")
    var column: String?

    var flags: [FootswitchKey: String?] { [.column: column] }

    func makeSurface(_ settings: FootswitchSettings, in context: CompanionContext) -> Footswitch {
        Footswitch(column: settings.column)
    }
}
