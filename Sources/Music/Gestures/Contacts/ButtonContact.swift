import Grid
import Music

/// A finger on a button that acts differently when it is held. Moving more than a cell away releases the button.
struct ButtonContact: Contact {
    /// The button's cells.
    private let columns: ClosedRange<Int>
    private let row: Int
    private let interval: Duration?
    private let hold: @Sendable (inout Turn) -> Void
    private let release: @Sendable (inout Turn, _ isWaiting: Bool) -> Void
    /// The wait for the hold; nil once the button was released, or held for long enough.
    private(set) var wait: Wait?

    /// - Parameters:
    ///   - length: How long it must be held.
    ///   - interval: How long until the hold repeats; nil for never.
    ///   - hold: Carried out when it has been held.
    ///   - release: Carried out when it is lifted; `isWaiting` if it could still have become a hold.
    private init(
        downAt place: Place, for length: Duration, repeatingAfter interval: Duration? = nil, at now: TouchMoment,
        hold: @escaping @Sendable (inout Turn) -> Void,
        release: @escaping @Sendable (inout Turn, _ isWaiting: Bool) -> Void = { _, _ in }
    ) {
        let control = place.row == Layout.controlRow ? ControlCell.at(column: place.column) : nil
        columns = control?.columns ?? place.column...place.column
        row = place.row
        self.interval = interval
        self.hold = hold
        self.release = release
        wait = Wait(start: now, length: length)
    }

    mutating func expire(in turn: inout Turn) {
        hold(&turn)
        wait = interval.map { [now = turn.now] in Wait(start: now, length: $0) }
    }

    mutating func move(to place: Place, in turn: inout Turn) {
        if !place.isWithinOneCell(of: columns, row: row) { wait = nil }
    }

    mutating func lift(in turn: inout Turn) { release(&turn, wait != nil) }
}

extension ButtonContact {
    /// Play/stop: starts at once, or stops if the finger is lifted soon. A hold arms or disarms recording without
    /// stopping.
    static func play(downAt place: Place, in turn: inout Turn) -> ButtonContact {
        let (wasPlaying, downAt) = (turn.context.isPlaying, turn.now)
        if !wasPlaying { turn.togglePlay(showingAt: .control) }
        return ButtonContact(downAt: place, for: Threshold.record, at: downAt) { turn in
            turn.toggleRecording()
        } release: { turn, _ in
            if wasPlaying, turn.context.isPlaying, turn.now.elapsed(since: downAt) < Threshold.record {
                turn.togglePlay(showingAt: .control)
            }
        }
    }

    /// The tempo cell: a tap counts for tap tempo at once, but is withdrawn if it becomes a hold, which switches the
    /// sync source.
    static func tempo(downAt place: Place, in turn: inout Turn) -> ButtonContact {
        let (earlier, downAt) = (turn.document.pattern.bpm, turn.now)
        turn.tapTempo()
        let tapped = turn.document.pattern.bpm
        return ButtonContact(downAt: place, for: Threshold.sync, at: downAt) { turn in
            turn.memory.tapTempo.retract(downAt)
            // Others may have set another tempo since.
            if tapped != earlier, turn.document.pattern.bpm == tapped { turn.set(.tempo, to: .number(earlier)) }
            turn.toggleSync()
        }
    }

    /// A button that acts at once, and repeatedly while it is held.
    static func nudge(
        downAt place: Place, in turn: inout Turn, press: @escaping @Sendable (inout Turn) -> Void
    ) -> ButtonContact {
        press(&turn)
        return ButtonContact(
            downAt: place, for: Threshold.repeatDelay, repeatingAfter: Threshold.repeatInterval, at: turn.now,
            hold: press)
    }

    /// Clear all: only a hold clears, so that a stray thumb does not; a tap shows HOLD.
    static func clear(downAt place: Place, of client: ClientID, at now: TouchMoment) -> ButtonContact {
        ButtonContact(downAt: place, for: Threshold.clear, at: now) { turn in
            turn.clear(showingAt: .control, shaking: client)
        } release: { turn, isWaiting in
            if isWaiting { turn.show("HOLD", at: .control) }
        }
    }

    /// Catch: only a hold writes, as for clear all.
    static func catchKeys(downAt place: Place, at now: TouchMoment) -> ButtonContact {
        ButtonContact(downAt: place, for: Threshold.catchKeys, at: now) { turn in
            let isFilled = turn.context.canCatch
            if isFilled { turn.catchKeys() }
            turn.show(isFilled ? "CATCH" : "NOTHING", at: .control)
        } release: { turn, isWaiting in
            if isWaiting { turn.show("HOLD", at: .control) }
        }
    }

    /// The music key: a tap plays or stops, a hold switches the colour mode.
    static func musicKey(downAt place: Place, of client: ClientID, at now: TouchMoment) -> ButtonContact {
        ButtonContact(downAt: place, for: Threshold.musicKey, at: now) { turn in
            let modes = ColorMode.allCases
            let next = modes[(modes.firstIndex(of: turn.document.colorMode)! + 1) % modes.count]
            turn.set(.colors, to: .choice(next))
            turn.show(next.name.uppercased(), at: .control)
            turn.shake(client, .medium)
        } release: { turn, isWaiting in
            if isWaiting { turn.togglePlay(showingAt: .control) }
        }
    }

    /// A level meter. A tap selects the next or previous sound, or, while a lens is open on the track, the next or
    /// previous lens; a hold opens the track's last lens, or closes it.
    static func meter(
        of track: Track, isUpper: Bool, downAt place: Place, of client: ClientID, in turn: Turn
    ) -> ButtonContact {
        let hasLens = turn.context.lenses[track] != nil
        return ButtonContact(downAt: place, for: Threshold.lens, at: turn.now) { turn in
            let lenses = turn.context.lenses
            turn.look(at: track, through: lenses[track] == nil ? lenses.latest(of: track) : nil)
            turn.shake(client, .medium)
        } release: { turn, isWaiting in
            guard isWaiting else { return }
            if hasLens {
                let motions = turn.document.pattern[track].motions
                let lens = turn.context.lenses.neighbour(of: track, isNext: isUpper, moving: motions)
                turn.look(at: track, through: lens)
            } else {
                turn.changeSound(of: track, isNext: isUpper)
            }
            turn.shake(client, .light)
        }
    }
}
