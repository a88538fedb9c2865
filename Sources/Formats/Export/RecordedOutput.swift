import Engine
import Media
import Music
import OfflineAudio

/// A part of the mix that can have a file of its own. All parts together are the mix before it is made louder and limited.
public struct Stem: Sendable {
    /// `melody`, `chords`, `bass`, `rhythm`, `reverb` or `delay`.
    public let name: String
    /// Left and right.
    let ports: [EnginePort]

    public static let all: [Stem] =
        Track.allCases.map { Stem(name: $0.name, ports: EnginePort.stem($0)) }
        + [Stem(name: "reverb", ports: EnginePort.reverb), Stem(name: "delay", ports: EnginePort.delay)]

    /// The path of its file, beside the mix's: `groove.melody.wav` for `groove.wav`.
    public func path(beside mix: String) -> String {
        let name = mix.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        guard let dot = name.lastIndex(of: ".") else { return "\(mix).\(self.name)" }
        return "\(mix[..<dot]).\(self.name)\(mix[dot...])"
    }
}

/// Outputs of the engine that are written into a file.
struct RecordedOutput {
    /// One of a mono file, left and right of a stereo file.
    let ports: [EnginePort]
    let file: AudioFile

    /// The samples of a period, interleaved.
    func samples(of period: OfflinePeriod) -> [Float] {
        guard ports.count == 2 else { return Array(period[ports[0]]) }
        let (left, right) = (period[ports[0]], period[ports[1]])
        return [Float](unsafeUninitializedCapacity: 2 * left.count) { samples, count in
            for frame in left.indices {
                samples[2 * frame] = left[frame]
                samples[2 * frame + 1] = right[frame]
            }
            count = 2 * left.count
        }
    }
}
