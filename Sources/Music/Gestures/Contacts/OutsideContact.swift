import Grid
import Instrument

/// A finger outside the tracks: a double tap plays or stops. One that rests holds FILL on the step markers, and a
/// punch-in on the overview, where it may also move; it does not tap then.
struct OutsideContact: Contact {
    /// What a finger holds there if it rests.
    private enum Purpose {
        case fill
        case punchIn(PunchZone)
    }

    private let client: ClientID
    private let spot: TapSpot
    private let purpose: Purpose?
    /// Identifies what the finger holds.
    private let id: DragID
    private var tracker: TouchTracker
    private var earlierTap: QuickTap?
    /// Nil for a finger that cannot hold anything, or no longer.
    private var hold: Hold?

    init(downAt place: Place, of client: ClientID, on surface: TouchSurface, in turn: inout Turn) {
        self.client = client
        spot = .outside(column: place.column, row: place.row)
        id = DragID(number: turn.number)
        tracker = TouchTracker(downAt: place, on: surface, at: turn.now)
        earlierTap = turn.memory.taps.claim(spot, by: client, at: turn.now)
        if place.row == Layout.markerRow, Layout.markerColumns.contains(place.column) {
            purpose = .fill
            hold = Hold(at: turn.now, patience: surface.isRemote ? Threshold.silence : nil)
        } else if let zone = PunchZone(at: place) {
            purpose = .punchIn(zone)
            // The owner of the state ends it when the client is silent.
            hold = Hold(at: turn.now, patience: nil)
        } else {
            purpose = nil
        }
    }

    var wait: Wait? { hold == nil ? tracker.wait : hold?.wait }

    var isFilling: Bool { if case .fill = purpose { isHolding } else { false } }

    var drag: DragID? { if case .punchIn = purpose, isHolding { id } else { nil } }

    private var isHolding: Bool { hold?.isHeld ?? false }

    mutating func messageArrived(at now: TouchMoment) { hold?.messageArrived(at: now) }

    mutating func expire(in turn: inout Turn) {
        guard let hold else { return tracker.expire() }
        if hold.isAwaited { begin(in: &turn) } else { self.hold?.end() }
    }

    mutating func move(to place: Place, in turn: inout Turn) {
        let isElsewhere = place != tracker.place
        tracker.move(to: place, at: turn.now)
        switch purpose {
        case .fill: if hold?.isAwaited == true, tracker.drag != nil { hold = nil }
        case .punchIn(let zone):
            if isHolding {
                guard isElsewhere else { return }
                turn.punchIn(zone, at: place, by: client, id)
            } else if hold?.isAwaited == true, tracker.drag != nil {
                begin(in: &turn)
            }
        case nil: break
        }
    }

    mutating func lift(in turn: inout Turn) {
        if let hold, !hold.isAwaited {
            if let drag { turn.endTooltip(of: drag) }
            return letGo(in: &turn)
        }
        tracker.judgeHold(at: turn.now)
        guard tracker.isTap, !tracker.isHeld else { return returnEarlierTap(in: &turn) }
        guard earlierTap == nil else {
            return turn.togglePlay(showingAt: .finger(tracker.place))
        }
        turn.memory.taps.remember(
            QuickTap(client: client, spot: spot, downAt: tracker.downAt, isHalfAPair: true, revision: nil))
    }

    mutating func abandon(in turn: inout Turn) {
        letGo(in: &turn)
        returnEarlierTap(in: &turn)
    }

    private mutating func returnEarlierTap(in turn: inout Turn) {
        if let earlierTap { turn.memory.taps.remember(earlierTap) }
        earlierTap = nil
    }

    // MARK: Holding

    /// The finger has rested for long enough, or moved on the overview.
    private mutating func begin(in turn: inout Turn) {
        hold?.begin(at: turn.arrival)
        returnEarlierTap(in: &turn)
        switch purpose {
        case .fill: turn.show("FILL", at: .finger(tracker.start))
        case .punchIn(let zone):
            guard turn.context.hears(zone.effect) else {
                hold?.end()
                return
            }
            turn.punchIn(zone, at: tracker.place, by: client, id)
            turn.shake(client, .medium)
        case nil: break
        }
    }

    private func letGo(in turn: inout Turn) {
        if case .punchIn(let zone) = purpose, isHolding { turn.endPunchIn(zone.effect, by: client, id) }
    }
}

extension GestureContext {
    /// Whether an effect that begins now can be heard.
    fileprivate func hears(_ effect: PunchEffect) -> Bool { hasAudio && (isPlaying || effect.actsWhileStopped) }
}
