import Instrument
import Music
import TestSupport
import Testing

@testable import JackAudio

/// The supervisor's decisions.
struct SupervisorMachineTests {
    private typealias Limit = SupervisorMachine.Limit
    private let patience = JackPatience()
    private static let session = JackSession(
        clientName: "pixelboop", sampleRate: 48000, period: 64, realtimePriority: nil)

    /// A machine whose client runs at time zero.
    private func running(probes: Bool = false) -> SupervisorMachine {
        var machine = SupervisorMachine(probes: probes)
        _ = machine.handle(.start, at: .zero)
        _ = machine.handle(.opened(Self.session), at: .zero)
        _ = machine.handle(.progress(realtimePriority: 10), at: .zero)
        return machine
    }

    @Test func `runs once JACK calls for audio`() {
        var machine = SupervisorMachine()
        #expect(machine.status.state == .off)
        #expect(machine.handle(.start, at: .zero) == .open)
        #expect(machine.handle(.opened(Self.session), at: .zero) == nil)
        #expect(machine.status.state == .off)
        #expect(machine.handle(.progress(realtimePriority: 10), at: .milliseconds(5)) == nil)
        #expect(machine.status.state == .running)
        #expect(machine.status.reason == "")
        #expect(machine.status.session?.realtimePriority == 10)
    }

    @Test func `tries again after 0.25 s, then after twice as long each time, at most 4 s`() {
        var machine = SupervisorMachine()
        var now = Duration.zero
        var waits: [Duration] = []
        _ = machine.handle(.start, at: now)
        for _ in 0..<7 {
            #expect(machine.handle(.openFailed("no server"), at: now) == nil)
            #expect(machine.status == .silent(.noServer, "no server"))
            let due = machine.deadline ?? now
            #expect(machine.handle(.tick, at: due - .milliseconds(1)) == nil)
            #expect(machine.handle(.tick, at: due) == .open)
            waits.append(due - now)
            now = due
        }
        #expect(waits == [0.25, 0.5, 1, 2, 4, 4, 4].map { .seconds($0) })
    }

    @Test func `waits as long as configured`() throws {
        let patience = try #require(JackPatience("stall=300 firstRetry=25 call=200"))
        var machine = SupervisorMachine(patience: patience)
        _ = machine.handle(.start, at: .zero)
        #expect(machine.deadline == .milliseconds(200))
        _ = machine.handle(.openFailed("no server"), at: .zero)
        #expect(machine.deadline == .milliseconds(25))
        #expect(machine.handle(.tick, at: .milliseconds(25)) == .open)
        _ = machine.handle(.opened(Self.session), at: .milliseconds(25))
        #expect(machine.deadline == .milliseconds(325))
        _ = machine.handle(.tick, at: .milliseconds(325))
        #expect(machine.status.state == .lost)
    }

    @Test(arguments: ["stall", "stall=", "stall=0", "stall=600001", "stall=a", "stall=1=2", "patience=5", "25"])
    func `invalid times to wait are refused`(text: String) {
        #expect(JackPatience(text) == nil)
        #expect(JackPatience("") == JackPatience())
    }

    @Test func `closes the dead client before it opens the next`() {
        var machine = running()
        #expect(machine.handle(.serverLeft("JACK server has been closed"), at: .seconds(1)) == nil)
        #expect(machine.status == .silent(.lost, "JACK server has been closed"))
        let due = Duration.seconds(1) + patience.firstRetry
        #expect(machine.deadline == due)
        #expect(machine.handle(.tick, at: due) == .close)
        #expect(machine.handle(.closed, at: due) == .open)
        #expect(machine.handle(.openFailed("no server"), at: due) == nil)
        #expect(machine.status == .silent(.lost, "no server"))
        #expect(machine.handle(.tick, at: due + patience.firstRetry) == .open)
    }

    @Test func `begins with short waits again after each success`() {
        var machine = SupervisorMachine()
        _ = machine.handle(.start, at: .zero)
        for second in 0..<5 {
            _ = machine.handle(.openFailed(""), at: .seconds(second * 10))
            _ = machine.handle(.tick, at: .seconds(second * 10 + 5))
        }
        _ = machine.handle(.opened(Self.session), at: .seconds(60))
        _ = machine.handle(.serverLeft(""), at: .seconds(70))
        #expect(machine.deadline == .seconds(70) + patience.firstRetry)
    }

