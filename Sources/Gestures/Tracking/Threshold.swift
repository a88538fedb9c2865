import Grid

/// The numbers that tell one gesture from another.
enum Threshold {
    /// A finger that rests this long holds.
    static let hold = Duration.milliseconds(400)
    /// A finger that moved further than this, in display pixels, drags.
    static let slop = 10.0
    /// A drag is horizontal or vertical when it is this many times as far one way as the other.
    static let straightness = 1.3

    /// Two taps whose `down`s are at most this far apart are a double tap.
    static let doubleTap = Duration.milliseconds(250)

    /// Coming back this many columns ends a swing.
    static let swing = 2.0
    /// A scrub that rests this long is counted anew.
    static let scrubRest = Duration.milliseconds(500)
    /// From so many changes of direction on, a touch is a scrub and writes nothing.
    static let scrubChanges = 2
    /// So many changes of direction clear the pattern.
    static let scrubClear = 5

    /// The least width of a swipe, in columns.
    static let swipeColumns = 6.0
    /// The longest time from the `down` of a swipe to its `up`.
    static let swipe = Duration.milliseconds(300)
    /// The longest time between the `up`s of a double swipe.
    static let doubleSwipe = Duration.milliseconds(500)

    /// The music key under the finger for so long switches the colour mode.
    static let musicKey = Duration.milliseconds(600)
    /// Clear all under the finger for so long clears.
    static let clear = Duration.milliseconds(600)
    /// Play/stop under the finger for so long arms recording, or disarms it.
    static let record = Duration.milliseconds(600)
    /// The tempo cell under the finger for so long switches what is followed.
    static let sync = Duration.milliseconds(600)
    /// A level meter under the finger for so long opens a lens, or closes it.
    static let lens = Duration.milliseconds(600)
    /// A finger that rests on the step markers for so long holds FILL...
    static let fill = Duration.milliseconds(200)
    /// ...and no longer when its client is on another machine and was not heard of for so long.
    static let silence = Duration.seconds(2)
    /// A pad under the finger for so long is picked up...
    static let pickUp = Duration.milliseconds(600)
    /// ...and let go of again after this time.
    static let pickedUp = Duration.seconds(5)
    /// A held button repeats after this time...
    static let repeatDelay = Duration.milliseconds(400)
    /// ...and then every so often.
    static let repeatInterval = Duration.milliseconds(100)
    /// A pause this long starts tap tempo anew.
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
