import Foundation
import JackTestSupport
import TestSupport

/// A JACK client, in a process of its own, that plays the daemon's MIDI input: keys, bends, controllers and programs.
enum Keyboard {
    /// Its JACK client name.
    private static let clientName = "soak-keys"
    /// The tracks' channels (playing.md), rhythm's last.
    private static let channels: [UInt8] = [0, 1, 2, 9]

    /// Plays until the server or the parent goes away.
    static func run(on server: String, seed: UInt64) async throws {
        let peer = try JackMidiPeer(clientName, ofServerNamed: server)
        try peer.connect("\(clientName):out", to: "pixelboop:midi_in")
        var random = SeededGenerator(seed: seed)
        while true {
            for message in phrase(using: &random) {
                guard await peer.send(message) != nil else { return }
                try await Task.sleep(for: .milliseconds(Int.random(in: 10...150, using: &random)))
            }
        }
    }

    /// Some keys together and their release, or something other than keys.
    private static func phrase(using random: inout SeededGenerator) -> [[UInt8]] {
        let channel = channels.randomElement(using: &random) ?? 0
        let value = UInt8.random(in: 0...127, using: &random)
        switch Int.random(in: 0..<10, using: &random) {
        case 0: return [[0xe0 | channel, 0, value], [0xe0 | channel, 0, 64]]
        // A pedal goes up soon: it would hold the keys of those who vanish.
        case 1: return [[0xb0 | channel, 64, value], [0xb0 | channel, 64, 0]]
        case 2: return [[0xb0 | channel, [1, 7, 10, 74].randomElement(using: &random) ?? 1, value]]
        case 3: return [[0xc0 | channel, value % 8]]
        default:
            let keys = (0..<Int.random(in: 1...4, using: &random)).map { _ in
                UInt8.random(in: 30...90, using: &random)
            }
            return keys.map { [0x90 | channel, $0, max(value, 1)] } + keys.map { [0x80 | channel, $0, 0x40] }
        }
    }
}
