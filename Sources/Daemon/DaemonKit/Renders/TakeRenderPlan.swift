import Control
import Engine
import Export
import Files
import JSON
import Media
import Takes
import Wire

/// How a take is rendered for a client, after what was asked for has been checked.
struct TakeRenderPlan: Equatable {
    let options: TakeRenderOptions
    /// Frames per second of the files.
    let rate: Int
    /// Frames that a file will have, give or take one.
    let frameCount: Int
    /// `wav` or `flac`.
    let ending: String

    init(_ call: RenderCall, of take: KeptTake) throws(ServiceError) {
        guard Engine.plays(sampleRate: Double(take.head.sampleRate)) else {
            throw .storage("take \(take.number) is damaged: it has \(take.head.sampleRate) frames a second")
        }
        let format = try Self.format(of: call)
        var options = TakeRenderOptions()
        options.sampleRate = call.rate
        options.sampleFormat = format == .float ? .float32 : .integer24
        options.part = try Self.part(of: call, take)
        options.hasStems = call.stems == true
        self.options = options
        ending = format == .flac ? "flac" : "wav"
        rate = call.rate ?? take.head.sampleRate
        let part = options.part ?? 0..<take.seconds
        frameCount = Int(((min(part.upperBound, take.seconds) - part.lowerBound) * Double(rate)).rounded(.up))
    }

    /// Bytes that all files can have at most.
    var size: Int { SoundSize.most(frameCount, options.sampleFormat, isFLAC: ending == "flac", options.hasStems) }

    private static func format(of call: RenderCall) throws(ServiceError) -> RenderFormat {
        let isWAV = call.path.map(AudioFile.isWAV)
        if let path = call.path, !ExportKind.sound.allows(path) {
            throw refusal("path", expected: ExportKind.sound.expectation, got: "\"\(path)\"")
        }
        if call.stems == true {
            if isWAV == false, let path = call.path {
                throw refusal(
                    "path", expected: "a name that ends in .wav, as stems are WAV files", got: "\"\(path)\"")
            }
            guard call.format ?? .float == .float else {
                throw refusal("format", expected: "float, as stems are", got: call.format)
            }
            return .float
        }
        guard let format = call.format else { return isWAV == true ? .float : .flac }
        guard let isWAV, (format == .flac) == isWAV else { return format }
        throw refusal(
            "format", expected: isWAV ? "float or pcm24 for a .wav file" : "flac for a .flac file", got: format)
    }

    /// In seconds; nil for the whole take.
    private static func part(of call: RenderCall, _ take: KeptTake) throws(ServiceError) -> Range<Double>? {
        guard take.progress.frames > 0 else {
            throw .invalid(FieldError(field: "take", problem: .invalid("nothing has sounded in take \(call.take) yet")))
        }
        guard call.from != nil || call.to != nil else { return nil }
        let (from, to) = (call.from ?? 0, call.to ?? .infinity)
        guard from < take.seconds else {
            let length = words((take.seconds * 1000).rounded() / 1000)
            throw refusal("from", expected: "less than the take's \(length) seconds", got: words(from))
        }
        guard from < to else {
            throw refusal("to", expected: "more than \(words(from)), where the part begins", got: words(to))
        }
        return from..<to
    }

    private static func words(_ seconds: Double) -> String { JSONValue.number(seconds).text }

    private static func refusal(_ field: String, expected: String, got: String) -> ServiceError {
        .invalid(FieldError(field: field, expected: expected, got: got))
    }

    private static func refusal(_ field: String, expected: String, got format: RenderFormat?) -> ServiceError {
        refusal(field, expected: expected, got: format.map { "\"\($0.rawValue)\"" } ?? "nothing")
    }
}

/// How large sound files can become.
enum SoundSize {
    /// Bytes of all files of a render at most.
    static func most(
        _ frameCount: Int, _ format: AudioFile.SampleFormat, isFLAC: Bool, _ hasStems: Bool
    ) -> Int {
        let frameSize =
            switch format {
            case .integer16: 4
            case .integer24: 6
            case .float32: 8
            }
        // FLAC stores blocks that it cannot compress as they are, each with a header.
        let headers = 65_536 + (isFLAC ? frameCount / 128 : 0)
        return (frameCount * frameSize + headers) * (hasStems ? 1 + Stem.all.count : 1)
    }
}
