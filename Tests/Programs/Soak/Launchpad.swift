import Controllers
import Foundation
import Grid
import SurfaceTestSupport
import Synchronization
import TestSupport

/// A Launchpad that is played, and plugged in again when JACK comes back.
final class Launchpad: Sendable {
    private let jackServer: String
    private let device = Mutex<ChildProgram?>(nil)

    init(jackServer: String) { self.jackServer = jackServer }

    /// Connects a new one to the JACK server in place of the previous one.
    func plugIn() async throws {
        unplug()
        let peer = try ChildProgram(peer: "launchpad.py", jackServer, "Launchpad Mini MK3", "13", debian: true)
        guard await peer.line() == "ready" else {
            throw SoakStage.Failure(description: "no Launchpad on the JACK server")
        }
        device.withLock { $0 = peer }
    }

    /// Unplugs it.
    func unplug() { device.withLock { $0 = nil } }

    /// Presses pads until cancelled.
    func play(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        while true {
            let pad = 10 * Int.random(in: 1...8, using: &random) + Int.random(in: 1...8, using: &random)
            write("midi 144 \(pad) 127")
            let hold = Int.random(in: 0..<4, using: &random) == 0 ? 450 : 60
            // A finger that is down is lifted even after cancellation.
            try? await Task.sleep(for: .milliseconds(hold))
            write("midi 128 \(pad) 0")
            try await Task.sleep(for: .milliseconds(Int.random(in: 100...1000, using: &random)))
        }
    }

    /// Whether its lights show a frame's first page.
    func shows(_ frame: Frame) async throws -> Bool {
        guard let device = device.withLock(\.self) else { return false }
        device.write("lights")
        while let line = await device.line() {
            guard line.hasPrefix("lights ") else { continue }
            return try JSONDecoder().decode([String: [Int]].self, from: Data(line.dropFirst(7).utf8))
                == Self.lights(of: frame)
        }
        return false
    }

    /// The lights that are on, by their numbers.
    private static func lights(of frame: Frame) -> [String: [Int]] {
        var deck = Deck(.eight, isBare: false, number: 0)
        deck.show(frame)
        var lights: [String: [Int]] = [:]
        for (spot, color) in deck.lights {
            // A light is a kind, a number and three values, between a header of 7 bytes and the end.
            let light = LaunchpadProtocol(.miniMK3).message(spot, color.rgb).dropFirst(7).dropLast()
            let levels = light.suffix(3).map(Int.init)
            if levels != [0, 0, 0] { lights["\(light[8])"] = levels }
        }
        return lights
    }

    private func write(_ line: String) { device.withLock(\.self)?.write(line) }
}
