import Gestures
import Grid
import Instrument
import Music
import Testing

@Suite struct TempoAndLengthTests {
    private func rig(bpm: Double = 120, length: Int = 32) -> Rig {
        var rig = Rig("C", .major, length: length)
        rig.document.set(.tempo, to: .number(bpm))
        return rig
    }

    // MARK: Buttons

    @Test(arguments: [
        (120.0, 28, 125.0), (120, 26, 115), (198, 28, 200), (62, 26, 60), (200, 28, 200), (60, 26, 60),
        (250, 28, 250), (250, 26, 200), (300, 26, 200), (30, 26, 30), (30, 28, 60), (58, 28, 63), (127.3, 28, 132.3),
    ])
    func `tempo buttons move by 5 within 60 to 200 and never against the arrow`(from: Double, column: Int, to: Double) {
        var rig = rig(bpm: from)
        rig.play("0 down \(column),0\n50 up")
        #expect(rig.document.pattern.bpm == to)
        #expect(rig.history.undoCount == 0)
        #expect(rig.haptics.isEmpty)
    }

    @Test(arguments: [(32, 30, 28), (32, 32, 32), (8, 30, 8), (8, 32, 12), (10, 30, 8), (30, 32, 32), (13, 32, 17)])
    func `length buttons move by 4 within 8 to 32`(from: Int, column: Int, to: Int) {
        var rig = rig(length: from)
        rig.play("0 down \(column),0\n50 up")
        #expect(rig.document.pattern.length == to)
        #expect(rig.tooltips == [Tooltip(text: "\(to) STEPS", row: 2)])
    }

    @Test(arguments: [(8, 16), (9, 16), (16, 24), (20, 24), (24, 32), (31, 32), (32, 8)])
    func `the length indicator cycles through the usual lengths`(from: Int, to: Int) {
        var rig = rig(length: from)
        rig.play("0 down 31,0\n900 up")
        #expect(rig.document.pattern.length == to)
        #expect(rig.texts == ["\(to) STEPS"])
        #expect(rig.history.undoCount == 0)
    }

    @Test(arguments: [(399, 125.0), (400, 130), (499, 130), (500, 135), (600, 140), (1000, 160)])
    func `a held button repeats after 400 then every 100 milliseconds`(milliseconds: Int, bpm: Double) {
        var rig = rig()
        rig.play("0 down 28,0\n\(milliseconds) up\n3000")
        #expect(rig.document.pattern.bpm == bpm)
    }

    // MARK: What the tempo follows

    @Test func `holding the tempo cell for 600 milliseconds switches sync on and off`() {
        var rig = rig()
        rig.play("0 down 27,0\n599 up")
        #expect(rig.texts == ["120 BPM"] && rig.document.syncSource == .own)
        rig.play("4000 down 27,0\n4700 up")
        #expect(rig.texts == ["120 BPM", "SYNC AUTO"] && rig.document.syncSource == .automatic)
        rig.play("4000 down 27,0\n4700 up")
        #expect(rig.texts.last == "SYNC OFF" && rig.document.syncSource == .own)
    }

    @Test func `the tap that begins a hold does not count`() {
        var rig = rig()
        rig.play("0 down 27,0\n50 up\n400 down 27,0\n1100 up")
        // Two taps 0.4 s apart would be 150.
        #expect(rig.document.pattern.bpm == 120)
        #expect(rig.document.syncSource == .automatic)
        rig.document.set(.syncSource, to: .choice(SyncSource.own))
        rig.play("100 down 27,0\n150 up")
        // The first tap and this one, 1.2 s apart, are 50.
        #expect(rig.document.pattern.bpm == 50)
    }

    @Test func `a hold undoes the tempo of its own tap, but nobody else's`() {
        var rig = rig()
        // The first tap sets none.
        rig.play("0 down 27,0\n300")
        rig.change { $0.set(.tempo, to: 140) }
        rig.play("400 up")
        #expect(rig.document.pattern.bpm == 140 && rig.document.syncSource == .automatic)
        // The second one sets 150.
        rig.play("4000 down 27,0\n4000 up\n4400 down 27,0\n4700")
        #expect(rig.document.pattern.bpm == 150)
        rig.change { $0.set(.tempo, to: 90) }
        rig.play("400 up")
        #expect(rig.document.pattern.bpm == 90 && rig.document.syncSource == .own)
    }

    @Test func `a hold whose tap did not count retracts no other tap`() {
        var rig = rig()
        rig.play("0 down 27,0\n50 up")
        rig.tempoSource = .jack
        rig.play("350 down 27,0")
        rig.tempoSource = nil
        rig.play("700 up")
        #expect(rig.document.syncSource == .automatic)
        // The first tap and this one, 1.2 s apart, are 50.
        rig.play("100 down 27,0\n150 up")
        #expect(rig.document.pattern.bpm == 50)
    }

