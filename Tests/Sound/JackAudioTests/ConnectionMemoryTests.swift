import Testing

@testable import JackAudio

struct ConnectionMemoryTests {
    private static let speakers = ["system:playback_1", "system:playback_2"]
    private static let main: JackConnections = [
        "main_L": ["system:playback_1"], "main_R": ["system:playback_2"],
    ]

    /// A graph with two speakers and the other named ports.
    private func graph(_ connections: JackConnections = [:], others: Set<String> = []) -> PortGraph {
        PortGraph(connections: connections, inputs: others.union(Self.speakers), playback: Self.speakers)
    }

    @Test func `connects the main ports to the first two speakers on the very first start`() {
        var memory = ConnectionMemory(remembered: nil, connectsAtFirst: true)
        #expect(memory.observe(graph(), at: .zero) == Self.main.pairs)
        #expect(memory.remembered == nil)
        #expect(memory.observe(graph(Self.main), at: .zero).isEmpty)
        #expect(memory.remembered == Self.main)
    }

    @Test func `connects both main ports to the only speaker`() {
        var memory = ConnectionMemory(remembered: nil, connectsAtFirst: true)
        let mono = PortGraph(inputs: ["system:playback_1"], playback: ["system:playback_1"])
        #expect(memory.observe(mono, at: .zero).map(\.peer) == ["system:playback_1", "system:playback_1"])
    }

    @Test func `connects nothing on the very first start when configured not to`() {
        var memory = ConnectionMemory(remembered: nil, connectsAtFirst: false)
        #expect(memory.observe(graph(), at: .zero).isEmpty)
        #expect(memory.remembered == [:])
    }

    @Test func `waits for speakers on the very first start`() {
        var memory = ConnectionMemory(remembered: nil, connectsAtFirst: true)
        #expect(memory.observe(PortGraph(), at: .zero).isEmpty)
        #expect(memory.observe(graph(), at: .zero) == Self.main.pairs)
    }

    @Test func `connects the main ports on the very first start though another program was faster with a keyboard`() {
        var memory = ConnectionMemory(remembered: nil, connectsAtFirst: true)
        var connections: JackConnections = ["midi_in": ["keys:out"]]
        #expect(memory.observe(graph(connections), at: .zero) == Self.main.pairs)
        for port in ["main_L", "main_R"] { connections[port] = Self.main[port] }
        #expect(memory.observe(graph(connections), at: .zero).isEmpty)
        #expect(memory.remembered == connections)
    }

    @Test func `leaves main ports alone that were connected before the first look`() {
        var memory = ConnectionMemory(remembered: nil, connectsAtFirst: true)
        let connections: JackConnections = ["main_L": ["ardour:in"]]
        #expect(memory.observe(graph(connections, others: ["ardour:in"]), at: .zero).isEmpty)
        #expect(memory.remembered == connections)
    }

    @Test func `restores the connections of the last run and no others`() {
        var memory = ConnectionMemory(remembered: ["bass": ["system:playback_2"]], connectsAtFirst: true)
        #expect(memory.observe(graph(), at: .zero) == [PortConnection(port: "bass", peer: "system:playback_2")])
    }

    @Test func `restores nothing when the last run ended without connections`() {
        var memory = ConnectionMemory(remembered: [:], connectsAtFirst: true)
        #expect(memory.observe(graph(), at: .zero).isEmpty)
    }

    @Test func `a MIDI port whose numbers have changed is the one that was remembered`() {
        let old: JackConnections = ["midi_out": ["a2j:Volca [20] (playback): Volca MIDI 1"]]
        var present = graph()
        present.midiInputs = ["a2j:Volca [24] (playback): Volca MIDI 1", "a2j:Other [28] (playback): Other MIDI 1"]
        present.inputs.formUnion(present.midiInputs)
        var memory = ConnectionMemory(remembered: old, connectsAtFirst: true)
        let new = PortConnection(port: "midi_out", peer: "a2j:Volca [24] (playback): Volca MIDI 1")
        #expect(memory.observe(present, at: .zero).isEmpty)
        #expect(memory.deadline == JackPatience().doubt)
        #expect(memory.observe(present, at: JackPatience().doubt) == [new])
        #expect(memory.remembered == ["midi_out": [new.peer]])
        // If two are alike, it is unknown which is meant.
        present.midiInputs.insert("a2j:Volca [32] (playback): Volca MIDI 1")
        present.inputs.formUnion(present.midiInputs)
        memory = ConnectionMemory(remembered: old, connectsAtFirst: true)
        #expect(memory.observe(present, at: .zero).isEmpty && memory.deadline == nil)
        #expect(memory.observe(present, at: .seconds(9)).isEmpty && memory.remembered == old)
        // Audio ports are left alone.
        memory = ConnectionMemory(remembered: ["bass": ["system:playback_7"]], connectsAtFirst: true)
        #expect(memory.observe(present, at: .zero).isEmpty && memory.deadline == nil)
    }

