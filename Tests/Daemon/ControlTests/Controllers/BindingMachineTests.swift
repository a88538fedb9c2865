import Grid
import Instrument
import Music
import Session
import Testing

@testable import Control

/// The effects of keys and controllers, with the test's own time.
struct BindingMachineTests {
    private static let knob = MidiTrigger(.controller, channel: 3, number: 74)
    private static let tone = MidiAction("track.set", ["track": "bass"], value: "tone")
    private static let undo = MidiAction("history.undo")
    private let one = ClientID(1)
    private let other = ClientID(2)

    private func message(_ bytes: UInt8...) -> ArrivedMessage { ArrivedMessage(frame: 0, usecs: 0, bytes: bytes) }

    private func bindings(_ trigger: MidiTrigger, _ action: MidiAction) -> MidiBindings {
        var document = Document()
        document.apply(.bind(MidiBinding(on: trigger, to: action)))
        return document.bindings
    }

    // MARK: Moving

    @Test func `a value moves at most 200 times a second, and the last one always arrives`() {
        var machine = BindingMachine()
        let bindings = bindings(Self.knob, Self.tone)
        var moves: [(at: Duration, position: Int?)] = []
        // A knob is turned for a second at 1000 messages a second, and the machine polled after each.
        for millisecond in 0..<1000 {
            #expect(machine.handle(message(0xb2, 74, UInt8(millisecond % 128)), bindings).isEmpty)
            for effect in machine.advance(to: .milliseconds(millisecond), bindings) {
                guard case .call(Self.tone, let position) = effect else { continue }
                moves.append((.milliseconds(millisecond), position))
            }
        }
        #expect(moves.count == 200)
        #expect(zip(moves, moves.dropFirst()).allSatisfy { $1.at - $0.at >= .milliseconds(5) })
        // The final position still comes, as soon as allowed, and then nothing more.
        let wake = machine.wake
        #expect(wake == .seconds(1))
        #expect(machine.advance(to: .milliseconds(999), bindings).isEmpty)
        #expect(machine.advance(to: .seconds(1), bindings) == [.call(Self.tone, position: 999 % 128)])
        #expect(machine.wake == nil && machine.advance(to: .seconds(2), bindings).isEmpty)
    }

    @Test func `each binding has its own 200 changes`() {
        var machine = BindingMachine()
        let bindings = Document().bindings
        for controller in [7, 10] as [UInt8] { _ = machine.handle(message(0xb0, controller, 1), bindings) }
        #expect(machine.advance(to: .zero, bindings).count == 2)
    }

