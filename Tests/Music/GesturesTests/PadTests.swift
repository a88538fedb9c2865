import Gestures
import Grid
import Instrument
import Music
import TestSupport
import Testing

/// Each row of the table of gestures on pads, with thresholds just met and just missed.
@Suite struct PadTests {
    private func playing() -> Rig {
        var rig = Rig("C", .major, [.melody: "E4 o...........................o"])
        rig.isPlaying = true
        return rig
    }

    private func after(_ timeline: String, in rig: Rig) -> Rig {
        var rig = rig
        rig.play(timeline)
        return rig
    }

    private func slots(_ rig: Rig) -> [Int] { Track.allCases.map { rig.document.pattern.playing[$0].number } }

    // Row and column of the pad, what it queues, and the text.
    @Test(arguments: [
        ("40,2", SlotBank.track(.melody), 1, "MELODY 1"), ("42,4", .track(.melody), 3, "MELODY 3"),
        ("42,5", .track(.melody), 7, "MELODY 7"), ("43,7", .track(.melody), 8, "MELODY 8"),
        ("41,8", .track(.chords), 2, "CHORDS 2"), ("41,10", .track(.chords), 2, "CHORDS 2"),
        ("41,11", .track(.chords), 6, "CHORDS 6"), ("41,13", .track(.chords), 6, "CHORDS 6"),
        ("43,15", .track(.bass), 4, "BASS 4"), ("43,16", .track(.bass), 8, "BASS 8"),
        ("42,19", .track(.rhythm), 3, "RHYTHM 3"), ("42,20", .track(.rhythm), 7, "RHYTHM 7"),
        ("43,22", .scenes, 4, "SCENE 4"), ("40,23", .scenes, 5, "SCENE 5"),
    ])
    func `a tap queues the pad's slot when it is lifted`(place: String, bank: SlotBank, number: Int, text: String) {
        var rig = playing()
        rig.play("0 down \(place)")
        #expect(rig.actions.isEmpty)
        rig.play("50 up")
        #expect(rig.commands == [.launch(.launch(bank, number - 1, .queued))])
        #expect(rig.texts == [text] && rig.haptics == [.light] && rig.outcomes.isEmpty)
        #expect(rig.launches.queued(bank) == (number == 1 ? nil : number - 1))
        #expect(rig.history == Rig("C", .major).history || rig.history.undoCount == 0)
    }

    @Test func `a finger that stays on its pad taps, however it moves there`() {
        let rig = after("0 down 41.1,2.1\n30 move 41.9,4.9\n60 move 41.5,3.5\n599 up", in: playing())
        #expect(rig.texts == ["MELODY 2"])
    }

    // 10 px are 0.476 cells.
    @Test(arguments: [
        ("0 down 40.98,3.5\n30 move 41.02,3.5\n60 up", ["MELODY 1"]),
        ("0 down 40.98,3.5\n30 move 41.02,3.5\n700 up", ["COPY 1"]),
        ("0 down 40.98,3.5\n30 move 41.02,3.5\n60 move 40.3,3.5\n90 up", ["MELODY 1"]),
        ("0 down 40.6,3.5\n30 move 41.07,3.5\n60 up", ["MELODY 1"]),
        ("0 down 40.6,3.5\n30 move 41.08,3.5\n60 up", ["CHAIN 12"]),
        ("0 down 40,3\n700 up\n1000 down 41.98,3.5\n1030 move 42.02,3.5\n1060 up", ["COPY 1", "PASTE 2"]),
    ])
    func `a finger that rolls over a pad's edge still taps until it has moved 10 px`(touch: String, texts: [String]) {
        #expect(after(touch, in: playing()).texts == texts)
    }

    @Test func `another pad replaces what is queued; the same one cancels it`() {
        var rig = after("0 down 41,3\n50 up\n1000 down 42,3\n1050 up", in: playing())
        #expect(rig.launches.queued(.track(.melody)) == 2)
        rig = after("1000 down 42,3\n1050 up", in: rig)
        #expect(rig.launches == LaunchQueue())
        #expect(rig.texts == ["MELODY 2", "MELODY 3", "CANCEL"])
        #expect(rig.haptics == [.light, .light, .light])
    }

