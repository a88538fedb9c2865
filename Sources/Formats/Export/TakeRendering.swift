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
}

/// Renders a take that is stored.
public struct TakeRendering {
    /// The take cannot be rendered, for this reason.
    public struct Failure: Error, Equatable, CustomStringConvertible {
        public let description: String
    }

    private let options: TakeRenderOptions
    /// The take's frames, at its own rate.
    private let length: Int
    private let loadKit: (KitFingerprint, Int) -> FoundKit

    /// - Parameters:
    ///   - take: As it is stored now.
    ///   - loadKit: Finds a kit of samples at a rate in Hz.
    public init(
        of take: KeptTake, _ options: TakeRenderOptions,
        loadKit: @escaping (_ kit: KitFingerprint, _ sampleRate: Int) -> FoundKit = { kit, _ in FoundKit(without: kit) }
    ) {
        self.options = options
        self.loadKit = loadKit
        length = max(0, Int(take.progress.frames))
    }

    /// Renders into a file, which gets its name when it is complete; with stems into several, which all get theirs or none does.
    ///
    /// - Parameters:
    ///   - nextPieces: Returns the take's next pieces from the one with a number on, and none at its end.
    ///   - progress: Called repeatedly with the fraction that is done, 0 to 1; an error that it throws cancels the render.
    public func write(
        to path: String, nextPieces: (_ first: Int) throws -> [[UInt8]], progress: (Double) throws -> Void = { _ in }
    ) throws -> RenderedTake {
        let performance = TakePerformance(hasStems: options.hasStems, sampleRate: options.sampleRate, loadKit)
        var writer: TakeFileWriter?
        var (reader, count) = (TakeContentReader(), 0)
        while writer?.isComplete != true {
            let pieces = try nextPieces(count)
            guard !pieces.isEmpty else { break }
            count += pieces.count
            for piece in pieces {
                for record in try reader.read(piece) where writer?.isComplete != true {
                    try performance.play(record) { output in try writer?.write(output) }
                    if writer == nil, let rate = performance.rates {
                        writer = try TakeFileWriter(path, options, length: length, rates: rate)
                    }
                    try progress(writer?.share ?? 0)
                }
            }
        }
        guard let writer else { throw Failure(description: "the take is empty") }
        return RenderedTake(frameCount: try writer.finish(), changedDrums: performance.changedDrums)
    }
}

/// A kit of samples that was looked for.
public struct FoundKit {
    /// What there is of it; nil for nothing.
    public var kit: SampleKit?
    /// The drums that are missing or have changed.
    public var changedDrums: [Drum]

    public init(_ kit: SampleKit?, changedDrums: [Drum]) { (self.kit, self.changedDrums) = (kit, changedDrums) }

    /// Nothing was found.
    public init(without kit: KitFingerprint) {
        self.init(nil, changedDrums: kit.drums.compactMap { Drum(rawValue: $0.drum) })
    }
}

/// Plays the records of a take one after the other.
private final class TakePerformance {
    private let hasStems: Bool
    private let wantedRate: Int?
    private let loadKit: (KitFingerprint, Int) -> FoundKit
    private var replay: TakeReplay?
    private var scores: [UInt: Score] = [:]
    private var timelines: [UInt: TimelineNews] = [:]
    private var kits: [Int: KitFingerprint] = [:]
    private var builder = ScoreBuilder()
    private(set) var changedDrums: [Drum] = []
    /// Frames per second of the take and of the render, once they are known.
    private(set) var rates: (take: Double, render: Double)?

    init(hasStems: Bool, sampleRate: Int?, _ loadKit: @escaping (KitFingerprint, Int) -> FoundKit) {
        (self.hasStems, wantedRate, self.loadKit) = (hasStems, sampleRate, loadKit)
    }

    func play(_ record: TakeContentRecord, _ sink: (TakeReplay.Output) throws -> Void) throws {
        switch record {
        case .score(let number, let source): scores[number] = builder.score(of: source)
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
        let rate = wantedRate.map { Double($0) } ?? beginning.sampleRate
        let materials = TakeMaterials(
            score: { [unowned self] in try find($0, in: scores) },
            timeline: { [unowned self] number in number == 0 ? TimelineNews() : try find(number, in: timelines) },
            kit: { [unowned self] number, rate in kits[number].flatMap { load($0, rate) } })
        replay = try TakeReplay(beginning, sampleRate: rate, hasStems: hasStems, materials)
        rates = (beginning.sampleRate, rate)
    }

    private func find<Number, Material>(_ number: Number, in materials: [Number: Material]) throws -> Material {
        guard let material = materials[number] else { throw MalformedTake() }
        return material
    }

    private func load(_ kit: KitFingerprint, _ sampleRate: Double) -> SampleKit? {
        let found = loadKit(kit, Int(sampleRate))
        changedDrums += found.changedDrums.filter { !changedDrums.contains($0) }
        return found.kit
    }
}

/// Writes a part of what a take's performance puts out.
private final class TakeFileWriter {
    private let outputs: [RecordedOutput]
    /// Of the output, of which the part is written.
    private let part: Range<Int>
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

    var isComplete: Bool { frame >= part.upperBound }

    /// The fraction of the part's end that is reached.
    var share: Double { part.upperBound == 0 ? 1 : min(1, Double(frame) / Double(part.upperBound)) }

    func write(_ output: TakeReplay.Output) throws {
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

    /// - Returns: The frames in each file.
    func finish() throws -> Int {
        try AudioFile.finish(outputs.map(\.file))
        return outputs[0].file.frameCount
    }
}