    @Test func `reports a server that stops calling for audio as lost, and as running when it continues`() {
        var machine = running()
        #expect(machine.handle(.tick, at: patience.stall) == nil)
        #expect(machine.status.state == .lost)
        #expect(machine.status.reason == "the JACK server does not answer")
        #expect(machine.handle(.progress(realtimePriority: nil), at: .seconds(9)) == nil)
        #expect(machine.status.state == .running)
    }

    @Test func `does not close the client of a server that hangs, which would hang too`() {
        var machine = running()
        for second in 1..<100 {
            #expect(machine.handle(.tick, at: .seconds(second)) == nil)
        }
        #expect(machine.handle(.serverLeft("killed"), at: .seconds(100)) == nil)
        #expect(machine.handle(.tick, at: .seconds(101)) == .close)
    }

    @Test func `stays running as long as audio is called for`() {
        var machine = running()
        for second in 1..<100 {
            _ = machine.handle(.progress(realtimePriority: 10), at: .seconds(second))
            _ = machine.handle(.tick, at: .seconds(second))
            #expect(machine.status.state == .running)
        }
    }

    @Test func `reports when the server does not answer at opening`() {
        var machine = SupervisorMachine()
        _ = machine.handle(.start, at: .zero)
        #expect(machine.handle(.tick, at: patience.call) == nil)
        #expect(machine.status == .silent(.noServer, "the JACK server does not answer"))
        #expect(machine.handle(.opened(Self.session), at: .seconds(30)) == nil)
        #expect(machine.handle(.progress(realtimePriority: nil), at: .seconds(30)) == nil)
        #expect(machine.status.state == .running)
    }

    @Test func `leaves a closing that hangs alone and opens another client`() {
        var machine = running()
        _ = machine.handle(.serverLeft(""), at: .zero)
        #expect(machine.handle(.tick, at: .seconds(1)) == .close)
        #expect(machine.handle(.tick, at: .seconds(1) + patience.call) == .abandon)
        #expect(machine.handle(.tick, at: .seconds(3)) == nil)
        // A callback was in the middle of a cycle.
        #expect(machine.handle(.tick, at: .seconds(3) + patience.call) == .abandon)
        #expect(machine.handle(.abandoned, at: .seconds(6)) == .open)
        _ = machine.handle(.opened(Self.session), at: .seconds(6))
        _ = machine.handle(.progress(realtimePriority: nil), at: .seconds(6))
        #expect(machine.status.state == .running)
    }

    @Test func `reports that only a restart helps when the library opens nothing before the closing has ended`() {
        var machine = running()
        _ = machine.handle(.serverLeft("killed"), at: .zero)
        _ = machine.handle(.tick, at: .seconds(1))
        _ = machine.handle(.tick, at: .seconds(3))
        _ = machine.handle(.abandoned, at: .seconds(3))
        #expect(!machine.status.needsRestart)
        for second in 5..<60 {
            #expect(machine.handle(.tick, at: .seconds(second)) == nil)
        }
        #expect(machine.status.needsRestart)
        _ = machine.handle(.opened(Self.session), at: .seconds(70))
        _ = machine.handle(.progress(realtimePriority: nil), at: .seconds(70))
        #expect(machine.status.state == .running)
        #expect(!machine.status.needsRestart)
    }

    @Test func `looks for another server while one hangs, after twice as long each time`() {
        var machine = running(probes: true)
        #expect(machine.handle(.tick, at: patience.stall) == nil)
        var now = patience.stall
        var waits: [Duration] = []
        for _ in 0..<7 {
            let due = machine.deadline ?? now
            #expect(machine.handle(.tick, at: due - .milliseconds(1)) == nil)
            #expect(machine.handle(.tick, at: due) == .probe)
            waits.append(due - now)
            now = due
        }
        #expect(waits == [0.25, 0.5, 1, 2, 4, 8, 16].map { .seconds($0) })
        #expect(machine.status == .silent(.lost, "the JACK server does not answer"))
    }

