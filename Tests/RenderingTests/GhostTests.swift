import Grid
import Music
import Rendering
import Testing

@Suite struct GhostTests {
    private static let ghosts: [Track: UInt32] = [
        .melody: 0x2a2617, .chords: 0x132423, .bass: 0x122125, .rhythm: 0x2b1717,
    ]

    @Test("A note shows through in the same notes of all other tracks, at 34/255", arguments: Track.allCases)
    func everyOtherTrack(track: Track) throws {
        let frame = try drawn(scene("\(track.name) 7 .X", ghosts: true))
        for other in Track.allCases where other != track {
            #expect(frame.cell(other, 7, at: 1) == GhostTests.ghosts[track])
        }
        // Of all step cells only these four have anything on them.
        let lit = (2...21).flatMap { frame.row($0, 5...11) }.filter { $0 != 0x0a0a0a }
        #expect(lit.count == 4)
    }

    @Test("Ghosts lie on bar starts and on darker rows as on others")
    func bases() throws {
        #expect(try drawn(scene("rhythm 0 o", ghosts: true)).cell(.melody, 0, at: 0) == 0x311d1d)
        let key = Key(root: PitchClass(1), scale: .penta)
        #expect(try drawn(scene("rhythm 7 .o", key: key, ghosts: true)).cell(.melody, 6, at: 1) == 0x271313)
    }

    @Test("A row of two notes shows a ghost when the other's row of three meets it in one")
    func overlappingNotes() throws {
        let frame = try drawn(scene("chords 3 .o", ghosts: true))
        #expect(frame.cell(.bass, 4, at: 1) == 0x132423)  // bass's row of 3, 4 and 5
        #expect(frame.cell(.bass, 2, at: 1) == 0x0a0a0a)  // bass's row of 0, 1 and 2
        #expect(frame.cell(.melody, 2, at: 1) == 0x132423)
        #expect(frame.cell(.melody, 4, at: 1) == 0x0a0a0a)
    }

    @Test("Of several tracks the first one's ghost is shown, whatever the notes' strength")
    func order() throws {
        let frame = try drawn(scene("chords 0 .o-\nbass 0 .XX\nrhythm 0 .XX", ghosts: true))
        #expect(frame.cell(.melody, 0, at: 1) == 0x132423)
        #expect(frame.cell(.melody, 0, at: 2) == 0x132423)
        #expect(frame.cell(.chords, 0, at: 1) == 0xff0000)
    }

    @Test("A cell with a note has no ghost, not even under a sustain or a silent note")
    func underNotes() throws {
        var scene = try scene("melody 7 .o-\nrhythm 7 .oo", ghosts: true)
        #expect(drawn(scene).cell(.melody, 7, at: 2) == 0x02ce8a)
        scene.document.mix[.melody].isMuted = true
        #expect(drawn(scene).cell(.melody, 7, at: 2) == 0x07583d)
    }

    @Test("A silent track's notes show through as ghosts too")
    func silentTracks() throws {
        var scene = try scene("melody 7 .o", ghosts: true)
        scene.document.mix[.melody].isMuted = true
        #expect(drawn(scene).cell(.chords, 7, at: 1) == 0x2a2617)
    }

    @Test("A sustain whose head is hidden is no ghost, and hides none")
    func headless() throws {
        var scene = try scene("melody 7 --.............................o\nrhythm 7 .o", ghosts: true)
        #expect(drawn(scene).cell(.chords, 7, at: 1) == 0x2a2617)
        scene.document.setLength(16)
        #expect(drawn(scene).cell(.chords, 7, at: 1) == 0x2b1717)
        #expect(drawn(scene).cell(.melody, 7, at: 1) == 0x2b1717)
    }

    @Test("Switched off there are none")
    func switchedOff() throws {
        let frame = try drawn(scene("melody 7 .o", ghosts: false))
        #expect(frame.cell(.chords, 7, at: 1) == 0x0a0a0a)
    }
}
