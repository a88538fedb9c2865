import Grid
import Music

/// A finger that went down on a pad: lifted, it launches the pad; dragged, it chains the pads that it crosses; held, it
/// picks its pad up for copying.
struct PadContact: Contact {
    private let client: ClientID
    private let surface: TouchSurface
    private let downNumber: Int
    private let downAt: TouchMoment
    /// The earlier tap with which this one may make a double tap.
    private let earlierTap: QuickTap?
    /// The pad that the client had picked up before.
    private let pickedUp: Pad?
    private let releaseCount: Int
    /// Where the finger is; until it drags, where it went down.
    private var place: Place
    private var isDragging = false
    /// The pads that the finger crossed, in order; the last one is under it.
    private var pads: [Pad]
    private(set) var wait: Wait?
    private var hasPickedUp = false

    init(downAt place: Place, on pad: Pad, of client: ClientID, on surface: TouchSurface, in turn: inout Turn) {
        self.client = client
        self.surface = surface
        self.place = place
        downNumber = turn.number
        downAt = turn.now
        pads = [pad]
        wait = Wait(start: turn.now, length: Threshold.pickUp)
        earlierTap = turn.memory.taps.claim(.pad(pad), by: client, at: turn.now)
        pickedUp = turn.memory.pickUps.pad(of: client, in: pad.bank)
        releaseCount = turn.memory.pickUps.releaseCount(of: client)
    }

    var drag: DragID? { isChain ? DragID(number: downNumber) : nil }

    private var pad: Pad { pads[0] }
    private var bank: SlotBank { pad.bank }
    private var isChain: Bool { pads.count > 1 }

    mutating func expire(in turn: inout Turn) {
        wait = nil
        hasPickedUp = true
        turn.memory.pickUps.pickUp(pad, by: client, at: min(turn.now.arrival, turn.arrival))
        turn.show("COPY \(pad.index + 1)", at: .finger(place))
        turn.shake(client, .heavy)
    }

    mutating func move(to place: Place, in turn: inout Turn) {
        guard !hasPickedUp, isDragging || surface.isDrag(from: self.place, to: place) else { return }
        isDragging = true
        let count = pads.count
        for point in self.place.way(to: place) {
            cross(Layout.pad(of: bank, nearestColumn: point.column, row: point.row))
        }
        self.place = place
        guard isChain else { return }
        wait = nil
        if pads.count > count { turn.show(chainTitle, at: .finger(place), during: DragID(number: downNumber)) }
    }

    private mutating func cross(_ pad: Pad) {
        guard pads.last != pad, pads.count < TrackLaunches.longestChain else { return }
        pads.append(pad)
    }

    mutating func lift(in turn: inout Turn) {
        guard !hasPickedUp else { return }
        if isChain {
            returnEarlierTap(in: &turn)
            chain(in: &turn)
        } else if let pickedUp, turn.memory.pickUps.releaseCount(of: client) == releaseCount {
            returnEarlierTap(in: &turn)
            paste(pickedUp, in: &turn)
        } else {
            tap(in: &turn)
        }
    }

    mutating func abandon(in turn: inout Turn) {
        returnEarlierTap(in: &turn)
        if hasPickedUp, turn.memory.pickUps.pad(of: client, in: bank) == pad {
            turn.memory.pickUps.letGo(by: client)
        }
    }

    private func returnEarlierTap(in turn: inout Turn) {
        if let earlierTap { turn.memory.taps.remember(earlierTap) }
    }

    // MARK: Effects

    private var chainTitle: String { "CHAIN " + pads.map { String($0.index + 1) }.joined() }

    private func chain(in turn: inout Turn) {
        turn.launch(.chain(bank, pads.map(\.index)))
        turn.endTooltip(of: DragID(number: downNumber))
        turn.shake(client, .medium)
    }

    private func tap(in turn: inout Turn) {
        guard earlierTap == nil else {
            turn.launch(.launch(bank, pad.index, .now))
            turn.show("NOW", at: .finger(place))
            return turn.shake(client, .rigid)
        }
        let isQueued = turn.context.launches.queued(bank) == pad.index
        turn.launch(isQueued ? .cancel(bank) : .launch(bank, pad.index, .queued))
        turn.show(isQueued ? "CANCEL" : "\(bank.title) \(pad.index + 1)", at: .finger(place))
        turn.shake(client, .light)
        turn.memory.taps.remember(
            QuickTap(client: client, spot: .pad(pad), downAt: downAt, isHalfAPair: true, revision: nil))
    }

    private func paste(_ source: Pad, in turn: inout Turn) {
        turn.memory.pickUps.letGo(by: client)
        guard source != pad else {
            turn.show("CANCEL", at: .finger(place))
            return turn.shake(client, .light)
        }
        let pattern = turn.document.pattern
        if turn.edit([.copy(bank, from: source.index, to: pad.index, in: pattern)]) {
            turn.report("paste", notes: bank.slots(source.index).reduce(0) { $0 + pattern[$1].count })
        }
        turn.show("PASTE \(pad.index + 1)", at: .finger(place))
        turn.shake(client, .medium)
    }
}

extension SlotBank {
    /// `MELODY`, `SCENE`.
    fileprivate var title: String {
        switch self {
        case .track(let track): track.title
        case .scenes: "SCENE"
        }
    }
}

extension Place {
    /// Places on the straight line to another place, ending there, closer to each other than pads are wide.
    fileprivate func way(to other: Place) -> [Place] {
        let count = max(1, Int((4 * distance(to: other)).rounded(.up)))
        return (1...count).map { part in
            guard part < count else { return other }
            let (x, y) = (
                x * Double(count - part) + other.x * Double(part), y * Double(count - part) + other.y * Double(part)
            )
            return Place(x: x / Double(count), y: y / Double(count))
        }
    }
}
