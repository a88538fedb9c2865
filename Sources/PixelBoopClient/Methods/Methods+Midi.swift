import Music
import Wire

extension PixelBoopClient {
    /// Lets something of the MIDI input move a parameter or call a method.
    public func bind(_ binding: MidiBinding) async throws {
        try await call(Methods.bind, (binding.trigger, binding.action))
    }

    /// Lets something of the MIDI input move nothing any more.
    public func unbind(_ trigger: MidiTrigger) async throws { try await call(Methods.unbind, trigger) }

    /// What moves what.
    public func bindings() async throws -> [MidiBinding] { try await call(Methods.bindings) }

    /// The daemon's MIDI ports, and what each is connected to.
    public func midiPorts() async throws -> [InstrumentPort] { try await call(Methods.midiPorts) }

    /// Binds the next message; the topic `midi` tells which it was.
    public func learn(_ action: MidiAction) async throws { try await call(Methods.learn, action) }
}
