import Foundation
import Instrument
import Music
import Session
import Testing

/// Sources that come and go, while players send requests.
struct RandomSyncTests {
    /// Seconds of music; `PIXELBOOP_SYNC_SECONDS` makes them more.
    private static let duration = Duration.seconds(
        ProcessInfo.processInfo.environment["PIXELBOOP_SYNC_SECONDS"].flatMap(Int.init) ?? 15)

    @Test(arguments: 0..<8 as Range<UInt64>)
    func `the session shows what the clock does, and alone the instrument plays on request`(seed: UInt64)
        async throws
    {
        let instrument = await Instrument()
        let session = instrument.session
        await instrument.startAudio()
        var random = await RandomSync(instrument, seed: seed)
        while random.now < Self.duration {
            for _ in 0..<8 {
                await random.act()
                await random.proceed()
                try await expectTruth(session, at: random.now, "in company")
            }
            let bar = await random.playAlone()
            _ = await session.fetchEvents()
            await random.proceed(for: bar)
            try await expectTruth(session, at: random.now, "alone")
            let steps = await session.fetchEvents().count { if case .step = $0 { true } else { false } }
            #expect((14...18).contains(steps), "\(steps) steps in a bar before \(random.now)")
        }
    }

    /// Expects that the session shows what the engine does, once it has polled.
    private func expectTruth(_ session: Session, at now: Duration, _ place: String) async throws {
        await session.setWatched(false)
        await session.catchUp(to: now)
        await session.setWatched(true)
        let plays = await session.playingMoment.playing
        #expect(await (session.transport.state == .playing) == plays, "\(place), before \(now)")
    }
}
