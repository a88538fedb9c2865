import Engine
import Files
import Media
import Music
import OfflineAudio
import SystemSupport

/// How a document is rendered to a sound file.
public struct RecordingOptions: Equatable, Sendable {
    /// Frames per second, 8000 to 192000.
    public var sampleRate = 48_000
    /// How the samples are stored.
    public var sampleFormat = AudioFile.SampleFormat.integer24
    /// How many times the pattern is played, at least once.
    public var loops = 1
    /// What plays in each loop; empty for the slots that play now.
    public var turns: [PlayingSlots] = []
    /// The one track to record, mono, as at its port; nil for the stereo mix.
    public var track: Track?
    /// Whether to write every ``Stem`` into a file of its own, too. All files are then WAV files of 32-bit floats; not with
    /// ``track``.
    public var hasStems = false

    /// 48 kHz, 24 bits, once, the stereo mix.
    public init() {}
}

/// Renders a document into a sound file, offline: the same bytes each time.
///
/// The pattern is played the given number of times; then no more notes start, and what sounds rings out: reverb and delay for
/// at most 20 s, of which the last 50 ms are faded.
public struct Recording: Sendable {
    /// Frames rendered between two reports of progress.
    private static let stretch = 8192
    /// The longest that notes can sound after the last loop, in seconds: a note of 32 steps lasts 24 s at 20 BPM, and
    /// releases and cymbals end within a few more.
    private static let longestNote = 30
    /// Seconds that reverb and delay may ring on after the notes.
    private static let longestTail = 20
    /// Seconds in which they are faded out when that is not enough.
    private static let fade = 0.05

    private let document: Document
    private let options: RecordingOptions
    private let samples: SampleFolder?

    /// A recording of a document; its mutes and solo apply.
    ///
    /// - Parameter samples: The samples that the document's drums play, at the options' sample rate.
    public init(of document: Document, _ options: RecordingOptions, samples: SampleFolder? = nil) {
        self.document = document
        self.options = options
        self.samples = samples
    }

    /// Frames until the last loop ends; what rings out after it is not counted.
    public var playedFrames: Int {
        let stepFrames = Double(options.sampleRate) * 60 / document.pattern.bpm / 4
        return Int(exactly: min((playedSteps * stepFrames).rounded(), 0x1p53))!
    }

    /// Steps of the song until then.
    private var playedSteps: Double {
        Double(options.loops) * Double(max(1, options.turns.count)) * Double(document.pattern.length)
    }

    /// How many turns are played in all, repetitions included; 1 without turns.
    private var turns: Int { options.turns.isEmpty ? 1 : options.turns.count * options.loops }

    /// The score of a loop: what plays in it, and what plays next, queued for the loop's end.
    private func score(ofTurn turn: Int) -> Score {
        var score = launchingScore(ofTurn: turn)
        // Notes of a further loop that would start early are left out.
        score.end = Int64(min(playedSteps, 0x1p53))
        // Offline no outside source would ever start the music.
        score.sync = SyncSettings()
        return score
    }

    private func launchingScore(ofTurn turn: Int) -> Score {
        guard !options.turns.isEmpty else { return Score(document) }
        func slots(_ turn: Int) -> [Slot] { options.turns[turn % options.turns.count].all }
        var document = document
        document.launch(slots(turn))
        var score = Score(document)
        for track in Track.allCases { score.launches[track.rawValue].known = Int64(turn) }
        guard turn + 1 < turns else { return score }
        for (slot, next) in zip(slots(turn), slots(turn + 1)) {
            // Links of a chain wait for the end of the loop.
            score.launches[slot.track.rawValue].queue(
                TrackLaunches([slot.index, next.index], isPlaying: true), number: Int64(turn + 1))
        }
        return score
    }

