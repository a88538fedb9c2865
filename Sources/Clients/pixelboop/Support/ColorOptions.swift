import ArgumentParser
import FoundationEssentials
import TerminalGrid

/// How many colours to use in the terminal.
struct ColorOptions: ParsableArguments {
    enum Choice: String, CaseIterable, ExpressibleByArgument {
        case auto
        case trueColor = "24bit"
        case palette = "256"
        case sixteen = "16"
        case none
    }

    @Option(help: "Colours: auto (by the terminal and NO_COLOR, none in files), 24bit, 256, 16 or none.")
    var color = Choice.auto

    /// The terminal's capabilities, with the requested colours.
    var kind: TerminalKind {
        var kind = TerminalKind(environment: ProcessInfo.processInfo.environment)
        switch color {
        // Files and pipes get escape sequences only on request.
        case .auto: if !Output.isTerminal { kind.depth = .monochrome }
        case .trueColor: kind.depth = .trueColor
        case .palette: kind.depth = .palette
        case .sixteen: kind.depth = .sixteen
        case .none: kind.depth = .monochrome
        }
        return kind
    }
}
