import Engine
import Glibc
import Music

/// When to look for what the audio thread has copied for those who listen.
private struct AudioTap {
    /// From the end of a block to when it is looked for: the driver may still be rendering.
    private static let margin: Duration = .microseconds(500)
    /// A block that is late is looked for again after this.
    private static let retry: Duration = .milliseconds(4)
    /// While nothing plays, so often.
    private static let rest: Duration = .milliseconds(100)
    /// A driver whose clock says otherwise is not believed.
    private static let longest: Duration = .milliseconds(40)

    /// When to look next, nil while nobody listens.
    private(set) var nextLook: Duration?

    /// Somebody begins to listen, or nobody does any more.
    mutating func set(isWanted: Bool, at now: Duration) {
        nextLook = isWanted ? now : nil
    }

    /// Foretells the next block.
    ///
    /// - Parameters:
    ///   - block: The last one, nil when none was there.
    ///   - isRunning: Whether there is a driver.
    ///   - offset: What is added to the driver's time to get the session's.
    mutating func schedule(after block: AudioBlock?, isRunning: Bool, offset: Duration, at now: Duration) {
        guard let block else {
            nextLook = now + (isRunning ? Self.retry : Self.rest)
            return
        }
        let length = Duration.seconds(Double(block.samples.count / 2) / Double(block.sampleRate))
        let complete = .microseconds(Int64(clamping: block.usecs)) + offset + length * 2 + Self.margin
        nextLook = min(max(complete, now + Self.retry), now + Self.longest)
    }
}

/// What meters, oscilloscopes and listeners get of the sound.
final class Monitoring {
    private var meters = LevelMeters()
    private var tap = AudioTap()
    /// Whether somebody wants to see what an oscilloscope shows.
    private(set) var isScopeWanted = false
    private let link: AudioLink
    private let outbox: Outbox

    init(_ link: AudioLink, _ outbox: Outbox) {
        self.link = link
        self.outbox = outbox
    }

    /// When to look for what listeners are sent, nil while nobody listens.
    var nextLook: Duration? { tap.nextLook }

    func setListening(isWanted: Bool, at now: Duration) {
        guard isWanted != (tap.nextLook != nil) else { return }
        tap.set(isWanted: isWanted, at: now)
        link.engine.setListening(isWanted: isWanted)
    }

    func removeBlocks(at now: Duration) -> [AudioBlock] {
        guard let due = tap.nextLook, due <= now else { return [] }
        var blocks: [AudioBlock] = []
        while let block = link.engine.nextBlock() { blocks.append(block) }
        tap.schedule(
            after: blocks.last, isRunning: link.isRunning, offset: link.listening.timing.offset, at: now)
        return blocks
    }

    func setScope(isWanted: Bool, at now: Duration) {
        guard isWanted != isScopeWanted else { return }
        isScopeWanted = isWanted
        // What was left over from the last time is not now.
        _ = link.engine.takeTrace()
        link.engine.setScope(isWanted: isWanted)
        if isWanted { link.listening.expectNotices(from: now) }
    }

    /// dBFS by track.
    var levels: [Double] { meters.levels }

    /// Whether a meter falls, or an oscilloscope waits.
    var isBusy: Bool { meters.isDecaying || isScopeWanted }

    /// Moves the meters, and publishes the newest trace, if there is one.
    func poll(at now: Duration) {
        let peaks = Track.allCases.map { 20 * log10(Double(link.engine.takePeak(track: $0.rawValue))) }
        if meters.update(with: peaks, at: now) { outbox.sceneChanged() }
        if isScopeWanted, let trace = link.engine.takeTrace() { outbox.emit(.scope(ScopeEvent(trace))) }
    }
}

extension Session {
    /// Has what leaves the main ports copied for ``takeAudio(at:)``, or no longer.
    public func setListening(isWanted: Bool, at now: Duration) {
        monitoring.setListening(isWanted: isWanted, at: now)
    }

    /// What left the main ports since the last call, if it is time to look.
    public func takeAudio(at now: Duration) -> [AudioBlock] { monitoring.removeBlocks(at: now) }

    /// Starts or ends ``SessionEvent/scope(_:)``, thirty times a second while there is sound.
    public func setScope(isWanted: Bool, at now: Duration) { monitoring.setScope(isWanted: isWanted, at: now) }
}

extension ScopeEvent {
    fileprivate init(_ trace: ScopeTrace) {
        var main: [Int] = []
        main.reserveCapacity(2 * ScopeTrace.partCount)
        for part in 0..<ScopeTrace.partCount {
            main.append(Int(trace.lows[part]))
            main.append(Int(trace.highs[part]))
        }
        self.init(usecs: trace.usecs, main: main, peaks: Track.allCases.map { Int(trace.peaks[$0.rawValue]) })
    }
}
