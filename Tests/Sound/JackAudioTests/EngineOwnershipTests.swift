import Synchronization
import TestSupport
import Testing

@testable import JackAudio

@Suite(.timeLimit(.minutes(1))) struct EngineOwnershipTests {
    @Test func `the engine is used until the ownership ends`() {
        let ownership = EngineOwnership()
        let isUsed = [ownership.enter(), ownership.end()]
        ownership.leave()
        let isFree = [ownership.withEngine {}, ownership.end()]
        let isOver = [ownership.enter(), ownership.withEngine { Issue.record("used after the end") }, ownership.end()]
        #expect(isUsed == [true, false])
        #expect(isFree == [true, true])
        #expect(isOver == [false, false, true])
    }

    /// One thread uses the engine again and again while another ends the ownership, after which it must not be used.
    @Test func `an end and a use at the same moment do not both succeed`() async {
        for _ in 0..<30 {
            let race = Race()
            async let user: Void = onThread { race.use() }
            await onThread { race.end() }
            await user
            #expect(race.isSound)
        }
    }

    private final class Race: Sendable {
        private let ownership = EngineOwnership()
        private let hasEnded = Atomic(false)
        private let wasUsedLater = Atomic(false)

        var isSound: Bool { !wasUsedLater.load(ordering: .relaxed) }

        func use() {
            while ownership.enter() {
                if hasEnded.load(ordering: .sequentiallyConsistent) { wasUsedLater.store(true, ordering: .relaxed) }
                ownership.leave()
            }
        }

        func end() {
            while !ownership.end() {}
            hasEnded.store(true, ordering: .sequentiallyConsistent)
        }
    }
}