    /// Renders into a file, which gets its name when it is complete; with stems into several, which all get theirs or none
    /// does.
    ///
    /// - Parameters:
    ///   - path: Where to write; see ``ExportKind/sound`` for the names and ``PendingFile`` for the files that are
    ///     allowed. The extension decides the format, `flac` or `wav`.
    ///   - progress: Called repeatedly with the fraction that is done, 0 to 1; an error that it throws cancels the
    ///     recording.
    /// - Returns: Frames in the file.
    /// - Throws: `AudioFileError`; a recording that the format has no room for is refused before anything is written.
    ///   Also `UnplayableRate`, and `OrdinaryThread.Failure`: the tracks are rendered on a thread of their own.
    public func write(to path: String, progress: (Double) throws -> Void = { _ in }) throws -> Int {
        let outputs = try render(to: path, progress: progress)
        try AudioFile.finish(outputs.map(\.file))
        return outputs[0].file.frameCount
    }

    /// Renders as ``write(to:progress:)`` does, into files that never get the names that they would have had.
    ///
    /// - Returns: The mix, then the stems; and the frames in each file.
    public func writeUnnamed(
        at path: String, progress: (Double) throws -> Void = { _ in }
    ) throws -> (sounds: [UnnamedSound], frameCount: Int) {
        let outputs = try render(to: path, progress: progress)
        return (try RecordedOutput.finishUnnamed(outputs), outputs[0].file.frameCount)
    }

    /// Renders a WAV file, and passes its bytes on when all is rendered, because its header contains the length.
    ///
    /// - Parameters:
    ///   - directory: Where the file is stored until then, without a name.
    ///   - progress: As above.
    ///   - sink: Called with the next bytes.
    public func stream(
        spoolingIn directory: String, progress: (Double) throws -> Void = { _ in }, to sink: ([UInt8]) throws -> Void
    ) throws {
        precondition(!options.hasStems, "a stream is one file")
        try render(to: "\(directory)/pixelboop-stream.wav", progress: progress)[0].file.finish(handingTo: sink)
    }

    /// - Returns: The mix or the track, and the stems.
    private func render(to path: String, progress: (Double) throws -> Void) throws -> [RecordedOutput] {
        let driver = try driver()
        let outputs = try openOutputs(at: path)
        let end = playedFrames
        let queue = PeriodQueue(hasStems: options.hasStems)
        defer { queue.close() }
        let finisher = Finisher(engine: driver.engine, queue: queue)
        let tracks = Tracks(driver: driver)
        try OrdinaryThread.start(name: "tracks") { [self] in render(tracks, into: queue) }
        while finisher.frame < end {
            _ = try record(min(Self.stretch, end - Int(finisher.frame)), from: finisher, into: outputs)
            try progress(Double(finisher.frame) / Double(end))
        }
        try ringOut(finisher, into: outputs) { try progress(1) }
        return outputs
    }

    /// Frames that the file can have at most.
    public var longestFrames: Int { playedFrames + (Self.longestNote + Self.longestTail) * options.sampleRate }

    private func openOutputs(at path: String) throws(AudioFileError) -> [RecordedOutput] {
        precondition(!options.hasStems || options.track == nil, "the stems of one track")
        let ports: [EnginePort] = options.track.map { [.track($0)] } ?? [.mainLeft, .mainRight]
        let layout = AudioFile.Layout(
            sampleRate: options.sampleRate, channels: ports.count, sampleFormat: options.sampleFormat)
        return try RecordedOutput.open(at: path, ports, hasStems: options.hasStems, layout, expecting: longestFrames)
    }

    private func driver() throws(UnplayableRate) -> OfflineDriver {
        let engine = Engine(score: score(ofTurn: 0))
        if let samples { engine.publish(SampleKit(samples, sampleRate: options.sampleRate)) }
        return try OfflineDriver(
            engine: engine, sampleRate: Double(options.sampleRate), hasStems: options.hasStems)
    }

