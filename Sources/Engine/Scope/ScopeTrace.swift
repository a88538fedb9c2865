/// What an oscilloscope shows of a thirtieth of a second, in thousandths of full scale.
public struct ScopeTrace: BitwiseCopyable, Sendable {
    /// Parts of a trace, all of the same length.
    public static var partCount: Int {
        @_noLocks @_noAllocation @_transparent get { 128 }
    }
    /// Traces in a second.
    public static var rate: Int {
        @_noLocks @_noAllocation @_transparent get { 30 }
    }

    /// The lowest sample of each part of the main output, left and right together: -1000 to 1000.
    public internal(set) var lows = InlineArray<128, Int16>(repeating: 0)
    /// The highest sample of each part of the main output, left and right together: -1000 to 1000.
    public internal(set) var highs = InlineArray<128, Int16>(repeating: 0)
    /// The highest absolute sample of each track: 0 to 1000.
    public internal(set) var peaks = PerTrack<Int16>(repeating: 0)
    /// JACK's time of its end in µs.
    public internal(set) var usecs: UInt64 = 0
}
