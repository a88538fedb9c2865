import Engine
import Music

/// Samples that somebody has to load, off the control thread.
public struct WantedKit: Equatable, Sendable {
    /// The kit's name.
    public let name: String
    /// Frames per second.
    public let sampleRate: Int
    /// Counts how often everything was to be loaded anew.
    fileprivate let revision: Int
}

/// The kits of samples that there are, and the one that the engine has.
final class SampleKits {
    private var found: [String] = []
    /// What the engine was given last, nil for no samples.
    private var loaded: WantedKit?
    private var revision = 0
    private let link: AudioLink
    private let edited: EditedDocument

    init(_ link: AudioLink, _ edited: EditedDocument) {
        self.link = link
        self.edited = edited
    }

    /// The names of all kits, the built-in ones first.
    var names: [String] { Track.rhythm.soundNames + found }

    /// The samples that are to be played but are not loaded.
    var wanted: WantedKit? {
        guard let sampleRate = link.state.rate, let sampleKitName else { return nil }
        let wanted = WantedKit(name: sampleKitName, sampleRate: sampleRate, revision: revision)
        return wanted == loaded ? nil : wanted
    }

    /// - Returns: Whether there are others than before.
    func find(_ names: [String]) -> Bool {
        defer { found = names }
        return names != found
    }

    func reload() { revision += 1 }

    func load(_ kit: SampleKit?, for wanted: WantedKit, at now: Duration) {
        guard wanted == self.wanted else { return }
        publish(kit, as: wanted, at: now)
    }

    /// Lets go of samples that a change of the document left without use.
    func dropUnused(at now: Duration) {
        if loaded != nil, sampleKitName == nil { publish(nil, as: nil, at: now) }
    }

    private func publish(_ kit: SampleKit?, as name: WantedKit?, at now: Duration) {
        loaded = name
        link.engine.publish(kit)
        link.listening.expectNotices(from: now)
    }

    /// Frees samples that nothing plays from any more; whether there are others that are to be freed once a driver has let go
    /// of them.
    func release() -> Bool { link.engine.releaseSamples() && link.isRunning }

    /// The kit of samples that the document names, whether there is one or not; nil when it names a built-in one.
    private var sampleKitName: String? {
        edited.document[.kit, .rhythm].name.flatMap { Track.rhythm.soundNames.contains($0) ? nil : $0 }
    }
}

extension Session {
    /// The names of all kits, the built-in ones first.
    public var kitNames: [String] { kits.names }

    /// The samples that are to be played but are not loaded, nil for none. Until they are, the kit before sounds.
    public var wantedKit: WantedKit? { kits.wanted }

    /// Sets which kits of samples there are.
    public func kitsFound(_ names: [String]) {
        if kits.find(names) { outbox.stateChanged() }
    }

    /// Has the samples that are played loaded anew: the files may be others.
    public func reloadKit() { kits.reload() }

    /// Plays samples that were wanted, unless others are by now.
    ///
    /// - Parameter kit: Nil for a kit that has none.
    public func kitLoaded(_ kit: SampleKit?, for wanted: WantedKit, at now: Duration) {
        kits.load(kit, for: wanted, at: now)
    }
}
