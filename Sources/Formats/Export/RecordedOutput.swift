import Engine
import Media
import Music
import OfflineAudio
import SystemSupport

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

/// A complete file of a render that never gets a name.
public struct UnnamedSound: Sendable {
    /// `mix`, or its stem's name.
    public let name: String
    public let file: UnnamedFile
}

/// Outputs of the engine that are written into a file.
struct RecordedOutput {
    /// One of a mono file, left and right of a stereo file.
    let ports: [EnginePort]
    let file: AudioFile

    /// Opens the files of a recording: the mix or a track, and the stems beside it.
    ///
    /// - Parameters:
    ///   - ports: Those of the first file.
    ///   - layout: The first file's; with stems, all are of floats.
    ///   - frames: The least number of frames to expect.
    static func open(
        at path: String, _ ports: [EnginePort] = [.mainLeft, .mainRight], hasStems: Bool, _ layout: AudioFile.Layout,
        expecting frames: Int, allowsRF64: Bool = false
    ) throws(AudioFileError) -> [RecordedOutput] {
        var layout = layout
        if hasStems { layout.sampleFormat = .float32 }
        var outputs: [RecordedOutput] = []
        for (ports, path) in [(ports, path)] + (hasStems ? Stem.all.map { ($0.ports, $0.path(beside: path)) } : []) {
            let file = try AudioFile(path: path, layout: layout, expecting: frames, allowsRF64: allowsRF64)
            outputs.append(RecordedOutput(ports: ports, file: file))
        }
        return outputs
    }

    /// Completes the files of a recording of the mix without giving them their names.
    static func finishUnnamed(_ outputs: [RecordedOutput]) throws(AudioFileError) -> [UnnamedSound] {
        var sounds: [UnnamedSound] = []
        for (index, output) in outputs.enumerated() {
            let name = index == 0 ? "mix" : Stem.all[index - 1].name
            sounds.append(UnnamedSound(name: name, file: try output.file.finishUnnamed()))
        }
        return sounds
    }

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