    @Test func `joins a server that answers and does not know it`() {
        var machine = running(probes: true)
        _ = machine.handle(.tick, at: .seconds(2))
        #expect(machine.handle(.tick, at: .seconds(3)) == .probe)
        #expect(machine.handle(.answered(knowsUs: false), at: .seconds(3)) == .close)
        #expect(machine.handle(.closed, at: .seconds(3)) == .open)
    }

    @Test func `waits for a server that knows it, but not forever`() {
        var machine = running(probes: true)
        _ = machine.handle(.tick, at: .seconds(2))
        _ = machine.handle(.tick, at: .seconds(3))
        #expect(machine.handle(.answered(knowsUs: true), at: .seconds(3)) == nil)
        #expect(machine.handle(.answered(knowsUs: true), at: .seconds(2) + patience.neglect) == .close)
    }

    @Test func `ignores probes once it plays again`() {
        var machine = running(probes: true)
        _ = machine.handle(.tick, at: .seconds(2))
        _ = machine.handle(.tick, at: .seconds(3))
        _ = machine.handle(.progress(realtimePriority: nil), at: .seconds(3))
        #expect(machine.handle(.answered(knowsUs: false), at: .seconds(3)) == nil)
        #expect(machine.status.state == .running)
    }

    @Test func `leaves an opening that hangs alone when a server answers elsewhere`() {
        var machine = SupervisorMachine(probes: true)
        _ = machine.handle(.start, at: .zero)
        #expect(machine.handle(.tick, at: patience.call) == nil)
        #expect(machine.status == .silent(.noServer, "the JACK server does not answer"))
        #expect(machine.handle(.tick, at: .seconds(3)) == .probe)
        #expect(machine.handle(.answered(knowsUs: false), at: .seconds(3)) == .abandon)
        #expect(machine.handle(.abandoned, at: .seconds(3)) == .open)
    }

    @Test func `opens a new client for a new sample rate`() {
        var machine = running()
        #expect(machine.handle(.changed(sampleRate: 48000, period: 64), at: .zero) == nil)
        #expect(machine.handle(.changed(sampleRate: 96000, period: 64), at: .zero) == .close)
        #expect(machine.status.session == nil)
        #expect(machine.handle(.closed, at: .zero) == .open)
    }

    @Test func `keeps the client for a new period`() {
        var machine = running()
        #expect(machine.handle(.changed(sampleRate: 48000, period: 1024), at: .zero) == nil)
        #expect(machine.status.state == .running)
        #expect(machine.status.session?.period == 1024)
    }

    @Test func `reports the latency as soon as it runs, and each change of it`() {
        var machine = SupervisorMachine()
        _ = machine.handle(.start, at: .zero)
        _ = machine.handle(.opened(Self.session), at: .zero)
        #expect(machine.handle(.latencyChanged(frames: 128), at: .zero) == nil)
        #expect(machine.status.session == nil)
        _ = machine.handle(.progress(realtimePriority: nil), at: .zero)
        #expect(machine.status.session?.playbackLatency == 128)
        #expect(machine.handle(.latencyChanged(frames: 192), at: .zero) == nil)
        #expect(machine.status.session?.playbackLatency == 192)
    }

    @Test(arguments: [(64, 54), (1024, 114), (8192, 250)])
    func `waits for the last frames as long as needed`(period: Int, milliseconds: Int) {
        var machine = SupervisorMachine()
        _ = machine.handle(.start, at: .zero)
        var session = Self.session
        session.period = period
        _ = machine.handle(.opened(session), at: .zero)
        _ = machine.handle(.progress(realtimePriority: 10), at: .zero)
        #expect(machine.handle(.stop, at: .zero) == .fade)
        #expect(machine.deadline == .milliseconds(milliseconds))
    }

    @Test func `fades before it closes, but not forever`() {
        var machine = running()
        #expect(machine.handle(.stop, at: .zero) == .fade)
        #expect(machine.handle(.faded, at: .milliseconds(20)) == .close)
        #expect(machine.handle(.closed, at: .milliseconds(30)) == nil)
        #expect(machine.isFinished)
        #expect(machine.status.state == .off)

        machine = running()
        _ = machine.handle(.stop, at: .zero)
        #expect(machine.handle(.tick, at: Limit.fade) == .close)
        #expect(machine.handle(.tick, at: Limit.fade + Limit.farewell) == nil)
        #expect(machine.isFinished)
    }

