import ArgumentParser
import JSON
import PixelBoopClient
import Wire

struct PerformTouch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "touch", abstract: "Move a finger over the grid.",
        discussion: """
            Columns 0 to 43, rows 0 to 23; a whole number is the middle of the cell. A finger lives as long as the \
            command: put the whole gesture into one.

              pixelboop touch tap 4 5
              pixelboop touch down 4 5 move 8 5 up
              pixelboop touch down 4 5 wait 500 up
            """)

    @OptionGroup var daemon: DaemonOptions
    @Flag(help: "Report whole cells only, as a display with keys does.")
    var cell = false
    @Argument(
        help: ArgumentHelp(
            "down, move, up, cancel or tap, each with column and row; or wait with milliseconds.", valueName: "acts"))
    var words: [String]

    func validate() throws { _ = try TouchScript(words: words) }

    func run() async throws {
        let script = try TouchScript(words: words)
        try await daemon.connection.withClient(touch: cell ? .cell : nil) { client in
            for act in script.acts {
                switch act {
                case .wait(let duration): try await Task.sleep(for: duration)
                case .touch(let phase, let x, let y):
                    let outcome = try await client.perform(Touch(id: 1, phase: phase, x: x, y: y))
                    if outcome.gesture != nil { try daemon.output.print(outcome, outcome.inWords) }
                }
            }
        }
    }
}