    @Test func `simultaneous moves come in the order of their bindings`() {
        var document = Document()
        // Knobs bound in no particular order, all turned before the machine is polled.
        let numbers = [90, 20, 75, 21, 102, 3, 60, 22, 118, 1]
        for number in numbers {
            let knob = MidiTrigger(.controller, channel: 3, number: number)
            document.apply(
                .bind(
                    MidiBinding(
                        on: knob, to: MidiAction("tempo.set", ["tag": .number(Double(number))], value: "bpm"))))
        }
        var machine = BindingMachine()
        for number in numbers.reversed() { _ = machine.handle(message(0xb2, UInt8(number), 1), document.bindings) }
        let moved = machine.advance(to: .zero, document.bindings)
        #expect(
            moved
                == numbers.map {
                    .call(MidiAction("tempo.set", ["tag": .number(Double($0))], value: "bpm"), position: 1)
                })
    }

    @Test func `a removed binding moves nothing`() {
        var document = Document()
        document.apply(.bind(MidiBinding(on: Self.knob, to: Self.tone)))
        var machine = BindingMachine()
        _ = machine.handle(message(0xb2, 74, 1), document.bindings)
        document.apply(.unbind(Self.knob))
        #expect(machine.advance(to: .zero, document.bindings).isEmpty && machine.wake == nil)
    }

    @Test func `a method is called when its controller rises through 64, its key is pressed, or its program chosen`() {
        func calls(_ trigger: MidiTrigger, _ messages: [ArrivedMessage]) -> [Int] {
            var machine = BindingMachine()
            return messages.map { machine.handle($0, bindings(trigger, Self.undo)).count }
        }
        #expect(calls(Self.knob, [63, 64, 127, 64, 10, 100].map { message(0xb2, 74, $0) }) == [0, 1, 0, 0, 0, 1])
        let key = MidiTrigger(.note, channel: nil, number: 60)
        #expect(
            calls(key, [message(0x95, 60, 1), message(0x95, 60, 0), message(0x85, 60, 9), message(0x92, 60, 99)])
                == [1, 0, 0, 1])
        let program = MidiTrigger(.program, channel: 15, number: 3)
        #expect(calls(program, [message(0xce, 3), message(0xce, 2), message(0xce, 3)]) == [1, 0, 1])
    }

    @Test func `after lost messages the controllers' positions count`() {
        var machine = BindingMachine()
        let bindings = bindings(Self.knob, Self.tone)
        _ = machine.catchUp(bindings) { $0 == Self.knob ? 90 : nil }
        #expect(machine.advance(to: .zero, bindings) == [.call(Self.tone, position: 90)])
        // What has not moved since is left alone.
        _ = machine.catchUp(bindings) { $0 == Self.knob ? 90 : nil }
        #expect(machine.advance(to: .seconds(1), bindings).isEmpty)
    }

    @Test func `after lost messages a binding of all channels moves to the controller that moved`() {
        var machine = BindingMachine()
        let bindings = bindings(MidiTrigger(.controller, channel: nil, number: 74), Self.tone)
        _ = machine.handle(message(0xb0, 74, 5), bindings)
        _ = machine.advance(to: .zero, bindings)
        _ = machine.catchUp(bindings) { $0.number == 74 ? [1: 5, 3: 90][$0.channel] : nil }
        #expect(machine.advance(to: .seconds(1), bindings) == [.call(Self.tone, position: 90)])
    }

    @Test func `what was held on a keyboard that is gone is released`() {
        var machine = BindingMachine()
        let fill = MidiAction("fill.set", [:], value: "on")
        let held = bindings(Self.knob, fill)
        _ = machine.handle(message(0xb2, 74, 127), held)
        _ = machine.advance(to: .zero, held)
        _ = machine.keyboardsLeft(held)
        #expect(machine.advance(to: .seconds(1), held) == [.call(fill, position: 0)])
        // Lost messages change nothing where no controller has moved.
        _ = machine.keyboardsLeft(held)
        _ = machine.catchUp(held) { $0 == Self.knob ? 127 : nil }
        #expect(machine.advance(to: .seconds(2), held).isEmpty)
        // A footswitch that was down calls its method with its first press; a fader stays where it was.
        let switched = bindings(Self.knob, Self.undo)
        _ = machine.handle(message(0xb2, 74, 127), switched)
        _ = machine.keyboardsLeft(switched)
        #expect(machine.handle(message(0xb2, 74, 127), switched).count == 1)
        _ = machine.keyboardsLeft(bindings(Self.knob, Self.tone))
        #expect(machine.advance(to: .seconds(3), bindings(Self.knob, Self.tone)).isEmpty)
    }

    @Test func `after a lost release the next press calls its method`() {
        var machine = BindingMachine()
        let bindings = bindings(Self.knob, Self.undo)
        _ = machine.handle(message(0xb2, 74, 127), bindings)
        _ = machine.catchUp(bindings) { $0 == Self.knob ? 0 : nil }
        #expect(machine.handle(message(0xb2, 74, 127), bindings).count == 1)
    }

    // MARK: Holding

    private static let key = MidiTrigger(.note, channel: 3, number: 60)
    private static let brake = MidiAction("punch.set", ["effect": "brake", "amount": 0.5])
    private static let filter = MidiAction("punch.set", ["effect": "filter"], value: "amount")

    @Test func `a key holds a punch-in while it is down, a controller while it is at 64 or above`() {
        func positions(_ trigger: MidiTrigger, _ messages: [ArrivedMessage]) -> [[Int]] {
            var machine = BindingMachine()
            let bindings = bindings(trigger, Self.brake)
            return messages.map { message in
                let effects = machine.handle(message, bindings) + machine.advance(to: .zero, bindings)
                return effects.map { effect in
                    guard case .hold(MidiBinding(on: trigger, to: Self.brake), let position) = effect else { return -1 }
                    return position
                }
            }
        }
        let presses = [message(0x92, 60, 1), message(0x92, 60, 90), message(0x82, 60, 64), message(0x82, 60, 64)]
        #expect(positions(Self.key, presses) == [[127], [], [0], []])
        #expect(positions(Self.key, [message(0x92, 60, 90), message(0x92, 60, 0)]) == [[127], [0]])
        #expect(positions(Self.knob, [63, 64, 127, 63, 0].map { message(0xb2, 74, $0) }) == [[], [127], [], [0], []])
    }

    @Test(arguments: [(BindingMachineTests.knob, [0xb2, 74] as [UInt8]), (BindingMachineTests.key, [0x92, 60])])
    func `with a value, position or velocity are the amount, and 0 ends it`(trigger: MidiTrigger, start: [UInt8]) {
        var machine = BindingMachine()
        let bindings = bindings(trigger, Self.filter)
        let binding = MidiBinding(on: trigger, to: Self.filter)
        for (millisecond, position) in [100, 127, 1, 0].enumerated() {
            #expect(machine.handle(message(start[0], start[1], UInt8(position)), bindings).isEmpty)
            let now = Duration.milliseconds(5 * millisecond)
            #expect(machine.advance(to: now, bindings) == [.hold(binding, position: position)])
        }
    }

    @Test(arguments: [brake, filter])
    func `what is held ends when its keyboard is gone, its binding removed, or its end may be lost`(action: MidiAction)
    {
        let bindings = bindings(Self.key, action)
        let end = [BindingMachine.Effect.hold(MidiBinding(on: Self.key, to: action), position: 0)]
        func holding() -> BindingMachine {
            var machine = BindingMachine()
            let effects = machine.handle(message(0x92, 60, 90), bindings) + machine.advance(to: .zero, bindings)
            #expect(effects.count == 1)
            return machine
        }
        var machine = holding()
        #expect(machine.keyboardsLeft(bindings) == end && machine.keyboardsLeft(bindings).isEmpty)
        machine = holding()
        #expect(machine.catchUp(bindings) { _ in nil } == end)
        machine = holding()
        #expect(machine.advance(to: .seconds(1), bindings).isEmpty)
        #expect(machine.advance(to: .seconds(1), MidiBindings()) == end)
        // Also what has not begun yet.
        machine = BindingMachine()
        _ = machine.handle(message(0x92, 60, 90), bindings)
        _ = machine.keyboardsLeft(bindings)
        #expect(machine.advance(to: .seconds(1), bindings).isEmpty)
    }

    @Test func `a program change cannot be learned for what must be held`() {
        var machine = BindingMachine()
        _ = machine.learn(Self.brake, for: one, at: .zero)
        #expect(machine.handle(message(0xc2, 5), MidiBindings()).isEmpty)
        let learned = MidiBinding(on: Self.key, to: Self.brake)
        #expect(machine.handle(message(0x92, 60, 1), MidiBindings()) == [.bind(learned, for: one)])
    }

    // MARK: Learning

    @Test func `the next message is learned, but not a note-off`() {
        var machine = BindingMachine()
        let bindings = bindings(Self.knob, Self.undo)
        #expect(machine.learn(Self.tone, for: one, at: .zero).isEmpty)
        #expect(
            machine.handle(message(0x82, 60, 64), bindings).isEmpty
                && machine.handle(message(0x92, 60, 0), bindings).isEmpty)
        let learned = MidiBinding(on: Self.knob, to: Self.tone)
        // The message's earlier binding has no effect.
        #expect(machine.handle(message(0xb2, 74, 100), bindings) == [.bind(learned, for: one)])
        #expect(machine.wake == nil)
        #expect(machine.advance(to: .seconds(40), bindings).isEmpty)
    }

    @Test func `a fader that is moved above 64 to learn a method does not call it before it has been down`() {
        var machine = BindingMachine()
        _ = machine.learn(Self.undo, for: one, at: .zero)
        let learned = MidiBinding(on: Self.knob, to: Self.undo)
        #expect(machine.handle(message(0xb2, 74, 101), MidiBindings()) == [.bind(learned, for: one)])
        let bindings = bindings(Self.knob, Self.undo)
        let calls = [102, 127, 10, 64].map { machine.handle(message(0xb2, 74, $0), bindings).count }
        #expect(calls == [0, 0, 0, 1])
    }

    @Test func `a lesson ends after 30 s, and not before`() {
        var machine = BindingMachine()
        let bindings = Document().bindings
        _ = machine.learn(Self.tone, for: one, at: .seconds(100))
        #expect(machine.wake == .seconds(130))
        #expect(machine.advance(to: .milliseconds(129_999), bindings).isEmpty)
        #expect(machine.advance(to: .seconds(130), bindings) == [.learnedNothing(one)])
        #expect(machine.handle(message(0xb2, 74, 100), Document().bindings).isEmpty)
    }

    @Test func `a lesson ends with its own client, and with no other`() {
        var machine = BindingMachine()
        _ = machine.learn(Self.tone, for: one, at: .zero)
        machine.forget(other)
        #expect(machine.wake == .seconds(30))
        machine.forget(one)
        #expect(machine.wake == nil)
        #expect(machine.handle(message(0xb2, 74, 100), Document().bindings).isEmpty)
    }

    @Test func `one client's lesson ends another's`() {
        var machine = BindingMachine()
        _ = machine.learn(Self.tone, for: one, at: .zero)
        #expect(machine.learn(Self.undo, for: other, at: .seconds(10)) == [.learnedNothing(one)])
        #expect(machine.wake == .seconds(40))
        let learned = MidiBinding(on: MidiTrigger(.program, channel: 1, number: 5), to: Self.undo)
        #expect(machine.handle(message(0xc0, 5), Document().bindings) == [.bind(learned, for: other)])
    }
}