    /// A graph with these inputs of a synthesizer, and our MIDI output connected to some.
    private func synthesizer(_ inputs: Set<String>, connected: Set<String> = []) -> PortGraph {
        var graph = graph(connected.isEmpty ? [:] : ["midi_out": connected], others: inputs)
        graph.midiInputs = inputs
        return graph
    }

    private static let second: JackConnections = ["midi_out": ["synth:in_2"]]

    @Test(arguments: [false, true])
    func `a port whose neighbour was there at the same time is not taken for it`(loseServer: Bool) {
        var memory = ConnectionMemory(remembered: Self.second, connectsAtFirst: true)
        let both = synthesizer(["synth:in_1", "synth:in_2"], connected: ["synth:in_2"])
        #expect(memory.observe(both, at: .zero).isEmpty)
        if loseServer {
            memory.forgetGraph()
        } else {
            // JACK removes the connection first, then the port.
            #expect(memory.observe(synthesizer(["synth:in_1", "synth:in_2"]), at: .seconds(1)).isEmpty)
            memory.portsLeft(at: .seconds(1))
        }
        for time in 1..<60 {
            #expect(memory.observe(synthesizer(["synth:in_1"]), at: .seconds(time)).isEmpty)
            #expect(memory.remembered == Self.second)
        }
        let back = synthesizer(["synth:in_1", "synth:in_2"])
        #expect(memory.observe(back, at: .seconds(60)) == Self.second.pairs)
    }

    @Test func `a client's first port is not taken for its second one, which comes later`() {
        var memory = ConnectionMemory(remembered: Self.second, connectsAtFirst: true)
        #expect(memory.observe(synthesizer(["synth:in_1"]), at: .zero).isEmpty)
        let both = synthesizer(["synth:in_1", "synth:in_2"])
        #expect(memory.observe(both, at: .milliseconds(900)) == Self.second.pairs)
        #expect(memory.remembered == Self.second)
    }

    @Test func `the port itself is connected if it comes long after the one that was taken for it`() {
        var memory = ConnectionMemory(remembered: Self.second, connectsAtFirst: true)
        _ = memory.observe(synthesizer(["synth:in_1"]), at: .zero)
        #expect(memory.observe(synthesizer(["synth:in_1"]), at: .seconds(2)).map(\.peer) == ["synth:in_1"])
        #expect(memory.observe(synthesizer(["synth:in_1"], connected: ["synth:in_1"]), at: .seconds(3)).isEmpty)
        let both = synthesizer(["synth:in_1", "synth:in_2"], connected: ["synth:in_1"])
        #expect(memory.observe(both, at: .seconds(9)) == Self.second.pairs)
        // Once: it is the user's from then on.
        let connected = synthesizer(["synth:in_1", "synth:in_2"], connected: ["synth:in_1", "synth:in_2"])
        #expect(memory.observe(connected, at: .seconds(10)).isEmpty)
        let removed = synthesizer(["synth:in_1", "synth:in_2"], connected: ["synth:in_1"])
        _ = memory.observe(removed, at: .seconds(20))
        #expect(memory.observe(removed, at: .seconds(22)).isEmpty)
        #expect(memory.remembered == ["midi_out": ["synth:in_1"]])
    }

    @Test func `a device that is plugged in again under another number is found beside another of its kind`() {
        let device = { (number: Int) in "a2j:Keys [\(number)] (playback): Keys MIDI 1" }
        var memory = ConnectionMemory(remembered: ["midi_out": [device(24)]], connectsAtFirst: true)
        let both = synthesizer([device(24), device(28)], connected: [device(24)])
        #expect(memory.observe(both, at: .zero).isEmpty)
        memory.portsLeft(at: .seconds(1))
        #expect(memory.observe(synthesizer([device(28)]), at: .seconds(1)).isEmpty)
        let again = synthesizer([device(28), device(32)])
        #expect(memory.observe(again, at: .seconds(5)).isEmpty)
        #expect(memory.observe(again, at: .seconds(6)).map(\.peer) == [device(32)])
    }

