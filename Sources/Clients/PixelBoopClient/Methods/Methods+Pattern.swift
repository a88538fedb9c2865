import JSON
import Music
import PatternFormat
import Wire

extension PixelBoopClient {
    /// Sets one cell; on melody this removes the step's other notes.
    ///
    /// - Parameters:
    ///   - track: The track.
    ///   - step: 0 to 31, hidden steps too.
    ///   - note: 0 to 11; on a pitched track a note of the scale, unless the velocity is off.
    ///   - velocity: The cell's new velocity.
    ///   - slot: 1 to 8; nil for the playing one.
    ///   - values: Values that differ from a new note's.
    public func setNote(
        _ track: Track, step: Int, note: Int, _ velocity: Velocity, slot: Int? = nil, values: [NoteValue: Int] = [:]
    ) async throws {
        try await call(Methods.note, NoteCall(track, step: step, note: note, velocity, slot: slot, values: values))
    }

    /// Changes values of the note that starts on a step, or of all that do if nil.
    public func adjustNotes(
        _ track: Track, step: Int, note: Int? = nil, slot: Int? = nil, _ values: [NoteValue: Int]
    ) async throws {
        try await call(Methods.adjustNotes, NoteAdjustment(track, step: step, note: note, slot: slot, values: values))
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

    /// The pattern in the daemon's file format.
    public func patternJSON() async throws -> JSONValue { try await call(Methods.pattern) }

    /// Replaces pattern, tempo, swing, key, length and name, as one undo step.
    public func setPattern(_ pattern: Pattern) async throws {
        try await call(Methods.setPattern, .success(pattern))
    }

    /// Empties all slots, and resets tempo, swing, key, length, sounds and mixer to those of a new instrument, as one
    /// undo step.
    public func newPattern() async throws { try await call(Methods.newPattern) }

    /// Clears all tracks, hidden steps too.
    public func clearPattern() async throws { try await call(Methods.clear) }

    /// Undoes a step, if there is one.
    ///
    /// - Returns: How many steps are left, and what it changed.
    @discardableResult
    public func undo() async throws -> HistoryReply { try await call(Methods.undo) }

    /// Redoes a step, if there is one.
    ///
    /// - Returns: How many steps are left, and what it changed.
    @discardableResult
    public func redo() async throws -> HistoryReply { try await call(Methods.redo) }
}
