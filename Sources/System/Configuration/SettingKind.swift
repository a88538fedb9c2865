/// The values that a setting may have, and how they are read, written and described.
public struct SettingKind<Value: Sendable>: Sendable {
    /// The allowed values in words: `an integer from 1 to 64`.
    let expectation: String
    /// The same, appended to the setting's sentence: `, 1 to 64`.
    let limits: String
    let shape: SettingShape
    /// Reads a written value; nil if it is not allowed.
    let read: @Sendable (_ written: UntypedValue, _ home: String?) -> Value?
    /// A value as it would be written in the file; nil for none.
    let write: @Sendable (Value) -> String?

    init(
        _ expectation: String, limits: String = "", shape: SettingShape = .single,
        read: @escaping @Sendable (_ written: UntypedValue, _ home: String?) -> Value?,
        write: @escaping @Sendable (Value) -> String?
    ) {
        self.expectation = expectation
        self.limits = limits
        self.shape = shape
        self.read = read
        self.write = write
    }

    public static func text(
        _ expectation: String, _ read: @escaping @Sendable (String) -> Value?,
        write: @escaping @Sendable (Value) -> String
    ) -> SettingKind {
        SettingKind(expectation, read: { raw, _ in raw.text.flatMap(read) }, write: { quoted(write($0)) })
    }

    /// A value that is written as several words: a list, or a comma-separated string.
    public static func words(
        _ expectation: String, _ read: @escaping @Sendable ([String]) -> Value?,
        write: @escaping @Sendable (Value) -> String
    ) -> SettingKind {
        SettingKind(expectation, read: { raw, _ in raw.words.flatMap(read) }, write: { quoted(write($0)) })
    }

    public static func optional<Wrapped>(_ kind: SettingKind<Wrapped>) -> SettingKind where Value == Wrapped? {
        SettingKind(
            kind.expectation, limits: kind.limits, shape: kind.shape,
            read: { raw, home in kind.read(raw, home).map(Optional.some) }, write: { $0.flatMap(kind.write) })
    }

    /// Several values: a list, or a comma-separated string.
    public static func list<Element: Sendable>(
        _ expectation: String, orNone: Bool = true, _ read: @escaping @Sendable (String) -> Element?,
        write: @escaping @Sendable (Element) -> String
    ) -> SettingKind where Value == [Element] {
        SettingKind(
            expectation, shape: .list,
            read: { raw, _ in
                guard let words = raw.words, orNone || !words.isEmpty else { return nil }
                let elements = words.compactMap(read)
                return elements.count == words.count ? elements : nil
            },
            write: { $0.isEmpty ? nil : "[" + $0.compactMap { quoted(write($0)) }.joined(separator: ", ") + "]" })
    }

    public static func choice() -> SettingKind where Value: RawRepresentable<String> & CaseIterable {
        let words = Value.allCases.map(\.rawValue)
        return SettingKind(
            words.map { "\"\($0)\"" }.alternatives, limits: ": \(words.alternatives)",
            read: { raw, _ in raw.text.flatMap { Value(rawValue: $0) } }, write: { quoted($0.rawValue) })
    }

    public static func number() -> SettingKind where Value: RawRepresentable<Int> & CaseIterable {
        let numbers = Value.allCases.map { "\($0.rawValue)" }.alternatives
        return SettingKind(
            numbers, limits: ": \(numbers)", read: { raw, _ in raw.integer.flatMap { Value(rawValue: $0) } },
            write: { "\($0.rawValue)" })
    }
}

/// How a setting is given on the command line: with one value, several, or none.
public enum SettingShape: Sendable {
    case single
    case list
    /// A flag without a value.
    case flag
    /// A flag and its opposite: `--connect`, `--no-connect`.
    case onOff
}

extension SettingKind<Int> {
    public static func integer(_ range: ClosedRange<Int>) -> SettingKind {
        let limits = "\(range.lowerBound) to \(range.upperBound)"
        return SettingKind(
            "an integer from \(limits)", limits: ", \(limits)",
            read: { raw, _ in raw.integer.flatMap { range.contains($0) ? $0 : nil } }, write: { "\($0)" })
    }
}

extension SettingKind<Double> {
    public static func number(_ range: ClosedRange<Int>) -> SettingKind {
        let limits = "\(range.lowerBound) to \(range.upperBound)"
        let allowed = Double(range.lowerBound)...Double(range.upperBound)
        return SettingKind(
            "a number from \(limits)", limits: ", \(limits)",
            read: { raw, _ in raw.number.flatMap { allowed.contains($0) ? $0 : nil } }, write: { "\($0)" })
    }
}

extension SettingKind<Bool> {
    /// A switch that is off unless its flag is given.
    public static var flag: SettingKind { boolean(.flag) }
    /// A switch that can be turned on and off on the command line.
    public static var onOff: SettingKind { boolean(.onOff) }

    private static func boolean(_ shape: SettingShape) -> SettingKind {
        SettingKind("true or false", shape: shape, read: { raw, _ in raw.boolean }, write: { "\($0)" })
    }
}

extension SettingKind<String> {
    public static var path: SettingKind {
        SettingKind("an absolute path", read: { raw, home in raw.path(home: home) }, write: quoted)
    }

    public static var socket: SettingKind {
        let limit = BaseDirectories.socketPathLimit
        return SettingKind(
            "an absolute path of at most \(limit) bytes",
            read: { raw, home in raw.path(home: home).flatMap { $0.utf8.count <= limit ? $0 : nil } }, write: quoted)
    }

    /// A name that JACK accepts: no control characters, and no separator.
    ///
    /// - Parameters:
    ///   - limit: In bytes.
    ///   - plural: The separator in words.
    static func name(atMost limit: Int, without separator: Character, _ plural: String) -> SettingKind {
        text(
            "a name of 1 to \(limit) bytes without \(plural) and control characters",
            { name in
                let hasControls = name.unicodeScalars.contains { $0.properties.generalCategory == .control }
                return name.utf8.count <= limit && !name.contains(separator) && !hasControls ? name : nil
            }, write: \.self)
    }

    /// The name of a JACK server, short enough for its socket's path.
    public static var jackServer: SettingKind { name(atMost: 64, without: "/", "slashes") }
}

/// A string as written in the file; nil for an empty one, which stands for no value.
@Sendable private func quoted(_ text: String) -> String? {
    guard !text.isEmpty else { return nil }
    return "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
}

extension [String] {
    /// `a, b or c`
    var alternatives: String {
        count < 2 ? joined() : dropLast().joined(separator: ", ") + " or " + self[count - 1]
    }
}
