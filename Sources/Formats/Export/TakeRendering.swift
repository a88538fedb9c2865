import Engine
import Media
import Music
import OfflineAudio
import Takes

/// How a take is rendered to a sound file.
public struct TakeRenderOptions: Equatable, Sendable {
    /// Frames per second, 8000 to 192000; nil for the take's own, at which a render is as it sounded, to the bit.
    public var sampleRate: Int?
    /// How the samples are stored.
    public var sampleFormat = AudioFile.SampleFormat.float32
    /// The part to write, in seconds from the take's beginning.
    public var part: Range<Double>?
    /// Whether to write every ``Stem`` into a file of its own, too; all are then WAV files of floats.
    public var hasStems = false

    public init() {}
}

/// What a take's render is.
public struct RenderedTake: Equatable, Sendable {
    /// Frames in the file.
    public var frameCount: Int
    /// The drums whose samples are missing or have changed, and so sound otherwise.
    public var changedDrums: [Drum]
    /// Why it may differ from what was played, besides those; nil if it does not.
    public var warning: String?

    public init(frameCount: Int, changedDrums: [Drum] = [], warning: String? = nil) {
        (self.frameCount, self.changedDrums, self.warning) = (frameCount, changedDrums, warning)
    }
}

/// Renders a take that is stored.
public struct TakeRendering {
    /// The take cannot be rendered, for this reason.
    public struct Failure: Error, Equatable, CustomStringConvertible {
        public let description: String
    }

    private let take: KeptTake
    private let options: TakeRenderOptions
    private let loadKit: (KitFingerprint, Int) -> FoundKit

    /// Frames between two reports of progress.
    private static let stretch = 8192

    /// - Parameters:
    ///   - take: As it is stored now.
    ///   - loadKit: Finds a kit of samples at a rate in Hz.
    public init(
        of take: KeptTake, _ options: TakeRenderOptions,
        loadKit: @escaping (_ kit: KitFingerprint, _ sampleRate: Int) -> FoundKit = { kit, _ in FoundKit(without: kit) }
    ) {
        (self.take, self.options, self.loadKit) = (take, options, loadKit)
    }

    /// Renders into a file, which gets its name when it is complete; with stems into several, which all get theirs or none does.
    ///
    /// - Parameters:
    ///   - nextPieces: Returns the take's next pieces from the one with a number on, and none at its end.
    ///   - progress: Called repeatedly with the fraction that is done, 0 to 1; an error that it throws cancels the render.
    public func write(
        to path: String, nextPieces: (_ first: Int) throws -> [[UInt8]], progress: (Double) throws -> Void = { _ in }
    ) throws -> RenderedTake {
        let (outputs, rendered) = try render(to: path, nextPieces, progress)
        try AudioFile.finish(outputs.map(\.file))
        return rendered
    }

    /// Renders as ``write(to:nextPieces:progress:)`` does, into files that never get the names that they would have had.
    ///
    /// - Returns: The mix, then the stems; and what they are.
    public func writeUnnamed(
        at path: String, nextPieces: (_ first: Int) throws -> [[UInt8]], progress: (Double) throws -> Void = { _ in }
    ) throws -> (sounds: [UnnamedSound], rendered: RenderedTake) {
        let (outputs, rendered) = try render(to: path, nextPieces, progress)
        return (try RecordedOutput.finishUnnamed(outputs), rendered)
    }

    private func render(
        to path: String, _ nextPieces: (_ first: Int) throws -> [[UInt8]], _ progress: (Double) throws -> Void
    ) throws -> ([RecordedOutput], RenderedTake) {
        try TakeReading.check(take)
        let performance = TakePerformance(hasStems: options.hasStems, sampleRate: options.sampleRate, loadKit)
        var writer: TakeFileWriter?
        do {
            try performance.play(nextPieces) { output in
                guard let open = try writer ?? self.writer(to: path, for: performance) else { return }
                writer = open
                guard try open.write(output, reportingEach: Self.stretch, progress) else { throw Finished() }
            }
        } catch is Finished {}
        guard let writer = try writer ?? self.writer(to: path, for: performance) else {
            throw Failure(description: "the take is empty")
        }
        try progress(1)
        let rendered = RenderedTake(
            frameCount: writer.outputs[0].file.frameCount, changedDrums: performance.changedDrums,
            warning: TakeReading.warning(of: take) ?? (isCut(writer) ? TakeReading.cutWarning : nil))
        return (writer.outputs, rendered)
    }

