import ArgumentParser
import Files
import Grid
import PixelBoopClient
import TerminalGrid
import Wire

struct Show: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show the grid in the terminal, or write it as a picture.")

    @OptionGroup var daemon: DaemonOptions
    @OptionGroup var colors: ColorOptions
    @Flag(name: .shortAndLong, help: "Keep it live, until Ctrl-C or q.")
    var follow = false
    @Flag(help: "Write the notes' names into the cells.")
    var names = false
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
        guard !follow || (png == nil && !daemon.output.json) else {
            throw ValidationError("--follow shows the grid in the terminal: it goes with neither --png nor --json")
        }
        guard !names || (png == nil && !daemon.output.json) else {
            throw ValidationError("--names writes into the grid as text: it goes with neither --png nor --json")
        }
    }

    func run() async throws {
        if follow { return try await followGrid() }
        try await daemon.connection.withClient { client in
            let keyFrame = try await client.frame()
            if let png {
                try OutputFile.write(FrameImage.pngData(of: keyFrame.frame, pixel: pixel), to: png, as: .picture)
            } else if daemon.output.json {
                try daemon.output.print(keyFrame, "")
            } else {
                let labels = names ? try await labels(from: client) : nil
                try Output.write(text(of: keyFrame.frame, labels: labels))
            }
        }
    }

    private func labels(from client: PixelBoopClient) async throws -> Labels {
        for try await event in try await client.subscribe(to: [.labels]) {
            if case .labels(let labels) = event { return labels }
        }
        return Labels()
    }

    /// The grid as lines, as wide as the terminal allows; with names as wide as they need.
    private func text(of frame: Frame, labels: Labels?) -> String {
        let width = Terminal.standardOutputSize?.columns ?? .max
        let isWide = labels != nil || width >= CellStyle.twoColumns.gridSize.columns
        let placement = GridPlacement(style: isWide ? .twoColumns : .halfBlocks)
        var screen = Screen(size: placement.size)
        screen.draw(frame, at: placement)
        if let labels { screen.draw(labels, over: frame, at: placement) }
        return screen.lines(on: colors.kind).map { $0 + "\n" }.joined()
    }

    private func followGrid() async throws {
        let terminal = try Terminal.controlling(for: "show --follow", kind: colors.kind)
        // Connects before switching to the alternate screen, so that a missing daemon is reported on the normal one.
        let client = try await PixelBoopClient.connect(to: daemon.connection.path)
        defer { client.close() }
        try await client.hello(client: "pixelboop show")
        try await InstrumentRunner(terminal: terminal, mode: .display, names: names ? true : nil).run(first: client)
    }
}
