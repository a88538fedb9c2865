import Gestures
import Grid
import Instrument
import Music
import TestSupport
import Testing

@Suite struct ControlTests {
    /// Presses a cell, which acts on `down` and does nothing more when lifted.
    private func pressing(_ column: Int, row: Int = 0, in rig: Rig = Rig()) -> Rig {
        var rig = rig
        rig.play("0 down \(column),\(row)")
        let actions = rig.actions
        rig.play("50 up")
        #expect(rig.actions == actions)
        return rig
    }

    /// Taps a level meter, which acts when the finger is lifted.
    private func tapping(_ row: Int, in rig: Rig) -> Rig {
        var rig = rig
        let actions = rig.actions
        rig.play("0 down 2,\(row)")
        #expect(rig.actions == actions)
        rig.play("50 up")
        return rig
    }

    @Test(arguments: [1, 2])
    func `play/stop plays and stops`(column: Int) {
        var rig = pressing(column)
        #expect(rig.isPlaying)
        #expect(rig.tooltips == [Tooltip(text: "PLAY", row: 2)])
        // Music stops when it is clear that the finger does not hold.
        rig.play("0 down \(column),0\n599")
        #expect(rig.isPlaying)
        rig.play("0 up")
        #expect(!rig.isPlaying)
        #expect(rig.texts == ["PLAY", "STOP"])
        #expect(rig.haptics.isEmpty)
    }

    @Test(arguments: [false, true])
    func `holding play/stop arms or disarms recording, and the music continues`(wasPlaying: Bool) {
        var rig = Rig()
        rig.isPlaying = wasPlaying
        rig.play("0 down 1,0\n600")
        #expect(rig.isRecording && rig.isPlaying)
        rig.play("0 up")
        rig.play("0 down 2,0\n700 up")
        #expect(!rig.isRecording && rig.isPlaying)
        #expect(rig.texts == (wasPlaying ? [] : ["PLAY"]) + ["REC ON", "REC OFF"])
    }

    @Test func `a finger that strays from play/stop holds nothing and stops nothing`() {
        var rig = Rig()
        rig.isPlaying = true
        rig.play("0 down 1,0\n300 move 9,0\n700 up")
        #expect(!rig.isRecording && rig.isPlaying && rig.actions.isEmpty)
        rig.play("0 down 1,0\n300 move 4,0\n700 up")
        #expect(!rig.isRecording && rig.isPlaying && rig.actions.isEmpty)
    }

    @Test(arguments: [(1, "3,1"), (2, "0,0")])
    func `a finger that rolls over play/stop, or a cell beyond it, still holds it`(column: Int, place: String) {
        var rig = Rig()
        rig.isPlaying = true
        rig.play("0 down \(column),0\n300 move \(place)\n700 up")
        #expect(rig.isRecording && rig.isPlaying)
    }

    @Test func `without a server nothing plays but stop works`() {
        var rig = Rig()
        rig.hasAudio = false
        #expect(pressing(1, in: rig).actions == [.tooltip(Tooltip(text: "NO JACK", row: 2))])
        rig.isPlaying = true
        rig.play("0 down 1,0\n50 up")
        #expect(rig.commands == [.transport(.stop)])
        rig = Rig()
        rig.hasAudio = false
        rig.play("0 down 10,1\n50 up\n100 down 10,1\n150 up")
        #expect(rig.tooltips == [Tooltip(text: "NO JACK", row: 4)])
        rig.play("0 down 0,0\n50 up")
        #expect(rig.tooltips.last == Tooltip(text: "NO JACK", row: 2))
        #expect(rig.commands.isEmpty)
    }

