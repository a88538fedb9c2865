import Grid

/// The thresholds that distinguish gestures.
enum Threshold {
    /// A finger that rests this long holds.
    static let hold = Duration.milliseconds(400)
    /// A finger that moved further than this, in display pixels, drags.
    static let slop = 10.0
    /// A drag is horizontal or vertical when it goes this many times as far one way as the other.
    static let straightness = 1.3

    /// Two taps whose `down`s are at most this far apart are a double tap.
    static let doubleTap = Duration.milliseconds(250)

    /// Coming back this many columns ends a swing.
    static let swing = 2.0
    /// The count of a scrub that rests this long is reset.
    static let scrubRest = Duration.milliseconds(500)
    /// From this many changes of direction on, a touch is a scrub and writes nothing.
    static let scrubChanges = 2
    /// This many changes of direction clear the pattern.
    static let scrubClear = 5

    /// The least width of a swipe, in columns.
    static let swipeColumns = 6.0
    /// The longest time from the `down` of a swipe to its `up`.
    static let swipe = Duration.milliseconds(300)
    /// The longest time between the `up`s of a double swipe.
    static let doubleSwipe = Duration.milliseconds(500)

    /// Holding the music key for this long switches the colour mode.
    static let musicKey = Duration.milliseconds(600)
    /// Holding clear all for this long clears.
    static let clear = Duration.milliseconds(600)
    /// Holding the scrub indicator for this long catches.
    static let catchKeys = Duration.milliseconds(600)
    /// Holding play/stop for this long arms or disarms recording.
    static let record = Duration.milliseconds(600)
    /// Holding the tempo cell for this long switches the sync source.
    static let sync = Duration.milliseconds(600)
    /// Holding a level meter for this long opens or closes a lens.
    static let lens = Duration.milliseconds(600)
    /// Resting for this long on the step markers holds FILL, on the overview a punch-in...
    static let rest = Duration.milliseconds(200)
    /// ...and FILL no longer when its client is on another machine and has been silent for this long.
    static let silence = Duration.seconds(2)
    /// Holding a pad for this long picks it up...
    static let pickUp = Duration.milliseconds(600)
    /// ...and it is dropped again after this time.
    static let pickedUp = Duration.seconds(5)
    /// A held button repeats after this time...
    static let repeatDelay = Duration.milliseconds(400)
    /// ...and then at this interval.
    static let repeatInterval = Duration.milliseconds(100)
    /// After a pause this long tap tempo starts again.
    static let tapTempoPause = Duration.seconds(3)
}

extension TouchSurface {
    /// The distance from the start, in cells, at which a drag's direction is locked: a staircase of whole cells cannot
    /// show a diagonal earlier.
    var lockDistance: Double { resolution == .subcell ? 2 : 5 }

    /// Whether a finger that went from one place to another has moved far enough to drag.
    func isDrag(from start: Place, to place: Place) -> Bool {
        switch resolution {
        case .subcell: start.distance(to: place) * cellPixels > Threshold.slop
        case .cell: !place.isInCell(of: start)
        }
    }
}
