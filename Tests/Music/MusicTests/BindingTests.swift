import Music
import Testing

@Suite struct BindingTests {
    private let knob = MidiTrigger(.controller, channel: 3, number: 74)
    private let tone = MidiAction("track.set", ["track": "bass"], value: "tone")

    @Test func `a new instrument binds volume and pan of each track, and programs to scenes`() {
        let bindings = Document().bindings
        #expect(bindings.all.count == 16)
        let gain = bindings.bindings(of: .controller, channel: 10, number: 7)
        #expect(gain.map(\.action) == [MidiAction("track.set", ["track": "rhythm"], value: "gain")])
        #expect(
            bindings.bindings(of: .program, channel: 16, number: 7).map(\.action)
                == [MidiAction("scene.launch", ["scene": 8])])
    }

    @Test func `a trigger has one binding, on its channel or on any`() {
        var document = Document()
        let areNew = [tone, tone, MidiAction("history.undo")].map {
            document.apply(.bind(MidiBinding(on: knob, to: $0)))
        }
        #expect(areNew == [true, false, true])
        #expect(document.bindings.bindings(of: .controller, channel: 3, number: 74).count == 1)
        #expect(document.bindings.bindings(of: .controller, channel: 4, number: 74).isEmpty)
        document.apply(.bind(MidiBinding(on: MidiTrigger(.note, channel: nil, number: 1), to: tone)))
        #expect(document.bindings.bindings(of: .note, channel: 9, number: 1).count == 1)
        let isUnbound = [document.apply(.unbind(knob)), document.apply(.unbind(knob))]
        #expect(isUnbound == [true, false])
        #expect(document.history == Document().history)
    }

    @Test func `there are at most 256`() {
        var document = Document()
        for number in 0..<128 {
            for channel in 1...4 {
                document.apply(.bind(MidiBinding(on: MidiTrigger(.note, channel: channel, number: number), to: tone)))
            }
        }
        #expect(document.bindings.all.count == 256 && !document.bindings.hasRoom(for: knob))
    }
}