    /// All frames that are wanted have been written.
    private struct Finished: Error {}

    private func writer(to path: String, for performance: TakePerformance) throws -> TakeFileWriter? {
        guard let rates = performance.rates else { return nil }
        let length = Int(min(max(0, take.progress.frames), KeptTake.longest))
        return try TakeFileWriter(path, options, length: length, rates: rates)
    }

    /// Whether a part of the take is missing: its length is rounded at another rate.
    private func isCut(_ writer: TakeFileWriter) -> Bool { !take.isCurrent && writer.missingFrames > 2 }
}

/// What keeps stored takes from being read as they were played.
enum TakeReading {
    static let cutWarning = "the take is damaged, and ends where it can no longer be read"

    /// - Throws: `TakeRendering.Failure` if the take cannot be read.
    static func check(_ take: KeptTake) throws(TakeRendering.Failure) {
        guard take.format != KeptTake.readableFormat else { return }
        throw TakeRendering.Failure(
            description: "the take has format \(take.format), and this version reads \(KeptTake.readableFormat) only")
    }

    /// Why a take may sound otherwise than when it was played; nil if it does not.
    static func warning(of take: KeptTake) -> String? {
        let head = take.head
        guard head.engineVersion != Engine.version || head.architecture != TakeHead.ownArchitecture else { return nil }
        return """
            it was played by version \(head.engineVersion) of the engine on \(head.architecture), this is version \
            \(Engine.version) on \(TakeHead.ownArchitecture): it may sound otherwise
            """
    }
}

/// Plays the records of a take one after the other.
final class TakePerformance {
    private let hasStems: Bool
    private let wantedRate: Int?
    /// Changes each score's source before it is played; nil to play what was played.
    private let change: ((ScoreSource) -> ScoreSource)?
    private let loadKit: (KitFingerprint, Int) -> FoundKit
    private(set) var replay: TakeReplay?
    private var scores: [UInt: Score] = [:]
    private var timelines: [UInt: TimelineNews] = [:]
    private var kits: [Int: KitFingerprint] = [:]
    private var builder = ScoreBuilder()
    private(set) var changedDrums: [Drum] = []
    /// Frames per second of the take and of the render, once they are known.
    private(set) var rates: (take: Double, render: Double)?

    init(
        hasStems: Bool = false, sampleRate: Int? = nil, change: ((ScoreSource) -> ScoreSource)? = nil,
        _ loadKit: @escaping (KitFingerprint, Int) -> FoundKit
    ) {
        (self.hasStems, wantedRate, self.change, self.loadKit) = (hasStems, sampleRate, change, loadKit)
    }

    /// Plays a take.
    ///
    /// - Parameters:
    ///   - nextPieces: Returns its next pieces from the one with a number on, and none at its end.
    ///   - sink: Called with each part of the output. An error that it throws ends the performance.
    func play(
        _ nextPieces: (_ first: Int) throws -> [[UInt8]], _ sink: (TakeReplay.Output) throws -> Void
    ) throws {
        var (reader, count) = (TakeContentReader(), 0)
        while true {
            let pieces = try nextPieces(count)
            guard !pieces.isEmpty else { return }
            count += pieces.count
            for piece in pieces {
                for record in try reader.read(piece) { try play(record, sink) }
            }
        }
    }

    private func play(_ record: TakeContentRecord, _ sink: (TakeReplay.Output) throws -> Void) throws {
        switch record {
        case .score(let number, let source): scores[number] = builder.score(of: change?(source) ?? source)
        case .timeline(let number, let news): timelines[number] = news
        case .kit(let number, let kit): kits[number] = kit
        case .beginning(let beginning): try begin(beginning)
        case .log(let bytes):
            guard let replay else { throw MalformedTake() }
            try replay.render(bytes, sink)
            // The log never goes back to an earlier one.
            if let newest = scores.keys.max() { scores = scores.filter { $0.key == newest } }
        }
    }

