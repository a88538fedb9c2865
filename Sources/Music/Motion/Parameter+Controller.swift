extension Parameter {
    /// The MIDI controller that motions of the parameter are sent as: volume, pan, brightness; nil when they are not sent.
    public var sentController: UInt8? {
        @_noLocks @_noAllocation get {
            switch self {
            case .gain: 7
            case .pan: 10
            case .tone: 74
            default: nil
            }
        }
    }

    /// Where that controller stands with a value, 0 to 127: evenly over the range, but for a gain, of which receivers take 40
    /// log10 of the way in decibels.
    ///
    /// - Parameter root: The square root of what a value in decibels multiplies amplitudes with.
    @_noLocks @_noAllocation
    public func controllerPosition(of value: Double, root: Double) -> UInt8 {
        let share =
            switch self {
            case .gain: root
            case .pan: (value + 1) / 2
            default: (value + 24) / 48
            }
        let position = Int64(127 * share + 0.5)
        return position > 127 ? 127 : UInt8(truncatingIfNeeded: position)
    }
}
