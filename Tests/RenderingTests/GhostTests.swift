import Grid
import Music
import Rendering
import Testing

@Suite struct GhostTests {
    private static let ghosts: [Track: UInt32] = [
        .melody: 0x2a2617, .chords: 0x132423, .bass: 0x122125, .rhythm: 0x2b1717,
    ]

    @Test(arguments: Track.allCases)
    func `a note shows through in the same notes of all other tracks, at 34/255`(track: Track) throws {
        let frame = try drawn(scene("\(track.name) 7 .X", ghosts: true))
        for other in Track.allCases where other != track {
            #expect(frame.cell(other, 7, at: 1) == GhostTests.ghosts[track])
        }
        // Only these four step cells show anything.
        let lit = (2...21).flatMap { frame.row($0, 5...11) }.filter { $0 != 0x0a0a0a }
        #expect(lit.count == 4)
    }

    @Test func `ghosts are drawn over bar starts and darker rows too`() throws {
        #expect(try drawn(scene("rhythm 0 o", ghosts: true)).cell(.melody, 0, at: 0) == 0x311d1d)
        let key = Key(root: PitchClass(1), scale: .penta)
        #expect(try drawn(scene("rhythm 7 .o", key: key, ghosts: true)).cell(.melody, 6, at: 1) == 0x271313)
    }

    @Test func `a row shows a ghost if any of its notes sounds on another track, whatever the rows' sizes`() throws {
        let frame = try drawn(scene("chords 3 .o", ghosts: true))
        #expect(frame.cell(.bass, 4, at: 1) == 0x132423)  // bass's row of 3, 4 and 5
        #expect(frame.cell(.bass, 2, at: 1) == 0x0a0a0a)  // bass's row of 0, 1 and 2
        #expect(frame.cell(.melody, 2, at: 1) == 0x132423)
        #expect(frame.cell(.melody, 4, at: 1) == 0x0a0a0a)
    }

    @Test func `of several tracks the first one's ghost is shown, whatever the velocities`() throws {
        let frame = try drawn(scene("chords 0 .o-\nbass 0 .XX\nrhythm 0 .XX", ghosts: true))
        #expect(frame.cell(.melody, 0, at: 1) == 0x132423)
        #expect(frame.cell(.melody, 0, at: 2) == 0x132423)
        #expect(frame.cell(.chords, 0, at: 1) == 0xff0000)
    }

    @Test func `a cell with a note has no ghost, not even under a sustain or a silent note`() throws {
        var scene = try scene("melody 7 .o-\nrhythm 7 .oo", ghosts: true)
        #expect(drawn(scene).cell(.melody, 7, at: 2) == 0x02ce8a)
        scene.document.set(.mute, on: .melody, to: true)
        #expect(drawn(scene).cell(.melody, 7, at: 2) == 0x07583d)
    }

    @Test func `a silent track's notes show through as ghosts too`() throws {
        var scene = try scene("melody 7 .o", ghosts: true)
        scene.document.set(.mute, on: .melody, to: true)
        #expect(drawn(scene).cell(.chords, 7, at: 1) == 0x2a2617)
    }

    @Test func `a sustain whose head is hidden is no ghost, and hides none`() throws {
        var scene = try scene("melody 7 --.............................o\nrhythm 7 .o", ghosts: true)
        #expect(drawn(scene).cell(.chords, 7, at: 1) == 0x2a2617)
        scene.document.set(.length, to: 16)
        #expect(drawn(scene).cell(.chords, 7, at: 1) == 0x2b1717)
        #expect(drawn(scene).cell(.melody, 7, at: 1) == 0x2b1717)
    }

    @Test func `when switched off there are no ghosts`() throws {
        let frame = try drawn(scene("melody 7 .o", ghosts: false))
        #expect(frame.cell(.chords, 7, at: 1) == 0x0a0a0a)
    }
}
