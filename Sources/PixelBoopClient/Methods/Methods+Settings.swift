import JSON
import Music
import Wire

extension PixelBoopClient {
    /// Sets the scale; no note changes.
    public func setScale(_ scale: Scale) async throws {
        try await call("scale.set", ["scale": .string(scale.name)])
    }

    /// Sets the scale's root; no note changes.
    public func setRoot(_ root: PitchClass) async throws {
        try await call("root.set", ["root": .string(root.name)])
    }

    /// Sets how many steps are played, 8 to 32.
    public func setLength(_ length: Int) async throws {
        try await call("length.set", ["length": .integer(length)])
    }

    /// Sets the swing, 0.5 (straight) to 0.75.
    public func setSwing(_ swing: Double) async throws {
        try await call("swing.set", ["swing": .number(swing)])
    }

    /// Sets how pitch classes are coloured.
    public func setColors(_ mode: ColorMode) async throws {
        try await call("colors.set", ["mode": .string(mode.name)])
    }

    /// Sets whether a track shows where the others have notes.
    public func setGhosts(_ on: Bool) async throws {
        try await call("ghosts.set", ["on": .bool(on)])
    }

    /// Changes settings of a track.
    ///
    /// - Returns: All settings of the track as they are now.
    @discardableResult
    public func setTrack(_ track: Track, _ settings: TrackSettings) async throws -> TrackState {
        var parameters: JSONObject = ["track": .string(track.name)]
        parameters["mute"] = settings.mute.map { .bool($0) }
        parameters["solo"] = settings.solo.map { .bool($0) }
        parameters["gain"] = settings.gain.map { .number($0) }
        parameters["pan"] = settings.pan.map { .number($0) }
        return try await ask("track.set", parameters)
    }
}