    /// Sounds by their index in the track's list, negative from its end.
    @Test(arguments: [
        (2, 4, 1, 2), (5, 7, -1, -2), (8, 10, 1, 2), (13, 11, -1, -2), (15, 14, 1, 2), (17, 16, -1, -2), (18, 19, 1, 2),
        (20, 21, -1, -2),
    ])
    func `a level meter's upper half selects the next sound, its lower half the previous one`(
        row: Int, other: Int, place: Int, next: Int
    ) {
        let rig = tapping(other, in: tapping(row, in: Rig()))
        let track = Layout.track(atRow: row)!
        func sound(_ place: Int) -> String { track.soundNames[place < 0 ? track.soundNames.count + place : place] }
        #expect(rig.tooltips == [place, next].map { Tooltip(text: sound($0).uppercased(), row: 2) })
        #expect(rig.haptics == [.light, .light])
        #expect(rig.document[track.soundParameter, track].name == sound(next))
        #expect(rig.document.history == Document().history)
    }

    @Test(arguments: Track.allCases)
    func `the next sounds of a track cycle through all of them`(track: Track) {
        var rig = Rig()
        for _ in track.soundNames { rig = tapping(Layout.rows(of: track).lowerBound, in: rig) }
        #expect(rig.document[track.soundParameter, track].name == track.soundNames[0])
        #expect(Set(rig.texts) == Set(track.soundNames.map { $0.uppercased() }))
    }

    @Test func `kits of samples come after the built-in ones, and a missing one counts as before the first`() {
        var rig = Rig()
        rig.kits += ["Dust", "Rust"]
        rig = tapping(21, in: tapping(19, in: tapping(21, in: rig)))
        #expect(rig.texts == ["RUST", "CLASSIC", "RUST"])
        rig.kits.removeLast()
        #expect(tapping(18, in: rig).texts.last == "CLASSIC")
        #expect(tapping(21, in: rig).texts.last == "DUST")
    }

    @Test(arguments: [(7, Scale.major, "C# MAJOR"), (8, .minor, "C# MINOR"), (9, .penta, "C# PENTA")])
    func `a scale button chooses its scale`(column: Int, scale: Scale, text: String) {
        let rig = pressing(column, in: Rig("C#", .minor))
        #expect(rig.document.pattern.key.scale == scale)
        #expect(rig.tooltips == [Tooltip(text: text, row: 2)])
    }

    @Test(arguments: Array(zip(11...22, ["C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"])))
    func `a root button chooses its root`(column: Int, root: String) {
        let rig = pressing(column, in: Rig("C", .minor))
        #expect(rig.document.pattern.key.root.name == root)
        #expect(rig.texts == ["\(root) MINOR"])
    }

    @Test func `the ghosts button turns ghosts off and on`() {
        var rig = pressing(24)
        #expect(!rig.document.showsGhosts)
        rig = pressing(24, in: rig)
        #expect(rig.document.showsGhosts)
        #expect(rig.texts == ["GHOSTS OFF", "GHOSTS ON"])
    }

    @Test func `the undo and redo buttons undo and redo`() {
        var rig = Rig()
        rig.play("0 down s2,5\n100 up\n1000")
        rig.forgetActions()
        rig = pressing(4, in: rig)
        #expect(rig.cells.isEmpty)
        #expect(rig.tooltips == [Tooltip(text: "UNDO", row: 2, what: "the notes of Melody")])
        #expect(rig.haptics == [.rigid])
        #expect(rig.outcomes == [TouchOutcome(gesture: "undo", notes: 0)])
        rig.forgetActions()
        rig = pressing(5, in: rig)
        expect(.melody, "E4 ..o", in: rig)
        #expect(rig.tooltips == [Tooltip(text: "REDO", row: 2, what: "the notes of Melody")])
        #expect(rig.haptics == [.rigid])
        #expect(rig.outcomes == [TouchOutcome(gesture: "redo", notes: 0)])
    }

    @Test(arguments: [4, 5])
    func `with nothing to undo or redo the buttons do nothing`(column: Int) {
        #expect(pressing(column).actions.isEmpty)
    }

