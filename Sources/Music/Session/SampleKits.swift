import Engine
import Instrument
import Music

/// A kit of samples to load, off the control thread.
public struct WantedKit: Equatable, Sendable {
    public let name: String
    /// Frames per second.
    public let sampleRate: Int
    /// Counts the requests to load everything again.
    fileprivate let revision: Int
}

/// The names of the kits of samples, and the kit that the engine has.
final class SampleKits {
    private var found: [String] = []
    /// The kit that was last sent to the engine, nil for none.
    private var loaded: WantedKit?
    /// The number of the kit that plays until samples are loaded: the last built-in one.
    private var builtIn: Double
    private var revision = 0
    private let link: AudioLink
    private let edited: EditedDocument

    init(_ link: AudioLink, _ edited: EditedDocument) {
        self.link = link
        self.edited = edited
        builtIn = edited.document.number(.kit, .rhythm)
    }

    /// The names of all kits, the built-in ones first.
    var names: [String] { Track.rhythm.soundNames + found }

    /// The number of the kit that plays now.
    var playing: Double {
        edited.document.sampleKit != nil && loaded == nil ? builtIn : edited.document.number(.kit, .rhythm)
    }

    /// The kit that should play but is not loaded.
    var wanted: WantedKit? {
        guard let sampleRate = link.state.rate, let name = edited.document.sampleKit else { return nil }
        let wanted = WantedKit(name: name, sampleRate: sampleRate, revision: revision)
        return wanted == loaded ? nil : wanted
    }

    /// - Returns: Whether they changed.
    func find(_ names: [String]) -> Bool {
        defer { found = names }
        return names != found
    }

    func reload() { revision += 1 }

    /// - Returns: Whether the kit was still wanted.
    func load(_ kit: SampleKit?, for wanted: WantedKit, at now: Duration) -> Bool {
        guard wanted == self.wanted else { return false }
        publish(kit, as: wanted, at: now)
        return true
    }

    /// Notes the built-in kit of a changed document, and releases the samples, which it does not use.
    func dropUnused(at now: Duration) {
        guard edited.document.sampleKit == nil else { return }
        builtIn = playing
        if loaded != nil { publish(nil, as: nil, at: now) }
    }

    private func publish(_ kit: SampleKit?, as name: WantedKit?, at now: Duration) {
        loaded = name
        link.publish(kit)
        link.poller.expectNotices(from: now)
    }

    /// Frees samples that are no longer played; returns whether others wait until a driver releases them.
    func release() -> Bool { link.engine.releaseSamples() && link.isRunning }
}

extension Session {
    /// The names of all kits, the built-in ones first.
    public var kitNames: [String] { kits.names }

    /// The kit of samples that is yet to be loaded, nil for none. Until then the previous kit plays.
    public var wantedKit: WantedKit? { kits.wanted }

    /// Sets the names of the kits of samples.
    public func kitsFound(_ names: [String]) {
        if kits.find(names) { outbox.stateChanged() }
    }

    /// Reloads the samples of the current kit, as their files may have changed.
    public func reloadKit() { kits.reload() }

    /// Plays samples that were loaded, unless others are wanted by now.
    ///
    /// - Parameter kit: Nil if there are none.
    public func kitLoaded(_ kit: SampleKit?, for wanted: WantedKit, at now: Duration) {
        // After the samples, which this score makes audible.
        if kits.load(kit, for: wanted, at: now) { publishScore() }
    }
}
