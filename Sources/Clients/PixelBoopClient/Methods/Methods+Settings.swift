import Instrument
import Music
import Wire

extension PixelBoopClient {
    /// Sets a parameter of the whole instrument.
    ///
    /// - Returns: The value that was stored.
    @discardableResult
    public func set(_ parameter: Parameter, to value: ParameterValue) async throws -> ParameterValue {
        guard let method = Methods.setting(parameter) else { preconditionFailure("\(parameter) belongs to tracks") }
        return try await call(method, [parameter: value])[parameter] ?? value
    }

    /// Sets the source of tempo and position, and where our own are published: `Parameter.syncSource`,
    /// `Parameter.syncLead`.
    public func setSync(_ values: [Parameter: ParameterValue]) async throws {
        guard let method = Methods.setting(.syncSource) else {
            preconditionFailure("there is a method for each parameter")
        }
        _ = try await call(method, values)
    }

    /// What is playing at the moment.
    public func playingMoment() async throws -> TimelineState { try await call(Methods.playingMoment) }

    /// Provides a timeline that the daemon may follow. Only one client at a time can hold it.
    ///
    /// - Parameters:
    ///   - beat: The song position in beats at `usecs`.
    ///   - usecs: JACK's time in µs: ``clockTimes()``.
    ///   - bpm: Beats per minute, 10 to 1000.
    ///   - isPlaying: Whether the music should run; nil leaves that to the daemon.
    ///   - playingUsecs: JACK's time from which `isPlaying` holds; nil for now.
    ///   - quantum: Players join on a multiple of this many beats; nil leaves that to the settings.
    ///   - peers: How many others share the timeline, for display; nil if unknown.
    public func holdTimeline(
        beat: Double, usecs: Int, bpm: Double, isPlaying: Bool? = nil, playingUsecs: Int? = nil, quantum: Double? = nil,
        peers: Int? = nil
    ) async throws {
        try await call(
            Methods.timeline,
            Timeline(
                beat: beat, usecs: Int64(usecs), bpm: bpm, isPlaying: isPlaying,
                playingUsecs: playingUsecs.map { Int64($0) }, quantum: quantum, peers: peers))
    }

    /// Releases the timeline.
    public func releaseTimeline() async throws { try await call(Methods.releaseTimeline) }

    /// JACK's clock and the system's at the same moment.
    public func clockTimes() async throws -> ClockTimes { try await call(Methods.clockTimes) }

    /// Sets parameters of a track.
    ///
    /// - Returns: All current settings of the track.
    @discardableResult
    public func set(_ track: Track, _ values: [Parameter: ParameterValue]) async throws -> TrackState {
        try await call(Methods.track, (track, values))
    }
}

extension PixelBoopClient {
    /// Binds a key, a controller or a program of the MIDI input to a parameter or a method.
    public func bind(_ binding: MidiBinding) async throws {
        try await call(Methods.bind, (binding.trigger, binding.action))
    }

    /// Removes the binding of a key, a controller or a program.
    public func unbind(_ trigger: MidiTrigger) async throws { try await call(Methods.unbind, trigger) }

    /// All bindings.
    public func bindings() async throws -> [MidiBinding] { try await call(Methods.bindings) }

    /// The daemon's MIDI ports, and their connections.
    public func midiPorts() async throws -> [InstrumentPort] { try await call(Methods.midiPorts) }

    /// Binds the next message to an action; the topic `midi` reports which message it was.
    public func learn(_ action: MidiAction) async throws { try await call(Methods.learn, action) }
}
