/// A pitch without its octave: 0 = C, 1 = C#, … 11 = B.
public struct PitchClass: Hashable, Named {
    /// 0 to 11.
    public let number: Int

    /// The pitch class of any pitch; negative ones wrap into 0 to 11.
    public init(_ pitch: Int) {
        number = (pitch % 12 + 12) % 12
    }

    /// C to B.
    public static let allCases = (0..<12).map { PitchClass($0) }

    private static let names = ["C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"]

    /// The name in files, on the control socket and on the grid, with sharps.
    public var name: String { PitchClass.names[number] }
}
