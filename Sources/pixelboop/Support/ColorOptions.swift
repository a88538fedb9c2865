import ArgumentParser
import Foundation
import TerminalGrid

/// How many colours the terminal is given.
struct ColorOptions: ParsableArguments {
    enum Choice: String, CaseIterable, ExpressibleByArgument {
        case auto
        case trueColor = "24bit"
        case palette = "256"
    }

    @Option(help: "Colours of the terminal: as it says itself (auto), 24bit or 256.")
    var color = Choice.auto

    var depth: ColorDepth {
        switch color {
        // A file or a pipe gets all there is.
        case .auto:
            Output.isTerminal ? ColorDepth(environment: ProcessInfo.processInfo.environment) : .trueColor
        case .trueColor: .trueColor
        case .palette: .palette
        }
    }
}