    @Test func `remembers a connection that the user makes`() {
        var memory = ConnectionMemory(remembered: Self.main, connectsAtFirst: true)
        var connections = Self.main
        connections["melody"] = ["ardour:in"]
        #expect(memory.observe(graph(connections, others: ["ardour:in"]), at: .zero).isEmpty)
        #expect(memory.remembered == connections)
    }

    @Test func `forgets a connection that the user removes, once it is sure`() {
        var memory = ConnectionMemory(remembered: Self.main, connectsAtFirst: true)
        _ = memory.observe(graph(Self.main), at: .zero)
        let left: JackConnections = ["main_L": ["system:playback_1"]]
        #expect(memory.observe(graph(left), at: .seconds(5)).isEmpty)
        #expect(memory.remembered == Self.main)
        #expect(memory.deadline == .seconds(5) + JackPatience().doubt)
        #expect(memory.observe(graph(left), at: .seconds(5) + JackPatience().doubt).isEmpty)
        #expect(memory.remembered == left)
        #expect(memory.deadline == nil)
    }

    @Test func `keeps a connection that is removed and made again`() {
        var memory = ConnectionMemory(remembered: Self.main, connectsAtFirst: true)
        _ = memory.observe(graph(Self.main), at: .zero)
        _ = memory.observe(graph(), at: .seconds(1))
        _ = memory.observe(graph(Self.main), at: .seconds(1.5))
        #expect(memory.observe(graph(Self.main), at: .seconds(9)).isEmpty)
        #expect(memory.remembered == Self.main)
        #expect(memory.deadline == nil)
    }

    @Test func `keeps a connection whose other end leaves, and makes it again when that comes back`() {
        let connections: JackConnections = ["melody": ["ardour:in"]]
        var memory = ConnectionMemory(remembered: connections, connectsAtFirst: true)
        _ = memory.observe(graph(connections, others: ["ardour:in"]), at: .zero)
        // JACK removes the connection first, then the port.
        #expect(memory.observe(graph(others: ["ardour:in"]), at: .seconds(1)).isEmpty)
        #expect(memory.observe(graph(), at: .seconds(1.1)).isEmpty)
        #expect(memory.observe(graph(), at: .seconds(60)).isEmpty)
        #expect(memory.remembered == connections)
        let again = memory.observe(graph(others: ["ardour:in"]), at: .seconds(61))
        #expect(again == connections.pairs)
    }

    @Test func `restores a connection whose other end leaves and is back before the next look`() {
        let connections: JackConnections = ["melody": ["ardour:in"]]
        let disconnected = graph(others: ["ardour:in"])
        var memory = ConnectionMemory(remembered: connections, connectsAtFirst: true)
        _ = memory.observe(graph(connections, others: ["ardour:in"]), at: .zero)
        #expect(memory.observe(disconnected, at: .seconds(1)).isEmpty)
        memory.portsLeft(at: .seconds(1.01))
        #expect(memory.observe(disconnected, at: .seconds(1.02)).isEmpty)
        #expect(memory.observe(disconnected, at: .seconds(2)) == connections.pairs)
        #expect(memory.remembered == connections)
    }

    @Test func `forgets a connection that the user removes long before some client leaves`() {
        var memory = ConnectionMemory(remembered: Self.main, connectsAtFirst: true)
        _ = memory.observe(graph(Self.main), at: .zero)
        _ = memory.observe(graph(), at: .seconds(1))
        memory.portsLeft(at: .seconds(1.5))
        #expect(memory.observe(graph(), at: .seconds(2)).isEmpty)
        #expect(memory.remembered == [:])
    }

    @Test func `keeps the connections when the server leaves`() {
        var memory = ConnectionMemory(remembered: Self.main, connectsAtFirst: true)
        _ = memory.observe(graph(Self.main), at: .zero)
        // A server that shuts down disconnects everything before it reports that.
        _ = memory.observe(graph(), at: .seconds(1))
        memory.forgetGraph()
        #expect(memory.remembered == Self.main)
        #expect(memory.observe(graph(), at: .seconds(3)) == Self.main.pairs)
    }
}
