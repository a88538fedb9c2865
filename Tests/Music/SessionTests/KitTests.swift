import Engine
import Instrument
import Music
import OfflineAudio
import Session
import Testing

/// Kits of samples, which are loaded elsewhere.
@Suite struct KitTests {
    private func kit(sampleRate: Double = 48_000) -> SampleKit {
        SampleKit(
            sampleRate: sampleRate,
            samples: Drum.allCases.map { $0 == .kick ? [Float](repeating: 0.5, count: 100) : nil })
    }

    private func choose(_ name: String, of instrument: Instrument) async throws {
        try await instrument.session.perform(.set(.kit, on: .rhythm, to: .choice(name)), at: .zero)
    }

    @Test func `a chosen kit is wanted at JACK's rate until it is loaded`() async throws {
        let instrument = await Instrument()
        let session = instrument.session
        await session.kitsFound(["Dust"])
        #expect(await session.kitNames == Track.rhythm.soundNames + ["Dust"])
        try await choose("Dust", of: instrument)
        #expect(await session.wantedKit == nil, "without a driver there is no rate")
        await instrument.startAudio()
        let wanted = try #require(await session.wantedKit)
        #expect(wanted.name == "Dust" && wanted.sampleRate == 48_000)
        await session.kitLoaded(kit(), for: wanted, at: .zero)
        #expect(await session.wantedKit == nil)
        await session.audioChanged(to: AudioState(status: .running, rate: 44_100, period: 64), at: .zero)
        #expect(await session.wantedKit?.sampleRate == 44_100)
    }

    @Test func `a kit that was loaded for an outdated request is not played`() async throws {
        let instrument = await Instrument()
        let session = instrument.session
        await session.kitsFound(["Dust", "Rust"])
        await instrument.startAudio()
        try await choose("Dust", of: instrument)
        let wanted = try #require(await session.wantedKit)
        try await choose("Rust", of: instrument)
        await session.kitLoaded(kit(), for: wanted, at: .zero)
        #expect(await session.wantedKit?.name == "Rust")
    }

    @Test func `samples are reloaded on request`() async throws {
        let instrument = await Instrument()
        let session = instrument.session
        await session.kitsFound(["Dust"])
        await instrument.startAudio()
        try await choose("Dust", of: instrument)
        let wanted = try #require(await session.wantedKit)
        await session.kitLoaded(kit(), for: wanted, at: .zero)
        await session.reloadKit()
        let again = try #require(await session.wantedKit)
        #expect(again != wanted && again.name == "Dust")
        await session.kitLoaded(nil, for: again, at: .zero)
        #expect(await session.wantedKit == nil)
    }

    @Test func `samples are freed when a built-in kit is chosen, and wanted again when their kit is`() async throws {
        let instrument = await Instrument()
        let session = instrument.session
        await session.kitsFound(["Dust"])
        await instrument.startAudio()
        try await choose("Dust", of: instrument)
        weak var loaded: SampleKit?
        do {
            let kit = kit()
            loaded = kit
            await session.kitLoaded(kit, for: try #require(await session.wantedKit), at: .zero)
        }
        await instrument.play(from: .zero, to: .milliseconds(50))
        #expect(loaded != nil)
        try await choose("909", of: instrument)
        await instrument.play(from: .milliseconds(50), to: .milliseconds(100))
        #expect(loaded == nil)
        try await choose("Dust", of: instrument)
        #expect(await session.wantedKit != nil)
    }

    /// The drums after a kick.
    private func kick(_ driver: OfflineDriver) -> [Float] {
        driver.schedule(
            .command(.audition(track: Int32(Track.rhythm.rawValue), notes: 1, velocity: 2)), at: driver.frame)
        return driver.record(frames: 48_000)[.track(.rhythm)]
    }

    @Test func `until samples are loaded the built-in kit that was chosen before them plays`() async throws {
        let instrument = await Instrument()
        let session = instrument.session
        await session.kitsFound(["Dust", "Rust"])
        await instrument.startAudio()
        let driver = try OfflineDriver(engine: instrument.engine, sampleRate: Instrument.rate)
        let reference = try OfflineDriver(engine: Engine(score: Score(Document())), sampleRate: Instrument.rate)
        func expect(_ kit: String, _ samples: SampleKit? = nil, _ comment: Comment) {
            var score = Score(Document())
            let index = Track.rhythm.soundNames.firstIndex(of: kit) ?? Track.rhythm.soundNames.count
            score.parameters[.kit, Track.rhythm.rawValue] = Double(index)
            reference.engine.publish(samples)
            reference.engine.publish(score)
            #expect(kick(driver) == kick(reference), comment)
        }
        try await choose("Dust", of: instrument)
        expect("Classic", nil, "a new instrument's kit")
        try await choose("909", of: instrument)
        try await choose("Dust", of: instrument)
        expect("909", nil, "the kit before")
        await session.kitLoaded(kit(), for: try #require(await session.wantedKit), at: .zero)
        expect("Dust", kit(), "the samples")
        try await choose("Rust", of: instrument)
        expect("Dust", kit(), "the samples before")
        await session.kitLoaded(nil, for: try #require(await session.wantedKit), at: .zero)
        expect("808", nil, "a kit without samples")
        try await choose("CR-78", of: instrument)
        try await choose("Rust", of: instrument)
        expect("CR-78", nil, "the newest built-in kit")
    }

    @Test func `a missing kit cannot be chosen, but is kept when a pattern names it`() async throws {
        let instrument = await Instrument()
        let session = instrument.session
        await session.kitsFound(["Dust"])
        await #expect(throws: CommandError.unknownKit("Rust", known: Track.rhythm.soundNames + ["Dust"])) {
            try await choose("Rust", of: instrument)
        }
        var pattern = Pattern()
        pattern.name = "with rust"
        pattern.parameters.set(.kit, on: .rhythm, to: "Rust")
        try await session.perform(.change([.replacePattern(pattern)]), at: .zero)
        #expect(await session.document[.kit, .rhythm] == "Rust")
        await instrument.startAudio()
        #expect(await session.wantedKit?.name == "Rust")
        // The current kit may be chosen again.
        try await choose("Rust", of: instrument)
        try await choose("Dust", of: instrument)
    }
}
