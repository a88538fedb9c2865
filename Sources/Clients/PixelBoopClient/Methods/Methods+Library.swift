import Wire

extension PixelBoopClient {
    /// The patterns in the daemon's library.
    public func library() async throws -> [LibraryEntry] {
        try await call(Methods.list)
    }

    /// Saves the pattern in the library, replacing an existing one of the same name.
    ///
    /// - Parameter name: 1 to 64 characters, at most 250 bytes, no `/`, no leading dot, no control characters, no line
    ///   separators.
    public func save(_ name: String) async throws {
        try await call(Methods.save, name)
    }

    /// Loads a pattern from the library, as one undo step.
    ///
    /// - Parameters:
    ///   - name: Its name in the library.
    ///   - scene: The scene, 1 to 8, to load only its playing notes into; nil to load everything.
    public func load(_ name: String, intoScene scene: Int? = nil) async throws {
        try await call(Methods.load, (name, scene))
    }

    /// Deletes a pattern from the library.
    public func delete(_ name: String) async throws {
        try await call(Methods.delete, name)
    }

    /// Renames a pattern in the library.
    public func rename(_ name: String, to newName: String) async throws {
        try await call(Methods.rename, (name, newName))
    }

    /// The kits, with the files that cannot be used.
    ///
    /// - Parameter reloading: Whether the daemon looks for kits again, and reloads the samples that it plays.
    public func kits(reloading: Bool = false) async throws -> [KitEntry] {
        try await call(reloading ? Methods.reloadKits : Methods.kits)
    }

    /// Exports the pattern as a MIDI file.
    ///
    /// - Parameters:
    ///   - path: Where the daemon writes it, absolute; nil to receive the file in the answer.
    ///   - loops: How many times the pattern is played, from 1.
    ///   - scenes: The scenes to play, from 1, a loop each; empty for the playing slots.
    ///   - chain: Whether to play every track's chain once instead.
    public func exportMIDI(
        to path: String? = nil, loops: Int = 1, scenes: [Int] = [], chain: Bool = false
    ) async throws -> ExportReply {
        try await call(
            Methods.exportMIDI,
            ExportCall(path: path, loops: loops, scenes: scenes.isEmpty ? nil : scenes, chain: chain ? true : nil))
    }

    /// Renders the pattern into a sound file.
    ///
    /// - Parameters:
    ///   - path: Where the daemon writes it, absolute.
    ///   - loops: How many times the pattern is played, from 1.
    ///   - rate: Frames per second; by default the daemon's choice.
    ///   - scenes: The scenes to play, from 1, a loop each; empty for the playing slots.
    ///   - chain: Whether to play every track's chain once instead.
    ///   - stems: Whether to write the parts of the mix beside it, too, all as floats.
    public func exportWAV(
        to path: String, loops: Int = 1, rate: Int? = nil, scenes: [Int] = [], chain: Bool = false, stems: Bool = false
    ) async throws -> ExportReply {
        try await call(
            Methods.exportWAV,
            ExportCall(
                path: path, loops: loops, rate: rate, scenes: scenes.isEmpty ? nil : scenes, chain: chain ? true : nil,
                stems: stems ? true : nil))
    }
}
