import ArgumentParser
import FrameImage
import Grid
import PixelBoopClient
import Storage
import TerminalGrid
import Wire

struct Show: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show the grid in the terminal, or write it as a picture.")

    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var colors: ColorOptions
    @Flag(name: .shortAndLong, help: "Keep it live, until Ctrl-C or q.")
    var follow = false
    @Option(
        help: ArgumentHelp("Write a picture instead; - for standard output.", valueName: "file"),
        completion: .file(extensions: ["png"]))
    var png: String?
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The side of a cell in the picture, 6 to 20 pixels.", valueName: "n"))
    var pixel = 12

    func validate() throws {
        guard FrameImage.pixelSides.contains(pixel) else {
            throw ValidationError("--pixel: expected 6 to 20, got \(pixel)")
        }
        guard !follow || (png == nil && !output.json) else {
            throw ValidationError("--follow shows the grid in the terminal: it goes with neither --png nor --json")
        }
    }

    func run() async throws {
        if follow { return try await followGrid() }
        try await connection.withClient { client in
            let keyFrame = try await client.frame()
            if let png {
                try OutputFile.write(FrameImage.pngData(of: keyFrame.frame, pixel: pixel), to: png, as: .picture)
            } else if output.json {
                try output.print(keyFrame, "")
            } else {
                try Output.write(text(of: keyFrame.frame))
            }
        }
    }

    /// The grid as lines, as wide as the terminal allows.
    private func text(of frame: Frame) -> String {
        let width = Terminal.standardOutputSize?.columns ?? .max
        let style = width < CellStyle.twoColumns.gridSize.columns ? CellStyle.halfBlocks : .twoColumns
        var screen = Screen(size: style.gridSize)
        screen.draw(frame, at: GridPlacement(style: style))
        return screen.lines(depth: colors.depth).map { $0 + "\n" }.joined()
    }

    private func followGrid() async throws {
        let terminal = try Terminal.controlling(for: "show --follow")
        // Before the terminal is taken over: a missing daemon is told where it is seen.
        let client = try await PixelBoopClient.connect(to: connection.path)
        defer { client.close() }
        try await client.hello(client: "pixelboop show")
        try await InstrumentRunner(terminal: terminal, depth: colors.depth, mode: .display).run(first: client)
    }
}
