import Engine
import Glibc
import Instrument
import Music

/// When to poll the audio thread for listeners' blocks of audio.
private struct AudioTap {
    /// How long after the end of a block to look for it: the driver may still be rendering.
    private static let margin: Duration = .microseconds(500)
    /// How soon to look again for a late block.
    private static let retry: Duration = .milliseconds(4)
    /// How often to look while there is no driver.
    private static let rest: Duration = .milliseconds(100)
    /// The longest plausible interval between blocks, whatever the driver's clock says.
    private static let longest: Duration = .milliseconds(40)

    /// When to poll next, nil without listeners.
    private(set) var nextLook: Duration?

    /// The first listener has come, or the last has gone.
    mutating func set(isWanted: Bool, at now: Duration) {
        nextLook = isWanted ? now : nil
    }

    /// Predicts the next block.
    ///
    /// - Parameters:
    ///   - block: The last one, nil without any.
    ///   - isRunning: Whether there is a driver.
    ///   - offset: The session's time minus the driver's.
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

/// Supplies meters, oscilloscopes and listeners with the sound.
final class Monitoring {
    private var meters = LevelMeters()
    private var tap = AudioTap()
    /// Whether a client wants traces.
    private(set) var isScopeWanted = false
    private let link: AudioLink
    private let outbox: Outbox

    init(_ link: AudioLink, _ outbox: Outbox) {
        self.link = link
        self.outbox = outbox
    }

    /// When to poll for listeners, nil without any.
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
            after: blocks.last, isRunning: link.isRunning, offset: link.poller.timing.offset, at: now)
        return blocks
    }

    func setScope(isWanted: Bool, at now: Duration) {
        guard isWanted != isScopeWanted else { return }
        isScopeWanted = isWanted
        // Drops an outdated trace.
        _ = link.engine.fetchTrace()
        link.engine.setScope(isWanted: isWanted)
        if isWanted { link.poller.expectNotices(from: now) }
    }

    /// dBFS by track.
    var levels: [Double] { meters.levels }

    /// Whether a meter falls, or an oscilloscope waits.
    var isBusy: Bool { meters.isDecaying || isScopeWanted }

    /// Moves the meters, and publishes the newest trace, if there is one.
    func poll(at now: Duration) {
        let peaks = Track.allCases.map { 20 * log10(Double(link.engine.fetchPeak(track: $0.rawValue))) }
        if meters.update(with: peaks, at: now) { outbox.sceneChanged() }
        if isScopeWanted, let trace = link.engine.fetchTrace() { outbox.emit(.scope(ScopeEvent(trace))) }
    }
}

extension Session {
    /// Starts or stops copying the main output for ``fetchAudio(at:)``.
    public func setListening(isWanted: Bool, at now: Duration) {
        monitoring.setListening(isWanted: isWanted, at: now)
    }

    /// The audio from the main ports since the last call, if it is time to look.
    public func fetchAudio(at now: Duration) -> [AudioBlock] { monitoring.removeBlocks(at: now) }

    /// Starts or stops ``SessionEvent/scope(_:)`` events, thirty a second while there is sound.
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
