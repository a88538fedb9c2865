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

/// What the session knows of the kits of samples.
struct KitMemory {
    /// The names of those that there are.
    fileprivate(set) var names: [String] = []
    /// What the engine was given last, nil for no samples.
    fileprivate var loaded: WantedKit?
    fileprivate var revision = 0
}

extension Session {
    /// The names of all kits, the built-in ones first.
    public var kitNames: [String] { Track.rhythm.soundNames + kits.names }

    /// Tells which kits of samples there are.
    public func kitsFound(_ names: [String]) {
        guard names != kits.names else { return }
        kits.names = names
        stateChanged()
    }

    /// Has the samples that are played loaded anew: the files may be others.
    public func reloadKit() {
        kits.revision += 1
    }

    /// The samples that are to be played but are not loaded, nil for none. Until they are, the kit before sounds.
    public var wantedKit: WantedKit? {
        guard let sampleRate = audio.sampleRate, let name = sampleKitName else { return nil }
        let wanted = WantedKit(name: name, sampleRate: sampleRate, revision: kits.revision)
        return wanted == kits.loaded ? nil : wanted
    }

    /// Plays samples that were wanted, unless others are by now.
    ///
    /// - Parameter kit: Nil for a kit that has none.
    public func kitLoaded(_ kit: SampleKit?, for wanted: WantedKit, at now: Duration) {
        guard wanted == wantedKit else { return }
        kits.loaded = wanted
        engine.publish(kit)
        listening.expectNotices(from: now)
    }

    /// Lets go of samples that a change of the document left without use.
    func dropUnusedKit(at now: Duration) {
        guard kits.loaded != nil, sampleKitName == nil else { return }
        kits.loaded = nil
        engine.publish(nil)
        listening.expectNotices(from: now)
    }

    /// Frees samples that nothing plays from any more; whether there are others that are to be freed once a driver has let go
    /// of them.
    func releaseSamples() -> Bool { engine.releaseSamples() && audio.state == .running }

    /// The kit of samples that the document names, whether there is one or not; nil when it names a built-in one.
    private var sampleKitName: String? {
        guard let name = document[.kit, .rhythm].name, !Track.rhythm.soundNames.contains(name) else { return nil }
        return name
    }
}
