import Grid

/// Which way a drag goes.
enum Heading: Sendable {
    case horizontal
    case vertical
    case diagonal

    /// The direction from one place to another, in cells, whatever a cell's shape on the display.
    init(from start: Place, to place: Place) {
        let (dx, dy) = (abs(place.x - start.x), abs(place.y - start.y))
        if dx > Threshold.straightness * dy {
            self = .horizontal
        } else if dy > Threshold.straightness * dx {
            self = .vertical
        } else {
            self = .diagonal
        }
    }
}

/// The path of a finger that moved far enough to drag.
struct Drag: Sendable {
    private let start: Place
    private let lockDistance: Double
    private var isLocked = false

    /// Which way the drag goes; settled once the finger has been far enough away.
    private(set) var heading = Heading.diagonal
    /// Whether the finger was reported outside the cell in which it went down.
    private(set) var hasLeftCell = false
    /// The columns that the finger crossed, each once, in order, from the start on.
    private(set) var columns: [Int]
    /// Its changes of direction, which may make it a scrub.
    private(set) var scrub: Scrub

    private var column: Int

    init(from start: Place, lockDistance: Double, at now: TouchMoment) {
        self.start = start
        self.lockDistance = lockDistance
        column = start.column
        columns = [column]
        scrub = Scrub(from: start.x, at: now)
    }

    mutating func follow(to place: Place, at now: TouchMoment) {
        cross(to: place.column)
        judge(place)
        if !place.isInCell(of: start) { hasLeftCell = true }
        scrub.follow(to: place.x, at: now)
    }

    mutating func rest() { scrub.rest() }

    private mutating func cross(to target: Int) {
        while column != target {
            column += column < target ? 1 : -1
            if !columns.contains(column) { columns.append(column) }
        }
    }

    private mutating func judge(_ place: Place) {
        guard !isLocked else { return }
        heading = Heading(from: start, to: place)
        isLocked = start.distance(to: place) >= lockDistance
    }
}
