import Glibc

/// Something that must accept any bytes without harm.
public protocol FuzzTarget {
    /// Processes one input, and traps if a rule is broken.
    func run(_ input: UnsafeRawBufferPointer)
}

/// A kind of input that comes from outside. Its name is also that of its folder and its dictionary in `Corpus`.
public enum FuzzInput: String, CaseIterable, Sendable {
    /// The control protocol.
    case line
    /// Pattern files.
    case pattern
    /// The session's database.
    case session
    /// The configuration file.
    case configuration
    /// Fingers, commands and time.
    case touches
    /// What the gateway reads from the network.
    case web
    /// Sound files in a kit's folder.
    case samples
    /// Packets of Open Sound Control.
    case osc
    /// What Launchpads and serialosc send.
    case pads
    /// Messages at the MIDI input.
    case midi
    /// What the database of takes holds.
    case take
    /// Everything that reaches the engine's step.
    case intake
    /// Keys that clients press over the control protocol.
    case keys
    /// Damaged files of the session's database and of that of takes.
    case database

    /// A target that takes one input after the other.
    public func makeTarget() -> any FuzzTarget {
        switch self {
        case .line: LineTarget()
        case .pattern: PatternTarget()
        case .session: SessionTarget()
        case .configuration: ConfigurationTarget()
        case .touches: TouchTarget()
        case .web: WebTarget()
        case .samples: SampleTarget()
        case .osc: OSCTarget()
        case .pads: PadsTarget()
        case .midi: MidiTarget()
        case .take: TakeTarget()
        case .intake: IntakeTarget()
        case .keys: KeysTarget()
        case .database: DatabaseTarget()
        }
    }
}

/// Traps if a condition does not hold.
func require(_ condition: Bool, _ rule: @autoclosure () -> String, line: UInt = #line, file: StaticString = #fileID) {
    guard !condition else { return }
    let bytes = Array("\(file):\(line): broken: \(rule())\n".utf8)
    _ = write(STDERR_FILENO, bytes, bytes.count)
    fatalError("a rule was broken")
}
