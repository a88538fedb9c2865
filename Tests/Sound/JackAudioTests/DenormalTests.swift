import CLinux
import Foundation
import Testing

@Suite(.timeLimit(.minutes(1))) struct DenormalTests {
    /// On its own thread, because the mode belongs to the thread.
    @Test func `are zero after the audio thread's preparation`() async {
        let results = await withCheckedContinuation { continuation in
            Thread {
                let before = half(of: .leastNormalMagnitude)
                clinux_flush_denormals()
                continuation.resume(
                    returning: (before, half(of: .leastNormalMagnitude), half(of: 2 * .leastNormalMagnitude)))
            }.start()
        }
        #expect(results.0 > 0)
        #expect(results.1 == 0)
        #expect(results.2 == .leastNormalMagnitude)
    }
}

/// Computed at run time, not by the compiler.
@inline(never)
private func half(of value: Float) -> Float {
    value * ProcessInfo.processInfo.half
}

extension ProcessInfo {
    fileprivate var half: Float { processorCount > 0 ? 0.5 : 1 }
}
