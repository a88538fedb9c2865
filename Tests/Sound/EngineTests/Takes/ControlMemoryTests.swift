import Engine
import Music
import OfflineAudio
import TestSupport
import Testing

/// What is remembered while everything is silent is one plain value: an engine that is given it goes on exactly.
@Suite struct ControlMemoryTests {
    @Test func `the memory has a fixed size`() {
        #expect(ControlMemory.size == 41_904)
        #expect(ControlMemory(bytes: [1, 2, 3]) == nil)
    }

    /// A session that went on in some way after a silence, and what it then played.
    private func phrase(seed: UInt64, _ change: (inout RandomSession) -> Void) -> (SessionOutput, isSilent: Bool) {
        var session = RandomSession(seed: seed)
        for _ in 0..<Int.random(in: 2...14, using: &session.random) {
            session.act()
            session.render(.random(in: 1...12_000, using: &session.random))
        }
        let isSilent = session.fallSilent()
        change(&session)
        var output = SessionOutput()
        for _ in 0..<8 {
            session.act()
            session.render(.random(in: 1...6000, using: &session.random)) { output.append($0) }
        }
        return (output, isSilent)
    }

    @Test(arguments: 1...(isLongRun ? 2000 : 60) as ClosedRange<UInt64>)
    func `after any silence, going on, a reset, and a new engine with the memory give the same bits at all ports`(
        seed: UInt64
    ) {
        let (expected, isSilent) = phrase(seed: seed) { _ in }
        guard isSilent else { return }
        let (reset, _) = phrase(seed: seed) { $0.driver.engine.realtime.resetSound() }
        let afterReset = reset.difference(from: expected)
        #expect(afterReset == nil, "reset: \(afterReset ?? "")")
        let (new, _) = phrase(seed: seed) { session in
            let memory = ControlMemory(bytes: session.driver.engine.controlMemory.bytes)!
            let engine = Engine(score: session.score)
            engine.publish(session.kit)
            session.replace(engine)
            engine.restore(memory)
        }
        let afterRestoring = new.difference(from: expected)
        #expect(afterRestoring == nil, "new engine: \(afterRestoring ?? "")")
    }

    @Test func `most sessions fall silent, and sound afterwards`() {
        let phrases = (1...20 as ClosedRange<UInt64>).map { phrase(seed: $0) { _ in } }
        #expect(phrases.count { $0.isSilent } > 12)
        #expect(phrases.count { $0.0.sounds } > 12)
    }
}
