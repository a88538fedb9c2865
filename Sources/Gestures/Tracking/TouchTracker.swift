import Grid

/// One finger from `down` to `up`: pressed, held, or dragging (after a hold or not).
struct TouchTracker: Sendable {
    let start: Place
    let downAt: Duration
    private let surface: TouchSurface

    /// Where the finger was reported last.
    private(set) var place: Place
    /// Whether it rested long enough before it moved.
    private(set) var isHeld = false
    /// Its path, once it moved far enough.
    private(set) var drag: Drag?

    init(downAt place: Place, on surface: TouchSurface, at now: Duration) {
        start = place
        self.place = place
        self.surface = surface
        downAt = now
    }

    /// When the finger holds, or a scrub's count starts anew, nil while it waits for neither.
    var deadline: Duration? {
        if let drag { return drag.scrub.deadline }
        return isHeld ? nil : downAt + Threshold.hold
    }

    /// Whether the finger, lifted now, has tapped (or, when held, accented): a finger that rolled in its cell meant no
    /// more.
    var isTap: Bool { drag.map { !$0.hasLeftCell } ?? true }

    /// What happens at the deadline.
    mutating func expire() {
        if drag != nil { drag?.rest() } else { isHeld = true }
    }

    mutating func move(to place: Place, at now: Duration) {
        self.place = place
        if drag == nil {
            guard surface.isDrag(from: start, to: place) else { return }
            drag = Drag(from: start, lockDistance: surface.lockDistance, at: now)
        }
        drag?.follow(to: place, at: now)
    }
}