    @Test func `ends at once when nothing is open`() {
        var machine = SupervisorMachine()
        _ = machine.handle(.stop, at: .zero)
        #expect(machine.isFinished)

        machine = SupervisorMachine()
        _ = machine.handle(.start, at: .zero)
        _ = machine.handle(.openFailed(""), at: .zero)
        _ = machine.handle(.stop, at: .milliseconds(1))
        #expect(machine.isFinished)
    }

    @Test func `closes a client that opens after it was stopped`() {
        var machine = SupervisorMachine()
        _ = machine.handle(.start, at: .zero)
        _ = machine.handle(.stop, at: .zero)
        #expect(!machine.isFinished)
        #expect(machine.handle(.opened(Self.session), at: .milliseconds(100)) == .close)
        _ = machine.handle(.closed, at: .milliseconds(200))
        #expect(machine.isFinished)
    }

    @Test func `abandons a call that does not return when it is stopped`() {
        var machine = SupervisorMachine()
        _ = machine.handle(.start, at: .zero)
        _ = machine.handle(.stop, at: .zero)
        _ = machine.handle(.tick, at: Limit.farewell)
        #expect(machine.isFinished)
    }
}

/// The supervisor under any order of events.
struct SupervisorMachineOrderTests {
    /// Answers actions at random, like a library that may take any time, and counts clients as JACK would.
    @Test(arguments: 0..<50 as Range<UInt64>, [false, true])
    func `never has two clients, and always ends`(seed: UInt64, probes: Bool) {
        var generator = SeededGenerator(seed: seed)
        var machine = SupervisorMachine(probes: probes)
        var now = Duration.zero
        var clients = 0
        var pending = [machine.handle(.start, at: now)].compactMap(\.self)
        var isAbandoning = false
        var hasProbed = false

        func events() -> [SupervisorMachine.Event] {
            var events: [SupervisorMachine.Event] = [.tick]
            switch pending.first {
            case .open: events += [.opened(session), .openFailed("no")]
            case .close: events += [.closed]
            case .fade: events += [.faded]
            case .probe, .abandon, nil: break
            }
            if isAbandoning { events += [.abandoned] }
            if hasProbed { events += [.answered(knowsUs: Bool.random(using: &generator))] }
            if clients > 0, pending.first != .close {
                events += [.progress(realtimePriority: nil), .serverLeft("gone")]
                events += [.changed(sampleRate: Bool.random(using: &generator) ? 48000 : 44100, period: 128)]
            }
            return events
        }

        func happen(_ event: SupervisorMachine.Event) {
            switch event {
            case .opened:
                clients += 1
                pending.removeFirst()
            case .closed:
                clients -= 1
                pending.removeFirst()
            case .openFailed, .faded: pending.removeFirst()
            case .abandoned:
                clients = 0
                pending = []
            default: break
            }
            isAbandoning = false
            #expect(clients == 0 || clients == 1)
            guard let action = machine.handle(event, at: now) else { return }
            guard action != .probe else {
                hasProbed = true
                return
            }
            guard action != .abandon else {
                #expect(pending == [.open] || pending == [.close])
                isAbandoning = true
                return
            }
            if action == .close { pending.removeAll { $0 == .fade } }
            #expect(pending.isEmpty, "\(action) while \(pending) is under way")
            #expect(action == .open ? clients == 0 : clients == 1)
            pending.append(action)
        }

        for _ in 0..<500 {
            now += .milliseconds(Int.random(in: 0...3000, using: &generator))
            happen(events().randomElement(using: &generator)!)
        }
        happen(.stop)
        for _ in 0..<10 where !machine.isFinished {
            now += .seconds(5)
            happen(.tick)
        }
        #expect(machine.isFinished)
    }

    private let session = JackSession(
        clientName: "pixelboop", sampleRate: 48000, period: 64, realtimePriority: nil)
}
