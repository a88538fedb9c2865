import ArgumentParser
import Configuration
import Foundation
import PixelBoopClient
import ServiceCommand
import SurfaceKit

/// The footswitch's settings: the control socket, which cell of the control row it presses, and the log.
struct FootswitchTable: SettingTable {
    static let program = "pixelboop-footswitch"

    let socketPath = Setting.socket
    let column = Setting(
        "column", .integer(0...Frame.columns - 1), 1, "The column of the control row that it presses", as: "n")
    let logLevel = Setting.logLevel
}

/// Each input line presses a cell; each output line is the colour of the lamp beside it.
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
        // On its own thread, because reading blocks. A thread in `readLine` would keep glibc's `exit` waiting.
        let (presses, press) = AsyncStream<Void>.makeStream()
        Thread.detachNewThread {
            while case let input = FileHandle.standardInput.availableData, !input.isEmpty {
                for byte in input where byte == UInt8(ascii: "\n") { press.yield() }
            }
        }
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
    static let configuration = CommandConfiguration(
        commandName: FootswitchTable.program, abstract: "A switch with a lamp for PixelBoop. \(precedence)")

    @OptionGroup var service: ServiceOptions<FootswitchTable>

    func makeSurface(_ settings: Settings<FootswitchTable>, in context: CompanionContext) -> Footswitch {
        Footswitch(column: settings.column)
    }
}
