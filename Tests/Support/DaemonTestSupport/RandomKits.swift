import Foundation
import Music
import TestSupport

/// Sample kits for a randomly played daemon.
public enum RandomKits {
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
            let places = #"{"places": {"closed hat": 0.25, "clap": -0.5}}"#
            try Data(places.utf8).write(to: folder.appending(path: "kit.json"))
            try Data("no sound".utf8).write(to: folder.appending(path: "notes.txt"))
        }
    }
}