    private func begin(_ beginning: TakeBeginning) throws {
        guard replay == nil else { throw MalformedTake() }
        let rate = wantedRate.map { Double($0) } ?? beginning.sampleRate
        rates = (beginning.sampleRate, rate)
        let materials = TakeMaterials(
            score: { [unowned self] in try find($0, in: scores) },
            timeline: { [unowned self] number in number == 0 ? TimelineNews() : try find(number, in: timelines) },
            kit: { [unowned self] number, _ in kits[number].flatMap { load($0) } })
        do {
            replay = try TakeReplay(beginning, sampleRate: rate, hasStems: hasStems, materials)
        } catch TakeReplay.Failure.unknownMemory {
            throw TakeRendering.Failure(
                description: "the take was played by a version of the engine whose memory this version cannot read")
        }
        // Until a score is applied, the engine does what its memory says.
        if change != nil { try replay?.play(find(beginning.numbers.score, in: scores)) }
    }

    private func find<Number, Material>(_ number: Number, in materials: [Number: Material]) throws -> Material {
        guard let material = materials[number] else { throw MalformedTake() }
        return material
    }

    private func load(_ kit: KitFingerprint) -> SampleKit? {
        // A kit that was loaded for another rate was not heard.
        guard let rates, Double(kit.sampleRate) == rates.take else { return nil }
        let found = loadKit(kit, Int(rates.render))
        changedDrums += found.changedDrums.filter { !changedDrums.contains($0) }
        return found.kit
    }
}

/// Writes a part of what a take's performance puts out.
private final class TakeFileWriter {
    let outputs: [RecordedOutput]
    /// The frames of the output that are written.
    private let part: Range<Int>
    /// Frames of the output so far.
    private var frame = 0

    init(_ path: String, _ options: TakeRenderOptions, length: Int, rates: (take: Double, render: Double)) throws {
        let end = Int((Double(length) * rates.render / rates.take).rounded(.up))
        let whole = 0..<end
        part =
            options.part.map { seconds in
                let first = max(0, min(seconds.lowerBound * rates.render, 1e15))
                let last = max(first, min(seconds.upperBound * rates.render, 1e15))
                return (Int(first)..<Int(last)).clamped(to: whole)
            } ?? whole
        outputs = try RecordedOutput.open(
            at: path, hasStems: options.hasStems,
            AudioFile.Layout(sampleRate: Int(rates.render), channels: 2, sampleFormat: options.sampleFormat),
            expecting: part.count, allowsRF64: true)
    }

    /// Frames that are yet to come.
    var missingFrames: Int { max(0, part.upperBound - frame) }

    /// Writes what is wanted of an output.
    ///
    /// - Parameters:
    ///   - stretch: Frames between two reports of progress.
    ///   - progress: Called with the fraction of the part's end that is reached.
    /// - Returns: Whether more is wanted.
    func write(
        _ output: TakeReplay.Output, reportingEach stretch: Int, _ progress: (Double) throws -> Void
    ) throws -> Bool {
        let before = frame
        try write(output)
        if frame / stretch > before / stretch { try progress(min(1, Double(frame) / Double(max(1, part.upperBound)))) }
        return missingFrames > 0
    }

    private func write(_ output: TakeReplay.Output) throws {
        let count =
            switch output {
            case .period(let period): period.frameCount
            case .silence(let count): count
            }
        let (first, last) = (max(part.lowerBound - frame, 0), min(part.upperBound - frame, count))
        frame += count
        guard first < last else { return }
        for file in outputs {
            switch output {
            case .period(let period):
                try file.file.write(interleaved: Array(file.samples(of: period)[2 * first..<2 * last]))
            case .silence: try file.file.write(interleaved: [Float](repeating: 0, count: 2 * (last - first)))
            }
        }
    }
}