    @Test func `straying from the tempo cell releases it`() {
        var rig = rig()
        rig.play("0 down 27,0\n100 move 30,0\n900 up")
        #expect(rig.document.syncSource == .own && rig.texts == ["120 BPM"])
    }

    @Test(arguments: [26, 27, 28])
    func `a tempo that follows cannot be changed`(column: Int) {
        var rig = rig()
        rig.tempoSource = .jack
        rig.play("0 down \(column),0\n50 up\n500 down \(column),0\n550 up")
        #expect(rig.document.pattern.bpm == 120)
        #expect(rig.tooltips.map(\.text) == ["SYNC JACK", "SYNC JACK"])
    }

    @Test func `a long-held button stops at its limit`() {
        var rig = rig()
        rig.play("0 1a down 28,0\n0 1b down 30,0\n4000 1a up\n4000 1b up")
        #expect(rig.document.pattern.bpm == 200)
        #expect(rig.document.pattern.length == 8)
    }

    @Test func `a late wake-up misses no repeat`() {
        var rig = rig()
        rig.play("0 down 28,0")
        let actions = rig.machine.advance(to: .milliseconds(650), in: rig.context)
        let tempi = actions.compactMap { action -> Double? in
            guard case .perform(.change(let changes)) = action,
                case .set(.tempo, on: nil, to: let value) = changes.first
            else { return nil }
            return value.number
        }
        #expect(tempi == [130, 135, 140])
        #expect(rig.machine.nextDeadline == .milliseconds(700))
    }

    @Test(arguments: ["cancel", "move 31,4", "move 28,2"])
    func `a released button stops repeating`(event: String) {
        var rig = rig()
        rig.play("0 down 28,0\n100 \(event)\n2000")
        #expect(rig.document.pattern.bpm == 125)
        #expect(rig.machine.nextDeadline == nil)
    }

    @Test func `a finger that wanders to the next cell still holds it`() {
        var rig = rig()
        rig.play("0 down 28,0\n100 move 29,1\n400 up")
        #expect(rig.document.pattern.bpm == 130)
    }

    @Test func `a disconnected client's button stops repeating`() {
        var rig = rig()
        rig.play("0 down 28,0\n450")
        rig.machine.disconnect(ClientID(1))
        rig.wait(2000)
        #expect(rig.document.pattern.bpm == 130)
    }

    @Test(arguments: [(120.0, "115 BPM"), (132.3, "127.3 BPM"), (104.05, "99.05 BPM"), (104.1, "99.1 BPM")])
    func `the tempo is shown with as many decimals as it has`(bpm: Double, text: String) {
        var rig = rig(bpm: bpm)
        rig.play("0 down 26,0\n50 up")
        #expect(rig.tooltips == [Tooltip(text: text, row: 2)])
    }

    // MARK: Tap tempo

    /// Taps the tempo cell with the given pauses before each tap.
    private func tapping(_ pauses: [Int]) -> Rig {
        var rig = rig()
        for pause in pauses { rig.play("\(pause) down 27,0\n\(pause) up") }
        return rig
    }

    @Test(
        arguments: [
            ([0], 120.0), ([0, 400], 150), ([0, 400, 600], 120), ([0, 500, 471], 123.58),
            // only the last eight intervals count
            ([0, 2000, 2000, 500, 500, 500, 500, 500, 500, 500, 500], 120),
            ([0, 900, 500, 500, 500, 500, 500, 500, 500], 109.09),
            // from 20 to 300
            ([0, 2999], 20.01), ([0, 199], 300), ([0, 200], 300), ([0, 201], 298.51), ([0, 0], 300),
        ] as [([Int], Double)])
    func `the tempo is the mean of the last intervals`(pauses: [Int], bpm: Double) {
        #expect(tapping(pauses).document.pattern.bpm == bpm)
    }

    @Test(arguments: [(2999, 34.3), (3000, 120.0)])
    func `a pause of three seconds restarts tap tempo`(pause: Int, bpm: Double) {
        // After a restart the third tap is a first one, and the tempo stays.
        #expect(tapping([0, 500, pause]).document.pattern.bpm == bpm)
    }

    @Test func `after a pause the second tap sets the tempo again`() {
        #expect(tapping([0, 500, 5000, 400]).document.pattern.bpm == 150)
    }

    @Test func `every tap shows the tempo`() {
        #expect(tapping([0, 400]).texts == ["120 BPM", "150 BPM"])
        #expect(tapping([0, 400]).history.undoCount == 0)
    }

    @Test func `programs tap together with fingers`() {
        var rig = tapping([0])
        #expect(rig.machine.tapTempo(at: rig.now + .milliseconds(400)) == 150)
    }
}
