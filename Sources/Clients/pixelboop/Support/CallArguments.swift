import JSON
import Wire

/// The parameters of a call on the command line.
struct CallArguments {
    let object: JSONObject

    /// Reads a JSON object, `-` for one from standard input, or pairs like `bpm=120`.
    ///
    /// - Parameter method: Decides which parameters are strings; nil for a method that this version does not know.
    init(_ words: [String], of method: MethodDescription?) throws {
        if words.count == 1, InputFile.isStandardInput(words[0]) || words[0].hasPrefix("{") {
            object = try CallArguments.object(words[0])
            return
        }
        var object = JSONObject()
        for word in words {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2, !parts[0].isEmpty else {
                throw Failure(.usage, "'\(word)' is neither name=value nor a JSON object, as in '{\"bpm\": 120}'")
            }
            let parameter = method?.parameters.first { $0.name == parts[0] }
            object[parts[0]] = CallArguments.value(parts[1], of: parameter)
        }
        self.object = object
    }

    private static func object(_ text: String) throws -> JSONObject {
        let bytes = InputFile.isStandardInput(text) ? try InputFile.read(text) : Array(text.utf8)
        do {
            guard let object = try JSONValue(parsing: bytes).objectValue else {
                throw Failure(.usage, "the parameters must be a JSON object, as in '{\"bpm\": 120}'")
            }
            return object
        } catch let error as JSONError {
            throw Failure(.usage, "the parameters are not JSON: \(error)")
        }
    }

    /// JSON where it parses as such, unless the parameter is a string; a list of strings may be written `a,b`.
    private static func value(_ text: String, of parameter: ParameterDescription?) -> JSONValue {
        let json = try? JSONValue(parsing: text.utf8)
        switch parameter?.schema.json["type"] {
        case "string": return .string(text)
        case "array" where json?.arrayValue == nil:
            return .array(text.split(separator: ",").map { .string(String($0)) })
        default: return json ?? .string(text)
        }
    }
}