    @Test func `a tap on the playing pad ends queue and chain`() {
        let rig = after("0 down 41,3\n50 move 42,3\n90 up\n1000 down 40,3\n1050 up", in: playing())
        #expect(rig.texts == ["CHAIN 23", "MELODY 1"])
        #expect(rig.launches == LaunchQueue())
    }

    @Test(arguments: [(250, ["MELODY 3", "NOW"]), (251, ["MELODY 3", "CANCEL"])])
    func `a second tap within 250 ms plays the slot from the next step on`(gap: Int, texts: [String]) {
        let rig = after("0 down 42,3\n50 up\n\(gap) down 42,3\n\(gap + 30) up", in: playing())
        #expect(rig.texts == texts)
        #expect(rig.launches[.melody].next == (gap == 250 ? .init(index: 2, moment: .step) : nil))
        #expect(rig.haptics == [.light, gap == 250 ? .rigid : .light])
    }

    @Test func `two pads, two clients, or a finger still down make no double tap`() {
        var rig = after("0 down 42,3\n50 up\n100 down 43,3\n150 up", in: playing())
        #expect(rig.texts == ["MELODY 3", "MELODY 4"])
        rig = after("0 down 42,3\n50 up\n100 2a down 42,3\n150 2a up", in: playing())
        #expect(rig.texts == ["MELODY 3", "CANCEL"])
        rig = after("0 down 42,3\n50 1b down 42,3\n60 up\n90 1b up", in: playing())
        #expect(rig.texts == ["MELODY 3", "CANCEL"])
    }

    @Test(arguments: [
        ("0 down 40,2\n50 move 42,2\n90 up", "CHAIN 123", [0, 1, 2]),
        // Fast drags leave out no pad between two places, and sliding back repeats pads.
        ("0 down 40,3\n20 move 43,3\n40 move 41,3\n60 up", "CHAIN 123432", [0, 1, 2, 3, 2, 1]),
        ("0 down 43,4\n20 move 43,5\n40 up", "CHAIN 48", [3, 7]),
        // Wherever the finger goes, the nearest of the track's pads counts; so does the last place.
        ("0 down 42,3\n20 move 10,3\n40 up", "CHAIN 321", [2, 1, 0]),
        ("0 down 40,6\n20 up 41,20", "CHAIN 56", [4, 5]),
    ])
    func `a drag over pads is a chain`(timeline: String, text: String, links: [Int]) {
        let rig = after(timeline, in: playing())
        #expect(rig.commands == [.launch(.chain(.track(.melody), links))])
        #expect(rig.texts.last == text && rig.haptics == [.medium] && rig.outcomes.isEmpty)
        #expect(rig.machine.previews.isEmpty)
    }

    @Test func `a chain of scenes has at most 16 links`() {
        let rig = after(
            "0 down 40,22\n" + (1...6).map { "\($0 * 20) move \($0 % 2 == 1 ? 43 : 40),22" }.joined(separator: "\n")
                + "\n200 up", in: playing())
        #expect(rig.launches.chain(.scenes) == [0, 1, 2, 3, 2, 1, 0, 1, 2, 3, 2, 1, 0, 1, 2, 3])
    }

    @Test(arguments: [(599, ["MELODY 1"], [Haptic.light]), (600, ["COPY 1"], [.heavy])])
    func `a hold of 600 ms picks up the slot`(time: Int, texts: [String], haptics: [Haptic]) {
        let rig = after("0 down 40,3\n\(time) up", in: playing())
        #expect(rig.texts == texts && rig.haptics == haptics)
        #expect(rig.machine.pickedUp == (time == 600 ? [Pad(.track(.melody), 0)] : []))
        #expect(rig.commands.isEmpty == (time == 600))
    }

