import ArgumentParser
import JSON
import Music
import PatternFormat
import PixelBoopClient

struct MotionCommand: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "motion", abstract: "Move a parameter over a slot's steps, or show what moves.",
        discussion: """
            pixelboop motion bass                     what moves
            pixelboop motion bass tone 0:-12 16:12    from -12 on step 0 to 12 on step 16, and back round the loop
            pixelboop motion bass tone 16:            without the point on step 16
            pixelboop motion bass tone --clear        back to the mixer's value
            """)

    /// A step with a value, or without one to remove its point.
    struct Point: ExpressibleByArgument {
        let step: Int
        let value: Double?

        init?(argument: String) {
            let parts = argument.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let step = Int(parts[0]) else { return nil }
            self.step = step
            value = Double(parts[1])
            guard parts[1].isEmpty || value?.isFinite == true else { return nil }
        }
    }

    struct Movable: ExpressibleByArgument {
        let parameter: Parameter

        init?(argument: String) {
            let name = argument.lowercased()
            guard let parameter = Parameter.movable.first(where: { $0.row.name.lowercased() == name }) else {
                return nil
            }
            self.parameter = parameter
        }

        static var allValueStrings: [String] { Parameter.movable.map(\.row.name) }
    }

    @OptionGroup var daemon: DaemonOptions
    @Argument(help: "The track.")
    var track: Track
    @Argument(help: "The parameter.", completion: .list(Movable.allValueStrings))
    var parameter: Movable?
    @Argument(help: "STEP:VALUE, or STEP: to remove the point there; each is an undo step.")
    var points: [Point] = []
    @Option(help: "The slot, 1 to 8; by default the playing one.")
    var slot: Int?
    @Flag(help: "Remove all points, of all parameters if none is named.")
    var clear = false

    func validate() throws {
        if clear && !points.isEmpty { throw ValidationError("--clear takes no points") }
    }

    func answer(from client: PixelBoopClient) async throws -> Answer {
        if clear {
            try await client.clearMotion(track, parameter?.parameter, slot: slot)
            return .done
        }
        guard let parameter = parameter?.parameter, !points.isEmpty else {
            return try await answer(client.motions(of: track, slot: slot))
        }
        for point in points {
            try await client.setMotion(track, parameter, step: point.step, to: point.value, slot: slot)
        }
        return .done
    }

    private func answer(_ motions: Motions) -> Answer {
        var shown = Motions()
        for parameter in motions.parameters where self.parameter.map({ $0.parameter == parameter }) ?? true {
            for point in motions[parameter] { shown[parameter, point.step] = point.value }
        }
        let lines = shown.parameters.map { parameter in
            let points = shown[parameter].map { "\($0.step):\(JSONValue.number($0.value).text)" }
            return "\(parameter.row.name) \(points.joined(separator: " "))"
        }
        let text = lines.isEmpty ? "nothing moves" : lines.joined(separator: "\n")
        return Answer(Kind<Motions>.motions.json(of: shown), text)
    }
}