    /// Renders the tracks of all loops, one stretch after the other, and then what they leave, until the other thread
    /// closes the queue.
    private func render(_ tracks: Tracks, into queue: PeriodQueue) {
        let driver = tracks.driver
        let end = playedFrames
        driver.schedule(.command(.play), at: driver.frame)
        var turn = 1
        // The only error is that the queue was closed.
        try? {
            while true {
                // A scene's score is published in the middle of its loop, when its launch has happened.
                while turn < turns, middle(of: turn) < driver.frame + Int64(Self.stretch) {
                    driver.schedule(.score(score(ofTurn: turn)), at: middle(of: turn))
                    turn += 1
                }
                let left = end - Int(driver.frame)
                if left == 0 { driver.schedule(.command(.finish), at: driver.frame) }
                let frameCount = left > 0 ? min(Self.stretch, left) : Self.stretch
                try driver.renderTracks(frames: frameCount, into: queue.fetchFree, queue.add)
            }
        }()
    }

    private func middle(of turn: Int) -> Int64 {
        Int64((Double(turn) + 0.5) * Double(playedFrames) / Double(turns))
    }

    private func ringOut(_ finisher: Finisher, into outputs: [RecordedOutput], _ progress: () throws -> Void) throws {
        var end = Int64.max
        while finisher.frame < end {
            let isHeard = try record(
                Int(min(Int64(Self.stretch), end - finisher.frame)), from: finisher, into: outputs, until: end)
            guard isHeard || !isOver(finisher) else { return }
            if end == .max, finisher.sounding.isEmpty {
                end = finisher.frame + Int64(Self.longestTail * options.sampleRate)
            }
            try progress()
        }
    }

    /// Whether nothing more will sound: silence may be just the wait for the next echo.
    private func isOver(_ finisher: Finisher) -> Bool {
        if let track = options.track { return !finisher.sounding.contains(track.rawValue) }
        return finisher.isSilent
    }

    /// - Returns: Whether those frames have any sound.
    private func record(
        _ frameCount: Int, from finisher: Finisher, into outputs: [RecordedOutput], until end: Int64 = .max
    ) throws -> Bool {
        var isHeard = false
        try finisher.finish(frames: frameCount) { period in
            for output in outputs {
                var samples = output.samples(of: period)
                fade(&samples, of: period, until: end)
                // Stops at the first sample that is not silent.
                isHeard = isHeard || samples.contains { $0 != 0 }
                try output.file.write(interleaved: samples)
            }
        }
        return isHeard
    }

    /// Fades out the samples right before an end.
    private func fade(_ samples: inout [Float], of period: OfflinePeriod, until end: Int64) {
        let fadeFrames = Self.fade * Double(options.sampleRate)
        guard Double(end - period.startFrame - Int64(period.frameCount)) < fadeFrames else { return }
        let channels = samples.count / period.frameCount
        for index in samples.indices {
            let left = end - period.startFrame - Int64(index / channels) - 1
            samples[index] *= Float(min(1, Double(left) / fadeFrames))
        }
    }
}

/// The driver on its way to the thread that renders the tracks.
///
/// Unchecked, because after that only this thread uses it; the engine can be shared.
private struct Tracks: @unchecked Sendable {
    let driver: OfflineDriver
}

/// Finishes the periods whose tracks another thread renders.
private final class Finisher {
    private let engine: Engine
    private let queue: PeriodQueue
    /// Frames finished so far.
    private(set) var frame: Int64 = 0
    /// The tracks that sounded in the last period.
    private(set) var sounding = TrackSet()
    private var areEffectsSilent = true

    init(engine: Engine, queue: PeriodQueue) {
        (self.engine, self.queue) = (engine, queue)
    }

    /// Whether nothing sounded in the last period, and the effects are silent until something does.
    var isSilent: Bool { sounding.isEmpty && areEffectsSilent }

    /// Finishes frames, period by period; only the last frames of a recording may be a part of a period.
    func finish(frames frameCount: Int, _ sink: (OfflinePeriod) throws -> Void) throws {
        let end = frame + Int64(frameCount)
        while frame < end {
            let unfinished = queue.fetchNext()
            defer { queue.giveBack(unfinished) }
            sounding = unfinished.sounding
            let (period, isSilent) = unfinished.finish(by: engine)
            areEffectsSilent = isSilent
            let part = period.first(Int(min(Int64(period.frameCount), end - frame)))
            frame += Int64(part.frameCount)
            try sink(part)
        }
    }
}
