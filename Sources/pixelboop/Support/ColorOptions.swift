import ArgumentParser
import Foundation
import TerminalGrid

/// How many colours the terminal is given.
struct ColorOptions: ParsableArguments {
    enum Choice: String, CaseIterable, ExpressibleByArgument {
        case auto
        case trueColor = "24bit"
        case palette = "256"
        case none
    }

    @Option(help: "Colours of the terminal: as it and NO_COLOR say (auto), 24bit, 256 or none.")
    var color = Choice.auto

    var depth: ColorDepth {
        switch color {
        case .auto: automatic
        case .trueColor: .trueColor
        case .palette: .palette
        case .none: .monochrome
        }
    }

    private var automatic: ColorDepth {
        let depth = ColorDepth(environment: ProcessInfo.processInfo.environment)
        // A file or a pipe gets all colours there are, unless none are wanted.
        return Output.isTerminal || depth == .monochrome ? depth : .trueColor
    }
}
