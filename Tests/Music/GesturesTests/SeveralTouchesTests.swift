import Gestures
import Grid
import Music
import TestSupport
import Testing

@Suite struct SeveralTouchesTests {
    @Test func `fingers play several tracks at once`() {
        var rig = Rig()
        rig.play(
            """
              0 1a down s0,7
             10 1b down s0,21
             20 2a down s4,17
             50 1a move s2,7
             60 2a move s4,15
             70 1b move s3,21
            400 2a up
            410 1b up
            420 1a up
            """)
        expect(.melody, "E4 ..o\nD4 .o\nC4 o", in: rig)
        expect(.bass, "G2 ....o\nC2 ....o", in: rig)
        expect(.rhythm, "KICK oooo", in: rig)
        #expect(rig.history.undoCount == 3)
    }

    @Test func `clients may use the same touch ID`() {
        var rig = Rig()
        rig.play("0 1a down s0,7\n0 2a down s1,7\n50 1a up\n60 2a up")
        expect(.melody, "C4 oo", in: rig)
    }

    @Test func `previews are in the order of down`() {
        var rig = Rig()
        rig.play("0 1a down s0,7\n0 2a down s0,13\n50 2a move s1,13\n100 1a move s1,7")
        #expect(rig.machine.previews.map { $0[0].track } == [.melody, .chords])
    }

    @Test func `a down under an ID that is still down cancels the old touch`() {
        var rig = Rig()
        rig.play("0 down s0,7\n50 move s5,7\n100 down s8,21\n150 up")
        expect(.melody, "", in: rig)
        expect(.rhythm, "KICK ........o", in: rig)
        #expect(rig.machine.previews.isEmpty)
    }

    @Test func `messages about unknown touches are ignored`() {
        var rig = Rig()
        rig.play("0 move s0,7\n10 up\n20 cancel\n30 down s0,7\n40 up\n50 up\n60 move s8,7\n70 up")
        expect(.melody, "C4 o", in: rig)
        #expect(rig.history.undoCount == 1)
    }

    @Test(arguments: [
        "50 move s5,7\n100 cancel", "450 cancel", "450 move s5,7\n900 cancel", "30 cancel\n60 up",
        "20 move s9,7\n40 move s2,7\n60 move s9,7\n80 move s2,7\n90 cancel",
    ])
    func `a cancelled gesture leaves no trace`(rest: String) {
        var rig = Rig("C", .major, [.melody: "E4 o~~\nC4 ...o"])
        rig.play("0 down s8,18\n100 up\n2000")
        rig.change { $0.apply(.undo) }
        let before = rig.document
        rig.play("0 down s3,7\n" + rest)
        #expect(rig.document == before)
        #expect(rig.machine.previews.isEmpty)
        #expect(rig.machine.scrubChanges == nil)
        #expect(rig.machine.nextDeadline == nil)
        #expect(rig.outcomes.filter { $0.gesture != "tap" }.isEmpty)
    }

    @Test func `a lost client's fingers are dropped, and no others`() {
        var rig = Rig()
        rig.play("0 1a down s0,7\n0 1b down s0,13\n0 2a down s0,21\n50 1a move s3,7\n50 2a move s3,21")
        rig.machine.disconnect(ClientID(1))
        #expect(rig.machine.previews.count == 1)
        rig.play("400 1a up\n400 1b up\n400 2a up")
        expect(.melody, "", in: rig)
        expect(.chords, "", in: rig)
        expect(.rhythm, "KICK oooo", in: rig)
    }

    @Test func `a reconnected client has no half double tap left`() {
        var rig = Rig("C", .major, [.melody: "E4 o"])
        rig.play("0 down s0,5\n50 up")
        rig.machine.disconnect(ClientID(1))
        rig.play("50 down s0,5\n100 up")
        #expect(!rig.texts.contains("ERASE"))
    }

    @Test func `beyond its limit a client's oldest finger is dropped`() {
        var rig = Rig()
        for id in 0...GestureMachine.fingersPerClient {
            rig.send(Touch(id: id, phase: .down, x: 4.5, y: 7.5))
        }
        rig.send(Touch(id: 0, phase: .up, x: 4.5, y: 7.5))
        #expect(rig.cells.isEmpty)
        rig.send(Touch(id: 1, phase: .up, x: 4.5, y: 7.5))
        expect(.melody, "C4 o", in: rig)
    }

    // MARK: Changes under a drag

    @Test func `a drag follows a change of scale`() {
        var rig = Rig()
        rig.play("0 1a down s0,5\n50 1a move s2,5\n60 2a down 8,0\n70 2a up")
        #expect(rig.machine.previews[0].map(\.note) == [5, 7, 8])
        #expect(rig.texts.last == "C MINOR")
        rig.play("400 1a up")
        expect(.melody, "G#4 ..o\nG4 .o\nF4 o", in: rig)
    }

    @Test func `a drag follows a change of root by a program`() {
        var rig = Rig()
        rig.play("0 down s0,7\n50 move s0,5")
        rig.change { $0.set(.root, to: "D") }
        #expect(rig.machine.previews[0].map(\.note) == [4])
        rig.change { $0.set(.root, to: "C#") }
        #expect(rig.machine.previews[0].map(\.note) == [5])
        rig.play("400 up")
        expect(.melody, "F4 o", in: rig)
    }

    @Test func `a shorter length shortens a drag and a longer one brings it back`() {
        var rig = Rig()
        rig.play("0 down s4,21\n50 move s20,21")
        rig.change { $0.set(.length, to: 8) }
        #expect(rig.machine.previews[0].map(\.step) == [4, 5, 6, 7])
        rig.change { $0.set(.length, to: 16) }
        #expect(rig.machine.previews[0].map(\.step) == Array(4...15))
        rig.play("400 up")
        expect(.rhythm, "KICK ....oooooooooooo", in: rig)
    }

    @Test(arguments: ["50 move s22,21", "50", "450"])
    func `hiding the start step drops the touch`(rest: String) {
        var rig = Rig()
        rig.play("0 down s20,21\n" + rest)
        rig.change { $0.set(.length, to: 16) }
        #expect(rig.machine.previews.isEmpty)
        rig.change { $0.set(.length, to: 32) }
        rig.play("500 up")
        #expect(rig.cells.isEmpty)
    }

    @Test func `a length button drops the drags that it hides`() {
        var rig = Rig()
        rig.play("0 1a down s30,21\n50 1a move s31,21\n60 2a down 30,0")
        #expect(rig.machine.previews.isEmpty)
        rig.play("10 2a up\n400 1a up")
        #expect(rig.cells.isEmpty)
    }

    @Test func `settings that changed without notice take effect at the next touch`() {
        var rig = Rig()
        rig.play("0 down s20,21\n50 move s22,21")
        rig.document.set(.length, to: 16)
        rig.play("400 up")
        #expect(rig.cells.isEmpty)
    }

    @Test func `a lift considers notes that changed under the touch`() {
        var rig = Rig()
        rig.play("0 1a down s0,5\n50 2a down s0,5\n100 2a up\n200 1a up")
        expect(.melody, "F4 o", in: rig)
    }
}
