import Testing

@testable import Control

@Suite struct ConversationStateTests {
    typealias Event = @Sendable (inout ConversationState) -> Void

    private static let obstacles: [(begin: Event, end: Event)] = [
        ({ $0.readingBegan() }, { $0.readingEnded() }),
        ({ $0.turnEnded() }, { $0.turnBegan() }),
        ({ $0.deferredBegan(holdsInput: true) }, { $0.deferredEnded(holdsInput: true) }),
        (
            { state in for _ in 0..<ConversationState.maximumDeferred { state.deferredBegan(holdsInput: false) } },
            { $0.deferredEnded(holdsInput: false) }
        ),
    ]

    @Test(arguments: obstacles.indices, [true, false])
    func `calls wait, and so does the end, while a line is read, others have their turn, or services are busy`(
        index: Int, isGone: Bool
    ) {
        var state = ConversationState()
        Self.obstacles[index].begin(&state)
        #expect(!state.isWorking && !state.wantsInput)
        if isGone { state.connectionClosed() } else { state.inputEnded() }
        #expect(!state.isDone)
        Self.obstacles[index].end(&state)
        #expect(state.isWorking)
    }

    @Test func `the end waits for services that do not hold the input, but not if the client is gone`() {
        var state = ConversationState()
        state.deferredBegan(holdsInput: false)
        state.inputEnded()
        #expect(state.isWorking && !state.isDone)
        var gone = state
        gone.connectionClosed()
        #expect(gone.isDone)
        state.deferredEnded(holdsInput: false)
        #expect(state.isDone)
    }

    @Test func `after the end everything that arrives is read and discarded, and the end stays`() {
        var state = ConversationState()
        state.lineWasTooLong()
        #expect(state.hasInputEnded && state.isCutOff)
        state.inputEnded()
        #expect(state.isCutOff)
        state.turnEnded()
        state.finish()
        state.connectionClosed()
        #expect(state.wantsInput && !state.isWorking && state.end == .finished)
    }
}
