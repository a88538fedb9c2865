import Engine
import Gestures
import Grid
import Instrument
import Music
import Rendering

/// Who holds a punch-in.
public enum PunchInHolder: Hashable, Sendable {
    /// A finger of a client.
    case finger(ClientID, DragID)
    /// A client that has called for it.
    case program(ClientID)
    /// A key or a controller at the MIDI input.
    case controller(MidiTrigger)

    /// The client with which it ends, nil for none.
    var client: ClientID? {
        switch self {
        case .finger(let client, _), .program(let client): client
        case .controller: nil
        }
    }
}

/// The effects that are held, each by one holder.
///
/// A newer holder takes an effect over. Who loses it in this way, or because the music stops, is inert until it lets go,
/// whatever happens meanwhile.
final class HeldPunchIns {
    /// How long a remote client may be silent while it holds an effect.
    private static let patience: Duration = .seconds(2)

    /// The newest values, for the engine.
    private(set) var values = PunchIns()
    /// Who holds each effect.
    private var holders: [PunchEffect: PunchInHolder] = [:]
    /// Those that have not let go of an effect, whether they hold it or have lost it.
    private var unreleased: [PunchEffect: Set<PunchInHolder>] = [:]
    /// When each client on another machine has said something last.
    private var heard: [ClientID: Duration] = [:]
    private let link: AudioLink
    private let tooltips: Tooltips
    private let outbox: Outbox

    init(_ link: AudioLink, _ tooltips: Tooltips, _ outbox: Outbox) {
        self.link = link
        self.tooltips = tooltips
        self.outbox = outbox
    }

    /// When the next client has been silent for too long, nil for never.
    var deadline: Duration? { holders.values.compactMap { deadline(of: $0) }.min() }

    private func deadline(of holder: PunchInHolder) -> Duration? {
        holder.client.flatMap { heard[$0] }.map { $0 + Self.patience }
    }

    /// The effects as the overview shows them.
    var bars: [PunchBar] {
        PunchEffect.allCases.filter { holders[$0] != nil }.map { effect in
            PunchBar(
                zone: effect.rawValue, amount: values[effect].amount,
                isRhythmAlone: values[effect].selectedTracks == [.rhythm])
        }
    }

    /// How many have not let go.
    var unreleasedCount: Int { unreleased.values.reduce(0) { $0 + $1.count } }

    /// Lets a holder begin to hold an effect, or move its amount.
    ///
    /// - Parameter isHeard: Whether it has an effect if it begins now; otherwise the holder is inert.
    /// - Returns: Whether it holds the effect.
    func hold(
        _ effect: PunchEffect, amount: Double, on tracks: [Track], by holder: PunchInHolder, isHeard: Bool
    ) -> Bool {
        if holders[effect] != holder {
            guard unreleased[effect, default: []].insert(holder).inserted, isHeard else { return false }
            dropText(of: effect)
            holders[effect] = holder
            values[effect].number &+= 1
            values[effect].isHeld = true
        }
        values[effect].amount = amount
        values[effect].selectedTracks = tracks
        publish(effect, PunchEvent(effect: effect, amount: amount, tracks: values[effect].selectedTracks))
        return true
    }

    /// A holder lets go of an effect, whether it still holds it or not.
    func release(_ effect: PunchEffect, by holder: PunchInHolder) {
        unreleased[effect]?.remove(holder)
        if holders[effect] == holder { end(effect) }
    }

    /// Forgets a client that is gone.
    func releaseAll(of client: ClientID) {
        heard[client] = nil
        for effect in PunchEffect.allCases {
            for holder in unreleased[effect] ?? [] where holder.client == client { release(effect, by: holder) }
        }
    }

    /// Ends all effects; who held them is inert until it lets go.
    func endAll() {
        for effect in PunchEffect.allCases where holders[effect] != nil { end(effect) }
    }

    /// A client on another machine has said something.
    func hear(_ client: ClientID, at now: Duration) { heard[client] = now }

    /// Ends what remote clients hold that have been silent for too long. Programs may begin anew then.
    ///
    /// - Returns: Whether anything has ended.
    func advance(to now: Duration) -> Bool {
        let late = holders.filter { deadline(of: $0.value).map { $0 <= now } ?? false }
        for (effect, holder) in late {
            if case .program = holder { release(effect, by: holder) } else { end(effect) }
        }
        return !late.isEmpty
    }

    private func end(_ effect: PunchEffect) {
        dropText(of: effect)
        holders[effect] = nil
        values[effect].isHeld = false
        publish(effect, PunchEvent(effect: effect))
    }

    /// The text of a finger that loses an effect goes at once.
    private func dropText(of effect: PunchEffect) {
        if case .finger(_, let id) = holders[effect] { tooltips.drop(id) }
    }

    private func publish(_ effect: PunchEffect, _ event: PunchEvent) {
        link.engine.publish(values)
        outbox.sceneChanged()
        outbox.emit(event)
    }
}

extension Session {
    /// The effects that are held.
    public var punchIns: PunchIns { heldPunchIns.values }

    /// How many fingers, programs and controllers have not let go of an effect, whether they still hold it or not.
    package var unreleasedPunchCount: Int { heldPunchIns.unreleasedCount }

    /// Lets a program or a controller hold an effect, or move its amount.
    ///
    /// - Parameters:
    ///   - amount: 0 to 1.
    ///   - tracks: The tracks on which it acts.
    /// - Returns: Whether it holds the effect. Otherwise it has lost it, or could not begin, and must let go first.
    public func punchIn(
        _ effect: PunchEffect, amount: Double, on tracks: [Track], by holder: PunchInHolder, at now: Duration
    ) throws(CommandError) -> Bool {
        guard link.isRunning else { throw .noAudio(audio.reason) }
        if let client = holder.client { hear(client, at: now) }
        return heldPunchIns.hold(effect, amount: amount, on: tracks, by: holder, isHeard: canHear(effect))
    }

    /// A program or a controller lets go of an effect, whether it holds it or not.
    public func endPunchIn(_ effect: PunchEffect, by holder: PunchInHolder) {
        heldPunchIns.release(effect, by: holder)
    }

    func hold(_ touch: PunchTouch) {
        let holder = PunchInHolder.finger(touch.client, touch.id)
        let isHeld = heldPunchIns.hold(
            touch.effect, amount: touch.amount, on: touch.tracks, by: holder, isHeard: canHear(touch.effect))
        if isHeld { showPunch(touch) }
    }

    private func canHear(_ effect: PunchEffect) -> Bool {
        link.isRunning && (transportView.isPlaying || effect.actsWhileStopped)
    }
}

extension PunchIn {
    fileprivate var selectedTracks: [Track] {
        get { Track.allCases.filter { tracks[$0.rawValue] } }
        set { for track in Track.allCases { tracks[track.rawValue] = newValue.contains(track) } }
    }
}
