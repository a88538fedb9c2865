import Instrument
import Music

/// Which punch-ins act: what their holders hold, except what the music's end has ended. A plain value, which is remembered
/// while everything is silent.
struct PunchBoard: BitwiseCopyable {
    /// The newest values that were published.
    private var newest = PunchIns()
    /// The holder of each effect.
    private var holders = InlineArray<4, PunchHolder>(repeating: PunchHolder())
    private var (wasPlaying, wasRunning) = (false, false)
    /// Whether anything has changed since the tracks were last told.
    private var hasChanged = false

    /// Takes over new values.
    mutating func apply(_ punchIns: PunchIns) {
        newest = punchIns
        hasChanged = true
        greetHolder(of: .stutter)
        greetHolder(of: .filter)
        greetHolder(of: .brake)
        greetHolder(of: .throw)
    }

    private mutating func greetHolder(of effect: PunchEffect) {
        let number = newest[effect].number
        guard number != holders[effect.index].number else { return }
        holders[effect.index] = PunchHolder(number: number, isInert: false, isBeginning: true)
    }

    /// Ends all effects: who holds one now does nothing more.
    mutating func endAll() {
        for index in 0..<holders.count { holders[index].isInert = true }
        hasChanged = true
    }

    /// The tracks are new, and have been told nothing.
    mutating func tellAgain() { hasChanged = true }

    private mutating func end(_ effect: PunchEffect) {
        holders[effect.index].isInert = true
        hasChanged = true
    }

    /// Follows the music to the current frame: its end ends all effects, and while it does not run, only some can begin.
    ///
    /// - Returns: Whether anything has changed since the last call.
    mutating func follow(isPlaying: Bool, runs: Bool) -> Bool {
        if !hasChanged, isPlaying == wasPlaying, runs == wasRunning { return false }
        if wasPlaying && !isPlaying { endAll() }
        if wasRunning && !runs {
            // The music waits for its source.
            end(.stutter)
            end(.brake)
        }
        (wasPlaying, wasRunning) = (isPlaying, runs)
        begin(.stutter, runs: runs)
        begin(.filter, runs: runs)
        begin(.brake, runs: runs)
        begin(.throw, runs: runs)
        defer { hasChanged = false }
        return hasChanged
    }

    private mutating func begin(_ effect: PunchEffect, runs: Bool) {
        guard holders[effect.index].isBeginning else { return }
        holders[effect.index].isBeginning = false
        if !runs, !effect.actsWhileStopped { holders[effect.index].isInert = true }
    }

    /// An effect as it is held on a track; nil if it does not act there.
    func held(_ effect: PunchEffect, on track: Int) -> PunchIn? {
        var punchIn = newest[effect]
        guard punchIn.isHeld, punchIn.tracks[track], !holders[effect.index].isInert else { return nil }
        // Nothing that is published must end the callback.
        punchIn.amount = punchIn.amount > 0 ? min(punchIn.amount, 1) : 0
        return punchIn
    }
}

/// Who holds an effect.
private struct PunchHolder: BitwiseCopyable {
    /// See `PunchIn.number`.
    var number: UInt32 = 0
    /// Whether it does nothing more.
    var isInert = false
    /// Whether it is new, and the music has not been looked at since.
    var isBeginning = false
}

extension RtCommand {
    /// Whether it ends all punch-ins.
    var endsPunchIns: Bool {
        switch self {
        case .pause, .stop, .finish, .suspend, .silence: true
        case .play, .locate, .audition, .restore, .record, .releaseKeys: false
        }
    }
}
