import Instrument
import Music
import Session
import Testing

struct ScopeTests {
    private func scopes(_ instrument: Instrument) async -> [ScopeEvent] {
        await instrument.session.fetchEvents().compactMap { event in
            if case .scope(let scope) = event { scope } else { nil }
        }
    }

    @Test func `scope events are sent thirty times a second while somebody subscribes`() async throws {
        let instrument = await Instrument()
        await instrument.startAudio()
        await instrument.play(from: .zero, to: .seconds(1))
        #expect(await scopes(instrument).isEmpty)

        await instrument.session.setScope(isWanted: true, at: .seconds(1))
        try await instrument.session.perform(.transport(.play), at: .seconds(1))
        await instrument.play(from: .seconds(1), to: .seconds(3))
        let heard = await scopes(instrument)
        #expect((58...60).contains(heard.count))
        for trace in heard {
            #expect(trace.main.count == 256 && trace.peaks.count == 4)
            #expect(stride(from: 0, to: 256, by: 2).allSatisfy { trace.main[$0] <= trace.main[$0 + 1] })
        }

        await instrument.session.setScope(isWanted: false, at: .seconds(3))
        await instrument.play(from: .seconds(3), to: .seconds(4))
        #expect(await scopes(instrument).isEmpty)
    }
}
