import Gestures
import Grid
import Instrument
import Music
import Testing

@testable import Session

/// Actions that belong together are all carried out before gestures react to their effects.
struct ActionOrderTests {
    @Test func `a stop that launches queued slots keeps the tooltip of a drag that ends with it`() async throws {
        let instrument = await Instrument()
        let (session, finger) = (instrument.session, instrument.finger)
        await instrument.startAudio()
        try await session.perform(.transport(.play), at: .zero)
        await instrument.play(from: .zero, to: .milliseconds(60))
        try await session.perform(.launch(.launch(.track(.bass), 2, .queued)), at: .milliseconds(60))
        _ = try await session.touch(Touch(id: 1, .down, column: 8, row: 5), by: finger, at: .milliseconds(70))
        _ = try await session.touch(Touch(id: 1, .move, column: 10, row: 5), by: finger, at: .milliseconds(80))
        _ = await session.fetchEvents()
        await session.stopAndTake(Touch(id: 1, .up, column: 10, row: 5), by: finger, at: .milliseconds(90))
        #expect(await session.document.pattern.playing[.bass].index == 2)
        let texts = await session.fetchEvents().compactMap { event in
            if case .tooltip(let tooltip, let time) = event { "\(tooltip.text) \(time ?? -1)" } else { nil }
        }
        #expect(texts == ["ARPEGGIO 1200"])
    }
}

extension Session {
    /// Carries out a stop and a touch in one list of actions.
    fileprivate func stopAndTake(_ touch: Touch, by client: ClientID, at now: Duration) {
        let actions = interpret(touch, by: client, at: now)
        carryOut([.perform(.transport(.stop))] + actions, at: now)
        showGestures()
    }
}
