import JSON
import Wire

extension PixelBoopClient {
    /// The patterns in the daemon's library.
    public func library() async throws -> [LibraryEntry] {
        try await read(["entries": call("library.list")]) { (fields) throws(FieldError) in
            try fields("entries", .array(of: .message(LibraryEntry.self)))
        }
    }

    /// Saves the pattern in the library; a pattern of that name is overwritten.
    ///
    /// - Parameter name: 1 to 64 characters, no `/`, no leading dot, no control characters.
    public func save(_ name: String) async throws {
        try await call("library.save", ["name": .string(name)])
    }

    /// Loads a pattern from the library, as one undo step.
    public func load(_ name: String) async throws {
        try await call("library.load", ["name": .string(name)])
    }

    /// Deletes a pattern from the library.
    public func delete(_ name: String) async throws {
        try await call("library.delete", ["name": .string(name)])
    }

    /// Gives a pattern of the library another name.
    public func rename(_ name: String, to newName: String) async throws {
        try await call("library.rename", ["name": .string(name), "to": .string(newName)])
    }

    /// Makes a MIDI file of the pattern.
    ///
    /// - Parameters:
    ///   - path: Where the daemon writes it, absolute; nil for the file in the answer.
    ///   - loops: How often the pattern is played, from 1.
    public func exportMIDI(to path: String? = nil, loops: Int = 1) async throws -> ExportReply {
        var parameters: JSONObject = ["loops": .integer(loops)]
        parameters["path"] = path.map { .string($0) }
        return try await ask("export.midi", parameters)
    }

    /// Renders the pattern into a sound file.
    ///
    /// - Parameters:
    ///   - path: Where the daemon writes it, absolute.
    ///   - loops: How often the pattern is played, from 1.
    ///   - rate: Frames per second; the daemon's choice unless told otherwise.
    public func exportWAV(to path: String, loops: Int = 1, rate: Int? = nil) async throws -> ExportReply {
        var parameters: JSONObject = ["path": .string(path), "loops": .integer(loops)]
        parameters["rate"] = rate.map { .integer($0) }
        return try await ask("export.wav", parameters)
    }
}
