import ArgumentParser
import JSON
import Music
import PixelBoopClient
import Wire

struct SetLens: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "lens",
        abstract: "Open a lens on a track, on all displays; without a lens, print which is open.",
        discussion: """
            pixelboop lens bass chance                how often each note plays; `none` shows notes again
            pixelboop lens bass chance --reset        every note always plays again
            """)

    enum Choice: ExpressibleByArgument {
        case lens(Lens)
        case none

        init?(argument: String) {
            if argument.lowercased() == "none" {
                self = .none
            } else if let lens = Lens.allCases.first(where: { $0.name.lowercased() == argument.lowercased() }) {
                self = .lens(lens)
            } else {
                return nil
            }
        }

        static var allValueStrings: [String] { Lens.allCases.map(\.name) + ["none"] }
    }

    @OptionGroup var daemon: DaemonOptions
    @Argument(help: "The track.")
    var track: Track
    @Argument(help: "The lens, or `none` to close the open one.", completion: .list(Choice.allValueStrings))
    var lens: Choice?
    @Flag(help: "Reset the playing slot's notes to the lens's default instead.")
    var reset = false

    func validate() throws {
        guard reset else { return }
        guard case .lens? = lens else { throw ValidationError("--reset needs a lens") }
    }

    func answer(from client: PixelBoopClient) async throws -> Answer {
        switch lens {
        case .lens(let lens) where reset: try await client.resetLens(track, lens)
        case .lens(let lens): try await client.setLens(track, lens)
        case Choice.none?: try await client.setLens(track, nil)
        case nil:
            let name = try await client.state().state.lenses[track]?.name
            return Answer(name.map { ["lens": .string($0)] } ?? [:], name ?? "none")
        }
        return .done
    }
}

struct SetFill: SilentCommand {
    static let configuration = CommandConfiguration(
        commandName: "fill", abstract: "Switch FILL on or off; notes can depend on it.")

    @OptionGroup var daemon: DaemonOptions
    @Argument(help: "on or off.")
    var state: Switch

    func perform(_ client: PixelBoopClient) async throws { try await client.setFill(state.isOn) }
}

struct DiceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dice", abstract: "Roll the dice that decide chances, or freeze what they decided.",
        subcommands: [RollDice.self, FreezeDice.self])
}

struct RollDice: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "roll", abstract: "Give the dice the next seed, and print it.")

    @OptionGroup var daemon: DaemonOptions

    func answer(from client: PixelBoopClient) async throws -> Answer {
        let seed = try await client.rollDice()
        return Answer(["seed": .number(Double(seed))], String(seed))
    }
}

struct FreezeDice: SilentCommand {
    static let configuration = CommandConfiguration(
        commandName: "freeze",
        abstract: "Keep what dice and cycles decided in a track's last whole pass; one undo step.")

    @OptionGroup var daemon: DaemonOptions
    @Argument(help: "The track.")
    var track: Track

    func perform(_ client: PixelBoopClient) async throws { try await client.freezeDice(track) }
}