    @Test func `a tap on clear all only shows HOLD`() {
        var rig = Rig("C", .major, length: 8, [.melody: "E4 ..o"])
        rig.play("0 down 41,0\n599 up")
        #expect(!rig.cells.isEmpty && rig.history.undoCount == 0)
        #expect(rig.tooltips == [Tooltip(text: "HOLD", row: 2)])
        #expect(rig.haptics.isEmpty)
    }

    @Test func `a finger that strays from clear all clears nothing`() {
        var rig = Rig("C", .major, length: 8, [.melody: "E4 ..o"])
        rig.play("0 down 41,0\n100 move 42,1\n200 move 38,0\n300 move 41,0\n900 up")
        #expect(rig.actions.isEmpty)
        rig.play("0 down 41,0\n100 move 42,2\n300 move 41,0\n900 up")
        #expect(rig.actions.isEmpty)
    }

    @Test(arguments: [(41, "43,0"), (40, "43,1"), (43, "39,0")])
    func `a finger that rolls over clear all, or a cell beyond it, still holds it`(column: Int, place: String) {
        var rig = Rig("C", .major, length: 8, [.melody: "E4 ..o"])
        rig.play("0 down \(column),0\n100 move \(place)\n600")
        #expect(rig.cells.isEmpty && rig.texts == ["CLEARED!"])
    }

    @Test(arguments: 40...43)
    func `clear all held for 600 ms clears hidden steps too as one undo step`(column: Int) {
        var rig = Rig("C", .major, length: 8, [.melody: "E4 ..o......o", .bass: "C2 o~~"])
        rig.play("0 down \(column),0\n599")
        #expect(rig.actions.isEmpty)
        rig.play("1")
        #expect(rig.cells.isEmpty)
        #expect(rig.history.undoCount == 1)
        #expect(rig.tooltips == [Tooltip(text: "CLEARED!", row: 2)])
        #expect(rig.haptics == [.rigid])
        #expect(rig.outcomes == [TouchOutcome(gesture: "clear", notes: 0)])
    }

    @Test(arguments: 34...37, [true, false])
    func `the scrub indicator held for 600 ms catches, if there is something to catch`(column: Int, canCatch: Bool) {
        var rig = Rig()
        rig.canCatch = canCatch
        rig.play("0 down \(column),0\n599")
        #expect(rig.actions.isEmpty)
        rig.play("1\n700 up")
        #expect(rig.catchCount == (canCatch ? 1 : 0))
        #expect(rig.tooltips == [Tooltip(text: canCatch ? "CATCH" : "NOTHING", row: 2)])
        #expect(rig.haptics.isEmpty && rig.outcomes.isEmpty)
    }

    @Test func `a tap on the scrub indicator only shows HOLD, and a finger that strays from it does nothing`() {
        var rig = Rig()
        rig.canCatch = true
        rig.play("0 down 35,0\n599 up")
        #expect(rig.tooltips == [Tooltip(text: "HOLD", row: 2)] && rig.catchCount == 0)
        rig.forgetActions()
        rig.play("0 down 35,0\n100 move 39,0\n700 up")
        #expect(rig.actions.isEmpty)
    }

    @Test(arguments: [3, 6, 10, 23, 25, 29, 33, 38, 39])
    func `other cells of row 0 are inert`(column: Int) {
        var rig = Rig()
        rig.play(
            "0 down \(column),0\n100 up\n150 down \(column),0\n200 up\n210 down \(column),0\n300 move s8,7\n900 up")
        #expect(rig.actions.isEmpty)
    }

    @Test(arguments: ["3,5", "3,21", "39,7", "39,10", "s8,5", "s31,21"])
    func `cells beside the visible steps are inert`(place: String) {
        var rig = Rig("C", .major, length: 8)
        rig.play("0 down \(place)\n100 up\n150 down \(place)\n600 up\n1000 down \(place)\n1050 move s2,5\n1300 up")
        #expect(rig.actions.isEmpty)
    }

