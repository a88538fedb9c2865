/// A setting without the type of its value, for code that treats all settings alike.
public struct SettingRow: Sendable {
    public let name: String
    public let shape: SettingShape
    /// Stands for the value in the help.
    public let placeholder: String
    /// Its purpose and the allowed values, without a full stop.
    let sentence: String
    let note: String
    let unset: String
    let example: String
    /// The allowed values in words.
    public let expectation: String
    let reloads: Bool
    /// The directory of the default, if that depends on the user.
    var base: BaseDirectories.Base?
    let ownVariable: String?
    var standard: @Sendable (BaseDirectories) -> SettingValue
    /// Reads a written value; nil if it is not allowed.
    let read: @Sendable (_ written: UntypedValue, _ home: String?) -> SettingValue?

    /// Its purpose, the allowed values and the default.
    public var help: String {
        let standard =
            switch shape {
            case .flag: ""
            case .onOff: standardText == "true" ? "on" : "off"
            case .single, .list: unset.isEmpty ? standardText.filter { !"\"[]".contains($0) } : unset
            }
        return sentence + (shape == .list ? "; may be given several times." : ".") + (note.isEmpty ? "" : " \(note)")
            + (standard.isEmpty ? "" : " Default: \(standard).")
    }

    /// The help for the example file, where the default appears as the value: in words too if that depends on the user.
    var comment: String {
        sentence + "." + (note.isEmpty ? "" : " \(note)") + (unset.isEmpty ? "" : " Default: \(unset).")
            + (reloads ? " On reload." : "")
    }

    /// The example as written in the file.
    var exampleText: String {
        let quoted = Int(example) == nil ? "\"\(example)\"" : example
        return shape == .list ? "[\(quoted)]" : quoted
    }

    private var standardText: String { standard(BaseDirectories(environment: [:])).text ?? "" }

    func variable(_ prefix: String) -> String { ownVariable ?? prefix + name.variable }

    /// The flag that a word was given with, as on the command line.
    func flag(for word: String) -> String { shape == .onOff && word == "false" ? "--no-\(name)" : "--\(name)" }
}

/// A value and its text in the file, nil if nothing is set.
struct SettingValue: Equatable, Sendable {
    let value: any Sendable
    let text: String?

    init<Value>(_ value: Value, as kind: SettingKind<Value>) {
        self.value = value
        text = kind.write(value)
    }

    static func == (one: Self, other: Self) -> Bool { one.text == other.text }
}

extension String {
    /// The string as part of an environment variable's name.
    var variable: String { uppercased().replacing("-", with: "_") }
}
