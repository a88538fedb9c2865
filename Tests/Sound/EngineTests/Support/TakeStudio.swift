import Engine
import Foundation
import Music
import OfflineAudio
import TestSupport

/// A session whose takes are kept, and what it sounded like.
final class TakeStudio {
    /// A take as it was recorded.
    struct Take {
        var beginning: TakeBeginning
        var log: [[UInt8]] = []
        var frameCount = 0
        var ending: TakeEnding?
    }

    /// The output of a period, reduced to what two can be compared by.
    private struct Heard: Equatable {
        var frameCount: Int
        var bits: Int
        var messages: [String]
        var isLoud: Bool

        init(_ period: OfflinePeriod) {
            frameCount = period.frameCount
            var hasher = Hasher()
            for port in EnginePort.audio { hasher.combine(bytes: UnsafeRawBufferPointer(period[port])) }
            bits = hasher.finalize()
            messages = [EnginePort.midiOut, .clockOut].flatMap { port in
                period.messages(of: port).map { "\(port.name) \($0.frame - period.startFrame) \($0.event)" }
            }
            isLoud = period[.mainLeft].contains { $0 != 0 }
        }
    }

    var session: RandomSession
    private(set) var takes: [Take] = []
    /// Whether the control thread reads what is recorded.
    var isReading = true
    private var scores: [UInt: Score] = [:]
    private var timelines: [UInt: TimelineNews] = [:]
    private var kits: [Int: SampleKit] = [:]
    private var heard: [Heard] = []
    /// Which of these began with a frame of the driver.
    private var places: [Int64: Int] = [:]

    var driver: OfflineDriver { session.driver }

    /// Random things happen to a random instrument.
    init(seed: UInt64) {
        session = RandomSession(seed: seed)
        begin()
    }

    /// A score.
    init(_ score: Score, takeCapacity: Int = 1 << 20) {
        session = RandomSession(score) { Engine(score: $0, takeCapacity: takeCapacity) }
        begin()
    }

    private func begin() {
        scores[0] = session.score
        session.onPublish = { [unowned self] published in
            switch published {
            case .score(let number, let score): scores[number] = score
            case .timeline(let number, let news): timelines[number] = news
            case .kit(let number, let kit): kits[number] = kit
            }
        }
        driver.engine.setTakes(areWanted: true)
    }

    /// Lets somebody listen, so that the engine never rests.
    func listen() { driver.engine.setListening(isWanted: true) }

    func publish(_ score: Score) { session.publish(score) }

    /// Something happens; sometimes the engine is connected again at the same rate.
    func act() {
        session.act()
        guard Int.random(in: 0..<12, using: &session.random) == 0 else { return }
        do { try driver.engine.prepare(sampleRate: 48_000) } catch { fatalError("\(error)") }
    }

    /// Renders frames; in random periods if none are given.
    func render(_ frames: Int, periods: [Int]? = nil, _ sink: (OfflinePeriod) -> Void = { _ in }) {
        if let periods {
            driver.render(frames: frames, periods: periods) { period in
                hear(period)
                sink(period)
            }
        } else {
            withSession { session in
                session.render(frames) { period in
                    hear(period)
                    sink(period)
                }
            }
        }
    }

    /// Lets everything end; see `RandomSession.fallSilent`.
    func fallSilent() -> Bool { withSession { session in session.fallSilent { hear($0) } } }

    /// Changes the session while it is not being accessed: what it renders is heard here.
    private func withSession<Result>(_ body: (inout RandomSession) -> Result) -> Result {
        var session = session
        defer { self.session = session }
        return body(&session)
    }

    /// Keeps a period that was rendered, and reads what was recorded.
    func hear(_ period: OfflinePeriod) {
        places[period.startFrame] = heard.count
        heard.append(Heard(period))
        while driver.engine.nextBlock() != nil {}
        guard isReading else { return }
        while let record = driver.engine.nextTakeRecord() {
            switch record {
            case .began(let beginning): takes.append(Take(beginning: beginning))
            case .log(let chunk):
                takes[takes.count - 1].log.append(chunk.bytes)
                takes[takes.count - 1].frameCount = chunk.frameCount
            case .ended(let ending): takes[takes.count - 1].ending = ending
            }
        }
    }

    /// Ends the take that is under way.
    func finish() {
        driver.engine.setTakes(areWanted: false)
        render(64)
    }

    // MARK: Replays

    func replay(of take: Take, sampleRate: Double? = nil, hasStems: Bool = false) throws -> TakeReplay {
        struct Missing: Error {}
        func find<Number, Material>(_ number: Number, in materials: [Number: Material]) throws -> Material {
            guard let material = materials[number] else { throw Missing() }
            return material
        }
        return try TakeReplay(
            take.beginning, sampleRate: sampleRate, hasStems: hasStems,
            TakeMaterials(
                score: { [scores] in try find($0, in: scores) },
                timeline: { [timelines] in try find($0, in: timelines) },
                kit: { [kits] number, _ in kits[number] }))
    }

    func replay(_ take: Take, _ sink: (TakeReplay.Output) throws -> Void) throws {
        let replay = try replay(of: take)
        for part in take.log { try replay.render(part, sink) }
    }

    /// Where a take's replay differs from what was heard; nil where it is the same.
    ///
    /// - Parameter frames: Frames to compare; nil for all.
    func difference(ofReplay take: Take, frames: Int? = nil) throws -> String? {
        struct Enough: Error {}
        guard var place = places[take.beginning.frame] else { return "its first frame was not rendered" }
        var (difference, count) = (String?.none, 0)
        do {
            try replay(take) { output in
                guard case .period(let period) = output else { return }
                count += period.frameCount
                if let frames, count > frames { throw Enough() }
                let again = Heard(period)
                if place == heard.count {
                    difference = "it is longer than what was rendered"
                } else if again != heard[place] {
                    let isSameSound = again.bits == heard[place].bits
                    difference =
                        "\(isSameSound ? "messages" : "sound") of \(again.frameCount) frames at \(period.startFrame)"
                }
                if difference != nil { throw Enough() }
                place += 1
            }
        } catch is Enough {}
        return difference ?? (count == 0 ? "it is empty" : nil)
    }

    /// Periods that are not silent.
    var loudPeriods: Int { heard.count { $0.isLoud } }

    /// The same during a take.
    func loudPeriods(of take: Take) -> Int {
        var (place, count) = (places[take.beginning.frame]!, 0)
        do {
            try replay(take) { output in
                guard case .period = output else { return }
                if heard[place].isLoud { count += 1 }
                place += 1
            }
        } catch {
            fatalError("\(error)")
        }
        return count
    }
}
