import JSON
import Music
import PatternFormat
import Wire

extension PixelBoopClient {
    /// Sets one cell; on melody the step's other notes go.
    ///
    /// - Parameters:
    ///   - step: 0 to 31, hidden steps too.
    ///   - note: 0 to 11; on a pitched track a note of the scale, unless the velocity is off.
    public func setNote(_ track: Track, step: Int, note: Int, _ velocity: Velocity) async throws {
        try await call(
            "note.set",
            [
                "track": .string(track.name), "step": .integer(step), "note": .integer(note),
                "velocity": .string(velocity.name),
            ])
    }

    /// The pattern.
    public func pattern() async throws -> Pattern {
        let json = try await patternJSON()
        do {
            return try PatternFormat.decode(json)
        } catch {
            throw ClientError.protocolViolation(error.description)
        }
    }

    /// The pattern as the daemon writes it into files.
    public func patternJSON() async throws -> JSONValue { try await call("pattern.get") }

    /// Replaces pattern, tempo, swing, key, length and name, as one undo step.
    public func setPattern(_ pattern: Pattern) async throws {
        try await call("pattern.set", ["pattern": PatternFormat.encode(pattern)])
    }

    /// Clears all tracks, hidden steps too.
    public func clearPattern() async throws { try await call("pattern.clear") }

    /// Goes one step back; nothing happens when there is none.
    ///
    /// - Returns: The steps that are left.
    @discardableResult
    public func undo() async throws -> HistoryCounts { try await ask("history.undo") }

    /// Goes one undone step forward; nothing happens when there is none.
    ///
    /// - Returns: The steps that are left.
    @discardableResult
    public func redo() async throws -> HistoryCounts { try await ask("history.redo") }
}