    @Test func `a finger that went to another pad picks nothing up`() {
        let rig = after("0 down 40,3\n100 move 41,3\n200 move 40,3\n900 up", in: playing())
        #expect(rig.machine.pickedUp.isEmpty && rig.texts.last == "CHAIN 121")
    }

    @Test(arguments: [(4999, true), (5000, false)])
    func `the next tap within 5 s pastes a copy`(wait: Int, isPasted: Bool) {
        var rig = after("0 down 40,3\n700 up", in: playing())
        rig.forgetActions()
        // It was picked up at 600 ms.
        rig = after("\(wait - 100) down 41,6\n\(wait - 50) up", in: rig)
        #expect(rig.texts == [isPasted ? "PASTE 6" : "MELODY 6"])
        #expect(rig.haptics == [isPasted ? .medium : .light])
        #expect(rig.outcomes == (isPasted ? [TouchOutcome(gesture: "paste", notes: 2)] : []))
        let copy = rig.document.pattern[Slot(.melody, 5)]
        #expect(copy == (isPasted ? rig.document.pattern[Slot(.melody, 0)] : SlotNotes()))
        #expect(rig.history.undoCount == (isPasted ? 1 : 0))
        #expect(rig.machine.pickedUp.isEmpty)
    }

    @Test func `a paste begins no double tap, and happens once`() {
        let rig = after(
            "0 down 40,3\n700 up\n1000 down 41,3\n1050 up\n1100 down 41,3\n1150 up", in: playing())
        #expect(rig.texts == ["COPY 1", "PASTE 2", "MELODY 2"])
    }

    @Test func `of two fingers on pads the first that is lifted pastes, and the other one launches`() {
        let rig = after(
            "0 down 40,3\n700 up\n1000 1a down 41,3\n1010 1b down 42,3\n1050 1b up\n1060 1a up", in: playing())
        #expect(rig.texts == ["COPY 1", "PASTE 3", "MELODY 2"])
        #expect(rig.history.undoCount == 1 && !rig.document.pattern.isFilled(Slot(.melody, 1)))
    }

    @Test func `a tap on the picked-up pad drops it`() {
        let rig = after("0 down 40,3\n700 up\n1000 down 40,3\n1050 up\n2000 down 41,3\n2050 up", in: playing())
        #expect(rig.texts == ["COPY 1", "CANCEL", "MELODY 2"])
        #expect(rig.history.undoCount == 0)
    }

    @Test func `a pick-up is for pads of the same track by the same client`() {
        let rig = after(
            "0 down 40,3\n700 up\n1000 down 41,9\n1050 up\n1400 2a down 41,3\n1450 2a up\n2000 down 42,3\n2050 up",
            in: playing())
        #expect(rig.texts == ["COPY 1", "CHORDS 2", "MELODY 2", "PASTE 3"])
    }

    @Test func `a scene is copied as a whole, in one step`() {
        var rig = Rig("C", .major, [.melody: "E4 o", .bass: "C2 o"])
        rig.play("0 down 40,22\n700 up\n1000 down 42,23\n1050 up")
        #expect(rig.texts == ["COPY 1", "PASTE 7"])
        #expect(rig.outcomes == [TouchOutcome(gesture: "paste", notes: 2)])
        #expect(rig.document.pattern.isFilled(Slot(.bass, 6)) && rig.history.undoCount == 1)
    }

    @Test func `a client that disconnects drops its picked-up pad`() {
        var rig = after("0 down 40,3\n700 up", in: playing())
        rig.machine.disconnect(ClientID(1))
        #expect(rig.machine.pickedUp.isEmpty && rig.machine.nextDeadline == nil)
    }

    @Test func `a touch that is cancelled does nothing`() {
        let rig = after("0 down 40,3\n20 move 43,3\n40 cancel\n100 down 41,3\n699 cancel", in: playing())
        #expect(rig.commands.isEmpty && rig.haptics.isEmpty)
        #expect(rig.machine.nextDeadline == nil)
    }

