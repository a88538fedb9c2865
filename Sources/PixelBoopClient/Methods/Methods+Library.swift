import Wire

extension PixelBoopClient {
    /// The patterns in the daemon's library.
    public func library() async throws -> [LibraryEntry] {
        try await call(Methods.list)
    }

    /// Saves the pattern in the library; a pattern of that name is overwritten.
    ///
    /// - Parameter name: 1 to 64 characters, no `/`, no leading dot, no control characters.
    public func save(_ name: String) async throws {
        try await call(Methods.save, name)
    }

    /// Loads a pattern from the library, as one undo step.
    public func load(_ name: String) async throws {
        try await call(Methods.load, name)
    }

    /// Deletes a pattern from the library.
    public func delete(_ name: String) async throws {
        try await call(Methods.delete, name)
    }

    /// Gives a pattern of the library another name.
    public func rename(_ name: String, to newName: String) async throws {
        try await call(Methods.rename, (name, newName))
    }

    /// Makes a MIDI file of the pattern.
    ///
    /// - Parameters:
    ///   - path: Where the daemon writes it, absolute; nil for the file in the answer.
    ///   - loops: How often the pattern is played, from 1.
    public func exportMIDI(to path: String? = nil, loops: Int = 1) async throws -> ExportReply {
        try await call(Methods.exportMIDI, (path, loops, nil))
    }

    /// Renders the pattern into a sound file.
    ///
    /// - Parameters:
    ///   - path: Where the daemon writes it, absolute.
    ///   - loops: How often the pattern is played, from 1.
    ///   - rate: Frames per second; the daemon's choice unless told otherwise.
    public func exportWAV(to path: String, loops: Int = 1, rate: Int? = nil) async throws -> ExportReply {
        try await call(Methods.exportWAV, (path, loops, rate))
    }
}
