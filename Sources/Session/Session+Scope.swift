import Engine
import Music

extension Session {
    /// Starts or ends ``SessionEvent/scope(usecs:main:peaks:)``, thirty times a second while there is sound.
    public func setScope(isWanted: Bool, at now: Duration) {
        guard isWanted != isScopeWanted else { return }
        isScopeWanted = isWanted
        // What was left over from the last time is not now.
        _ = engine.takeTrace()
        engine.setScope(isWanted: isWanted)
        if isWanted { listening.expectNotices(from: now) }
    }

    /// Tells the newest trace, if there is one.
    func tellScope() {
        if isScopeWanted, let trace = engine.takeTrace() { emit(SessionEvent(trace)) }
    }
}

extension SessionEvent {
    fileprivate init(_ trace: ScopeTrace) {
        var main: [Int] = []
        main.reserveCapacity(2 * ScopeTrace.partCount)
        for part in 0..<ScopeTrace.partCount {
            main.append(Int(trace.lows[part]))
            main.append(Int(trace.highs[part]))
        }
        self = .scope(usecs: trace.usecs, main: main, peaks: Track.allCases.map { Int(trace.peaks[$0.rawValue]) })
    }
}
