import Foundation
import Music
import PixelBoopClient
import SurfaceTestSupport
import TestSupport

/// What musicians do besides playing: they record, and send OSC.
extension Traffic {
    /// Records the MIDI input now and then, until cancelled.
    static func record(at path: String, seed: UInt64) async throws {
        let client = try await PixelBoopClient.connect(to: path)
        var random = SeededGenerator(seed: seed)
        while !Task.isCancelled {
            for isOn in [true, false] {
                do {
                    try await client.record(isOn)
                } catch ClientError.refused {
                    // There is no JACK server at the moment.
                }
                try await Task.sleep(for: .milliseconds(Int.random(in: 500...8000, using: &random)))
            }
        }
    }

    /// Calls methods by OSC until cancelled.
    static func sendOSC(to port: Int, seed: UInt64) async throws {
        let peer = try ChildProgram(peer: "osc_client.py", "tcp", "\(port)")
        guard await peer.line() == "ready" else { throw SoakStage.Failure(description: "python-osc does not run") }
        var random = SeededGenerator(seed: seed)
        while !Task.isCancelled {
            let track = Track.allCases.randomElement(using: &random)!.name
            let step = Int.random(in: 0..<32, using: &random)
            let note = Int.random(in: 0..<12, using: &random)
            let message =
                switch Int.random(in: 0..<4, using: &random) {
                case 0: #"["/pixelboop/ping"]"#
                case 1: #"["/pixelboop/track/set", "\#(track)", "pan", \#(Double.random(in: -1...1, using: &random))]"#
                default: #"["/pixelboop/note/set", "\#(track)", \#(step), \#(note), "normal"]"#
                }
            peer.write(message)
            // A note that is not in the scale is refused.
            guard let answer = await peer.line(), answer.contains("/reply") || answer.contains("/error") else {
                try Task.checkCancellation()
                throw SoakStage.Failure(description: "OSC was not answered: \(message)")
            }
            try await Task.sleep(for: .milliseconds(Int.random(in: 50...500, using: &random)))
        }
    }
}
