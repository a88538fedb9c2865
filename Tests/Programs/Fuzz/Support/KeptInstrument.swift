import Engine
import Instrument
import Music

@testable import OfflineAudio
@testable import Takes

/// An engine whose takes are kept as the daemon keeps them, and what it put out.
///
/// Unlike `OfflineDriver`, which gives an engine regular cycles, it renders whatever cycles it is asked for.
final class KeptInstrument {
    /// The output of a cycle, reduced to what two can be compared by.
    private struct Heard: Equatable {
        var frameCount: Int
        var bits: Int
        var isSilent = true
    }

    private struct Take {
        var beginning: TakeBeginning
        var log: [[UInt8]] = []
        /// Frames, as the log says.
        var frameCount = 0
    }

    static let sampleRate = 8000.0
    let engine: Engine
    private let buffers = PeriodBuffers()
    private var heard: [Heard] = []
    /// Which of these began with a frame of the driver.
    private var cycles: [Int64: Int] = [:]
    private var takes: [Take] = []

    // What takes refer to. Scores were bytes in between, as in the database.
    private var (encoder, decoder) = (ScoreEncoder(), ScoreDecoder())
    private var scores: [UInt: ScoreSource] = [:]
    private var timelines: [UInt: TimelineNews] = [:]
    private var kits: [Int: SampleKit] = [:]

    init(_ source: ScoreSource) {
        engine = Engine(score: Score(source))
        keep(source, number: 0)
        prepare()
        engine.setTakes(areWanted: true)
    }

    /// The engine is connected again.
    func prepare() {
        do { try engine.prepare(sampleRate: Self.sampleRate) } catch { require(false, "\(error)") }
    }

    // MARK: What is published

    func publish(_ score: Score, of source: ScoreSource) { keep(source, number: engine.publish(score)) }

    private func keep(_ source: ScoreSource, number: UInt) {
        do {
            scores[number] = try decoder.decode(encoder.encode(source))
        } catch {
            require(false, "a score is not read as it was written")
        }
    }

    func follow(_ news: TimelineNews) { timelines[engine.follow(news)] = news }

    func publish(_ kit: SampleKit?) { kits[engine.publish(kit)] = kit }

    // MARK: Cycles

    /// Renders a cycle.
    func render(_ cycle: RtCycle, _ messages: [MidiEvent] = []) -> OutsideRequest {
        let input = buffers.midi(of: .midiIn)
        input.clear()
        for message in messages { input.append(message) }
        let request = flushingDenormals { engine.render(cycle, buffers.ports) }
        cycles[cycle.startFrame] = heard.count
        heard.append(hear(OfflinePeriod(startFrame: cycle.startFrame, frameCount: cycle.frameCount, buffers: buffers)))
        while engine.nextNotice() != nil {}
        while engine.nextArrival() != nil {}
        engine.releaseSamples()
        read()
        return request
    }

    private func hear(_ period: OfflinePeriod) -> Heard {
        var hasher = Hasher()
        var isSilent = true
        for port in EnginePort.audio {
            hasher.combine(bytes: UnsafeRawBufferPointer(period[port]))
            let limit: Float = port == .mainLeft || port == .mainRight ? 1 : .greatestFiniteMagnitude
            for sample in period[port] {
                require(abs(sample) <= limit, "a sample of \(sample) at \(port.name)")
                isSilent = isSilent && sample == 0
            }
        }
        for port in [EnginePort.midiOut, .clockOut] {
            for (frame, event) in period.messages(of: port) {
                let offset = frame - period.startFrame
                require((0..<Int64(period.frameCount)).contains(offset), "a message outside its cycle: \(event)")
                hasher.combine(port.index)
                hasher.combine(offset)
                for byte in [event.count, event.status, event.first, event.second] { hasher.combine(byte) }
            }
        }
        return Heard(frameCount: period.frameCount, bits: hasher.finalize(), isSilent: isSilent)
    }

    private func read() {
        while let record = engine.nextTakeRecord() {
            switch record {
            case .began(let beginning): takes.append(Take(beginning: beginning))
            case .log(let chunk):
                takes[takes.count - 1].log.append(chunk.bytes)
                takes[takes.count - 1].frameCount = chunk.frameCount
                require(chunk.exactFrameCount == nil, "something is lost, although all is read at once")
            case .ended(let ending):
                require(ending.exactFrameCount == nil, "something is lost at the end")
                require(ending.frameCount <= takes[takes.count - 1].frameCount, "a take is longer than its log")
            }
        }
    }

    // MARK: Replays

    /// All that sounded is in takes, and each of them sounds as it was played.
    func checkTakes() {
        engine.endTake()
        read()
        var end = 0
        for take in takes {
            guard let start = cycles[take.beginning.frame] else {
                return require(false, "a take begins with a frame that nobody rendered")
            }
            require(heard[end..<start].allSatisfy(\.isSilent), "something sounded before a take")
            do {
                end = try replay(take, from: start)
            } catch {
                require(false, "a take is not replayed: \(error)")
            }
        }
        require(heard[end...].allSatisfy(\.isSilent), "something sounded after the last take")
    }

    /// - Returns: The cycle after its last one.
    private func replay(_ take: Take, from start: Int) throws -> Int {
        let replay = try TakeReplay(
            take.beginning,
            TakeMaterials(
                score: { [scores] in Score(scores[$0] ?? ScoreSource()) },
                timeline: { [timelines] in timelines[$0] ?? TimelineNews() },
                kit: { [kits] number, _ in kits[number] }))
        var cycle = start
        for part in take.log {
            try replay.render(part) { output in
                guard case .period(let period) = output else { return }
                require(cycle < heard.count, "a take is longer than what was played")
                require(hear(period) == heard[cycle], "cycle \(cycle - start) of a take is replayed differently")
                cycle += 1
            }
        }
        require(replay.frameCount == take.frameCount, "\(replay.frameCount) frames, not \(take.frameCount)")
        return cycle
    }
}
