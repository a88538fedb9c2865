import Foundation
import Music
import PixelBoopClient
import TestSupport

/// Kits of samples for a daemon that is played at random.
public enum RandomKits {
    /// Their names.
    public static let names = ["Dust", "Rust"]

    /// Puts them into a daemon's data directory.
    public static func write(to dataDirectory: URL) throws {
        for (index, name) in names.enumerated() {
            let folder = dataDirectory.appending(path: "kits/\(name)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            for (place, drum) in Drum.allCases.enumerated() where place % 3 != 2 {
                let samples = WaveFile.sine(100 * Double(place + 1 + index), frames: 12_000 * (place + 1), level: 0.3)
                let file = folder.appending(path: "\(drum.title.lowercased()).wav")
                try WaveFile.bytes(samples, sampleRate: 44_100).write(to: file)
            }
            try Data("no sound".utf8).write(to: folder.appending(path: "notes.txt"))
        }
    }
}

extension PixelBoopClient {
    /// Changes the sound of a track, and now and then what all have in common: presets, kits, sends, reverb, delay.
    public func changeSounds(using random: inout SeededGenerator) async throws {
        let track = Track.allCases.randomElement(using: &random)!
        var values: [Parameter: ParameterValue] = [:]
        for parameter in Parameter.of(track) where parameter.row.home == .sounds {
            values[parameter] = parameter.row.kind(on: track).value(atController: .random(in: 0...127, using: &random))
        }
        if track == .rhythm, Bool.random(using: &random) {
            let kits = try await state().state.kits
            values[.kit] = .choice(kits.randomElement(using: &random)!)
        }
        try await set(track, values)
        for parameter in Parameter.ofWhole
        where parameter.row.home == .sounds && Int.random(in: 0..<4, using: &random) == 0 {
            try await set(parameter, to: parameter.row.kind().value(atController: .random(in: 0...127, using: &random)))
        }
        if Int.random(in: 0..<20, using: &random) == 0 { _ = try await kits(reloading: true) }
    }
}
