import ArgumentParser
import Instrument
import Music
import Wire

/// A choice with the same names, ignoring case, on the command line as in files and on the socket.
///
/// Public only because its extensions implement requirements of a public protocol.
public protocol NamedArgument: CaseIterable, ExpressibleByArgument {
    var name: String { get }
}

extension NamedArgument {
    public init?(argument: String) { self.init(named: argument) }

    private init?(named argument: String) {
        guard let value = Self.allCases.first(where: { $0.name.lowercased() == argument.lowercased() }) else {
            return nil
        }
        self = value
    }

    /// All names, for help and completions.
    public static var allValueStrings: [String] { allCases.map(\.name) }

    /// None, whatever the raw values are: the names say enough.
    public static var allValueDescriptions: [String: String] { [:] }

    public var defaultValueDescription: String { name }
}

extension NamedArgument where Self: RawRepresentable, RawValue: ExpressibleByArgument {
    /// The value with a name; the parser itself would expect the raw value.
    public init?(argument: String) { self.init(named: argument) }
}

extension Track: NamedArgument {}
extension Scale: NamedArgument {}
extension PitchClass: NamedArgument {
    /// A pitch class as people write it, with sharps or flats: `A#`, `Bb`.
    public init?(argument: String) {
        if argument.dropFirst().lowercased() == "b", let natural = PitchClass(name: argument.prefix(1).uppercased()) {
            self.init(natural.number - 1)
        } else {
            self.init(name: argument.uppercased())
        }
    }
}
extension Velocity: NamedArgument {}
extension PunchEffect: NamedArgument {}
extension Speed: NamedArgument {}
extension Topic: ExpressibleByArgument {}

enum Switch: String, CaseIterable, ExpressibleByArgument {
    case on
    case off

    var isOn: Bool { self == .on }
}
