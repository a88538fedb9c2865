import Music
import Wire

extension PixelBoopClient {
    /// Plays another slot of a track, 1 to 8; at once if nothing plays.
    public func launchSlot(_ track: Track, _ slot: Int, _ moment: LaunchMoment = .queued) async throws {
        try await call(Methods.launchSlot, (track, slot, moment))
    }

    /// Plays slots of a track, 1 to 8, one after the other, in a loop.
    public func chainSlots(_ track: Track, _ slots: [Int]) async throws {
        try await call(Methods.chainSlots, (track, slots))
    }

    /// Puts a copy of a slot's notes into another slot of the track, as one undo step.
    public func copySlot(_ track: Track, from: Int, to: Int) async throws {
        try await call(Methods.copySlot, (track, from, to))
    }

    /// Gives a slot a length and a speed of its own, as one undo step.
    ///
    /// - Parameters:
    ///   - track: The track.
    ///   - slot: 1 to 8; nil for the playing one.
    ///   - length: 1 to 32, 0 to follow the pattern's length; nil to leave it as it is.
    ///   - speed: Nil to leave it as it is.
    public func setSlot(_ track: Track, _ slot: Int? = nil, length: Int? = nil, speed: Speed? = nil) async throws {
        try await call(Methods.setSlot, SlotCall(track, slot: slot, length: length, speed: speed))
    }

    /// Clears a slot, playing or not, as one undo step.
    public func clearSlot(_ track: Track, _ slot: Int) async throws {
        try await call(Methods.clearSlot, (track, slot))
    }

    /// Cancels queued and chained launches of a track, or of all tracks if nil.
    public func cancelLaunch(_ track: Track? = nil) async throws {
        try await call(Methods.cancelLaunch, track)
    }

    /// Plays a scene, 1 to 8; at once if nothing plays.
    public func launchScene(_ scene: Int, _ moment: LaunchMoment = .queued) async throws {
        try await call(Methods.launchScene, (scene, moment))
    }

    /// Plays scenes, 1 to 8, one after the other, in a loop.
    public func chainScenes(_ scenes: [Int]) async throws { try await call(Methods.chainScenes, scenes) }

    /// Puts a copy of all notes of a scene into another scene, as one undo step.
    public func copyScene(from: Int, to: Int) async throws { try await call(Methods.copyScene, (from, to)) }
}
