import Grid

/// One finger from `down` to `up`: pressed, held, or dragging (after a hold or not).
struct TouchTracker: Sendable {
    let start: Place
    let downAt: TouchMoment
    private let surface: TouchSurface

    /// Where the finger was reported last.
    private(set) var place: Place
    /// Whether it rested long enough before it moved.
    private(set) var isHeld = false
    /// Its path, once it moved far enough.
    private(set) var drag: Drag?

    init(downAt place: Place, on surface: TouchSurface, at now: TouchMoment) {
        start = place
        self.place = place
        self.surface = surface
        downAt = now
    }

    /// How long until the finger holds, or a scrub's count is reset, nil without either. A hold is shown as soon as it
    /// may be one.
    var wait: Wait? {
        if let drag { return drag.scrub.wait }
        return isHeld ? nil : Wait(start: downAt, length: Threshold.hold, endsByItself: true)
    }

    /// Whether lifting the finger now would be a tap (or, when held, an accent): it did not leave its cell.
    var isTap: Bool { drag.map { !$0.hasLeftCell } ?? true }

    /// Where it acts: a tap where the finger went down, a drag where it is.
    var target: Place { isTap ? start : place }

    /// Handles the end of the wait.
    mutating func expire() {
        if drag != nil { drag?.rest() } else { isHeld = true }
    }

    /// Withdraws a hold if the finger, by its client's clock, moved or was lifted earlier.
    mutating func judgeHold(at now: TouchMoment) {
        if drag == nil, now.elapsed(since: downAt) < Threshold.hold { isHeld = false }
    }

    mutating func move(to place: Place, at now: TouchMoment) {
        self.place = place
        if drag == nil {
            guard surface.isDrag(from: start, to: place) else { return }
            judgeHold(at: now)
            drag = Drag(from: start, lockDistance: surface.lockDistance, at: now)
        }
        drag?.follow(to: place, at: now)
    }
}
