import Grid
import Music

/// A finger on play/stop: what stands plays at once, what plays stops when the finger is lifted soon. A hold arms recording or
/// disarms it, and what plays plays on.
struct PlayContact: HeldContact {
    private let wasPlaying: Bool
    private let downAt: Moment
    var hold: Hold

    init(downAt place: Place, in turn: inout Turn) {
        wasPlaying = turn.context.isPlaying
        downAt = turn.now
        hold = Hold(at: place, since: turn.now, for: Threshold.record)
        if !wasPlaying { turn.togglePlay(showingAt: .control) }
    }

    mutating func expire(in turn: inout Turn) {
        hold.wait = nil
        turn.toggleRecording()
    }

    mutating func lift(in turn: inout Turn) {
        if wasPlaying, turn.context.isPlaying, turn.now.elapsed(since: downAt) < Threshold.record {
            turn.togglePlay(showingAt: .control)
        }
    }
}

/// A finger on the tempo cell: a tap of the tempo that counts at once, and not at all when it turns out to be a hold, which
/// switches what is followed.
struct TempoContact: HeldContact {
    private let earlierTempo: Tempo
    var hold: Hold

    init(downAt place: Place, in turn: inout Turn) {
        earlierTempo = turn.document.pattern.tempo
        hold = Hold(at: place, since: turn.now, for: Threshold.sync)
        turn.tapTempo()
    }

    mutating func expire(in turn: inout Turn) {
        hold.wait = nil
        if turn.context.tempoSource == nil {
            turn.memory.tapTempo.retract()
            if turn.document.pattern.tempo != earlierTempo { turn.set(.tempo, to: .number(earlierTempo.bpm)) }
        }
        turn.toggleSync()
    }
}

/// A finger that holds a tempo or length button, which then repeats.
struct NudgeContact: HeldContact {
    private let nudge: Nudge
    var hold: Hold

    init(_ nudge: Nudge, downAt place: Place, at now: Moment) {
        self.nudge = nudge
        hold = Hold(at: place, since: now, for: Threshold.repeatDelay)
    }

    mutating func expire(in turn: inout Turn) {
        turn.press(nudge)
        hold.wait = Wait(start: turn.now, length: Threshold.repeatInterval)
    }
}

/// A finger on clear all: only a hold clears, so that nobody's thumb wipes a set; a tap says so.
struct ClearContact: HeldContact {
    private let client: ClientID
    var hold: Hold

    init(downAt place: Place, of client: ClientID, at now: Moment) {
        self.client = client
        hold = Hold(at: place, since: now, for: Threshold.clear)
    }

    mutating func expire(in turn: inout Turn) {
        hold.wait = nil
        turn.clear(showingAt: .control, shaking: client)
    }

    mutating func lift(in turn: inout Turn) {
        if hold.wait != nil { turn.show("HOLD", at: .control) }
    }
}

/// A finger on a button that does something else when it is held; it lets go by straying more than a cell from where it went
/// down.
protocol HeldContact: Contact {
    var hold: Hold { get set }
}

extension HeldContact {
    var wait: Wait? { hold.wait }

    mutating func move(to place: Place, in turn: inout Turn) {
        if !place.isWithinOneCell(of: hold.place) { hold.wait = nil }
    }
}

/// Where a finger went down, and what it waits for there; nil once it has let go, or been held for long enough.
struct Hold {
    let place: Place
    var wait: Wait?

    init(at place: Place, since now: Moment, for length: Duration) {
        self.place = place
        wait = Wait(start: now, length: length)
    }
}