    @Test func `a touch that is cancelled drops the pad that it has picked up, but none that was picked up since`() {
        var rig = Rig("C", .major, [.melody: "E4 o"])
        rig.play("0 down 40,22\n700 cancel")
        #expect(rig.machine.pickedUp.isEmpty && rig.machine.nextDeadline == nil)
        rig.play("100 down 42,22\n150 up")
        #expect(rig.texts == ["COPY 1", "SCENE 3"] && rig.edits.isEmpty && rig.history.undoCount == 0)
        rig.play("1000 down 40,22\n1100 1b down 41,22\n1800 cancel\n1850 1b up")
        #expect(rig.machine.pickedUp == [Pad(.scenes, 1)])
    }

    @Test func `a tap while nothing plays launches at once`() {
        var rig = Rig()
        rig.play("0 down 42,23\n50 up")
        #expect(slots(rig) == [7, 7, 7, 7] && rig.launches == LaunchQueue())
        rig.play("1000 down 40,3\n1020 move 41,3\n1040 up")
        #expect(slots(rig) == [1, 7, 7, 7] && rig.launches.chain(.track(.melody)) == [0, 1])
    }

    @Test(arguments: ["40,1", "43,1", "40,22", "43,23", "41,12"])
    func `a double tap among the pads does not play or stop`(place: String) {
        let rig = after("0 down \(place)\n50 up\n100 down \(place)\n150 up", in: Rig())
        #expect(!rig.isPlaying && !rig.texts.contains("PLAY"))
    }

    // MARK: Touches on steps while slots change

    @Test func `a touch writes into the slot that was shown at its down`() {
        var rig = playing()
        rig.play("0 down s2,3\n20 move s4,3")
        #expect(!rig.machine.previews.isEmpty)
        rig.change { $0.launch(Slot.scene(1)) }
        #expect(rig.machine.previews.isEmpty)
        rig.change { $0.launch(Slot.scene(0)) }
        #expect(!rig.machine.previews.isEmpty)
        rig.change { $0.launch(Slot.scene(1)) }
        rig.play("100 up")
        #expect(rig.outcomes == [TouchOutcome(gesture: "arpeggio", notes: 3)])
        #expect(rig.cells.isEmpty && rig.document.pattern[Slot(.melody, 0)].count == 5)
        rig.change { $0.apply(.undo) }
        #expect(rig.document.pattern[Slot(.melody, 0)].count == 2)
    }

    @Test func `a tap cycles by the notes of its own slot`() {
        var rig = playing()
        rig.play("0 down s0,5")
        rig.change { $0.launch(Slot.scene(1)) }
        rig.play("50 up")
        #expect(rig.texts == ["F4"] && rig.cells.isEmpty)
        #expect(rig.document.pattern[Slot(.melody, 0)][0].notes == [5])
    }

    @Test func `taps on two slots are no double tap, swipes on two slots no double swipe`() {
        var rig = playing()
        rig.play("0 down s0,5\n50 up")
        rig.change { $0.launch(Slot.scene(1)) }
        rig.play("60 down s0,5\n90 up")
        #expect(!rig.texts.contains("ERASE"))
        rig.play("500 down s20,5\n520 move s8,5\n540 up")
        rig.change { $0.launch(Slot.scene(0)) }
        rig.play("30 down s20,5\n50 move s8,5\n70 up")
        #expect(!rig.texts.contains("<<UNDO"))
    }

    @Test func `a scrub clears the slots that play`() {
        var rig = playing()
        rig.play("0 down s0,5\n50 up\n500 down s8,4")
        rig.change { document in
            let notes = document.pattern[Slot(.melody, 0)]
            document.apply(.edit([Slot(.melody, 1): notes]))
            document.launch(Slot.scene(1))
        }
        rig.play("20 move s12,4\n40 move s8,4\n60 move s12,4\n80 move s8,4\n100 move s12,4\n120 move s8,4\n140 up")
        #expect(rig.texts.last == "CLEARED!")
        #expect(rig.cells.isEmpty && rig.document.pattern.isFilled(Slot(.melody, 0)))
    }
}