    @Test func `the separator at the end belongs to the last step`() {
        var rig = Rig("C", .major, length: 8)
        rig.play("0 down 12,5\n100 up")
        expect(.melody, "E4 .......o", in: rig)
    }

    // MARK: Mute and solo

    @Test(arguments: [
        (Track.melody, 2, "MELODY"), (.chords, 13, "CHORDS"), (.bass, 15, "BASS"), (.rhythm, 18, "RHYTHM"),
    ])
    func `mute and solo act on their track`(track: Track, row: Int, name: String) {
        var rig = pressing(0, row: row)
        #expect(rig.document.isOn(.mute, track))
        rig = pressing(0, row: row, in: rig)
        #expect(!rig.document.isOn(.mute, track))
        rig = pressing(1, row: row, in: rig)
        #expect(rig.document.soloedTrack == track)
        rig = pressing(1, row: row, in: rig)
        #expect(rig.document.soloedTrack == nil)
        #expect(rig.texts == ["MUTE \(name)", "UNMUTE", "SOLO \(name)", "SOLO OFF"])
        #expect(rig.tooltips.allSatisfy { $0.row == 2 })
        #expect(rig.haptics.isEmpty)
    }

    @Test func `mute on the soloed track only ends the solo`() {
        var rig = pressing(0, row: 2)
        rig = pressing(1, row: 2, in: rig)
        #expect(!rig.document.isSilent(.melody))
        rig = pressing(0, row: 2, in: rig)
        #expect(rig.document.soloedTrack == nil)
        #expect(rig.document.isOn(.mute, .melody))
        #expect(rig.texts.last == "SOLO OFF")
    }

    @Test func `another track can be muted and soloed during a solo`() {
        var rig = pressing(1, row: 2)
        rig = pressing(0, row: 8, in: rig)
        #expect(rig.document.isOn(.mute, .chords))
        #expect(rig.document.soloedTrack == .melody)
        rig = pressing(1, row: 8, in: rig)
        #expect(rig.document.soloedTrack == .chords)
        #expect(rig.texts.last == "SOLO CHORDS")
    }

    // MARK: The music key

    @Test func `released soon, the music key plays`() {
        var rig = Rig()
        rig.play("0 down 0,0\n599")
        #expect(rig.actions.isEmpty)
        rig.play("0 up")
        #expect(rig.isPlaying)
        #expect(rig.document.colorMode == .chromatic)
        #expect(rig.tooltips == [Tooltip(text: "PLAY", row: 2)])
        #expect(rig.haptics.isEmpty)
    }

    @Test func `when held long enough it switches the colours, and its release does nothing`() {
        var rig = Rig()
        rig.play("0 down 0,0\n600")
        #expect(rig.document.colorMode == .harmonic)
        #expect(rig.tooltips == [Tooltip(text: "HARMONIC", row: 2)])
        #expect(rig.haptics == [.medium])
        rig.play("100 up")
        #expect(!rig.isPlaying)
        rig.play("0 down 0,0\n600 up")
        #expect(rig.document.colorMode == .safe)
        rig.play("0 down 0,0\n600 up")
        #expect(rig.document.colorMode == .chromatic)
        #expect(rig.texts == ["HARMONIC", "SAFE", "CHROMATIC"])
        #expect(!rig.isPlaying)
    }

    @Test(arguments: [("1,1", true), ("0,1", true), ("2,0", false), ("0,2", false), ("9,9", false)])
    func `its finger must stay within one cell`(place: String, acts: Bool) {
        var rig = Rig()
        rig.play("0 down 0,0\n50 move \(place)\n100 up")
        #expect(rig.isPlaying == acts)
        var other = Rig()
        other.play("0 down 0,0\n50 move \(place)\n700 up")
        #expect((other.document.colorMode == .harmonic) == acts)
        #expect(!other.isPlaying)
    }

    @Test func `a cancelled music key does nothing`() {
        var rig = Rig()
        rig.play("0 down 0,0\n50 cancel\n700")
        #expect(rig.actions.isEmpty)
    }
}
