import Grid
import Music
import Rendering
import TestSupport
import Testing

@Suite struct StepCellsTests {
    private let bases = Legend([".": 0x0a0a0a, "|": 0x111111, "_": 0x060606])

    @Test func `in C major every row has a note of the scale: only bar starts stand out`() throws {
        let row = "|........|........|........|........"
        let expected = Array(repeating: row, count: 20).joined(separator: "\n")
        #expect(try bases.text(of: drawn(scene()), columns: 4...39, rows: 2...21) == expected)
    }

    @Test func `rows without a note of the scale are darker, except at bar starts and on rhythm`() throws {
        // C# penta is 1 3 5 8 10: nothing of the row of 6 and 7; bass's rows of three all have one.
        let frame = try drawn(scene(length: 10, key: Key(root: PitchClass(1), scale: .penta)))
        #expect(
            bases.text(of: frame, columns: 4...16, rows: 2...13) == """
                |........|...
                |........|...
                |_______.|_..
                |........|...
                |........|...
                |........|...
                |........|...
                |........|...
                |_______.|_..
                |........|...
                |........|...
                |........|...
                """)
        #expect(bases.text(of: frame, columns: 4...16, rows: 14...21).contains("_") == false)
    }

    @Test func `the darker rows follow the notes of every key`() throws {
        for root in PitchClass.allCases {
            for scale in Scale.allCases {
                let key = Key(root: root, scale: scale)
                let frame = try drawn(scene(key: key))
                for row in 2...21 {
                    let track = try #require(Layout.track(atRow: row))
                    let isIn = Layout.notes(of: track, row: row).contains { note in
                        scale.intervals.contains { (root.number + $0) % 12 == note }
                    }
                    let expected: UInt32 = isIn || track == .rhythm ? 0x0a0a0a : 0x060606
                    #expect(frame[5, row] == Color(expected), "\(root.name) \(scale.name), row \(row)")
                }
            }
        }
    }

    @Test(arguments: Track.allCases)
    func `a normal note has its pitch class's colour exactly, on every track`(track: Track) throws {
        let colors: [UInt32] = [
            0xff0000, 0xff4500, 0xff8c00, 0xffc800, 0xffff00, 0x9acd32, 0x00ff00, 0x00ffaa, 0x00ffff, 0x00aaff,
            0x0055ff, 0x8a2be2,
        ]
        let fifths = [0, 7, 2, 9, 4, 11, 6, 1, 8, 3, 10, 5]
        for note in 0..<12 {
            var scene = try scene("\(track.name) \(note) .o......o")
            for (mode, color) in [(ColorMode.chromatic, colors[note]), (.harmonic, colors[fifths[note]])] {
                scene.document.set(.colors, to: .choice(mode))
                #expect(drawn(scene).cell(track, note, at: 1) == color)
                #expect(drawn(scene).cell(track, note, at: 8) == color)
            }
        }
    }

    @Test func `an accent has 20 % white over its colour`() throws {
        let accented: [UInt32] = [
            0xff3333, 0xff6a33, 0xffa333, 0xffd333, 0xffff33, 0xaed75b, 0x33ff33, 0x33ffbb, 0x33ffff, 0x33bbff,
            0x3377ff, 0xa155e8,
        ]
        for note in 0..<12 {
            #expect(try drawn(scene("bass \(note) ..X")).cell(.bass, note, at: 2) == accented[note])
        }
    }

    @Test(
        arguments: [
            (".o-", [0x02ce8a]),
            (".o---", [0x02ce8a, 0x058b5e, 0x084732]),
            (".X----", [0x02ce8a, 0x04a16d, 0x06744f, 0x084732]),
            (".o--o", [0x02ce8a, 0x084732]),
        ] as [(String, [UInt32])])
    func `sustain fades in equal parts from 0.8 on the first step to 0.25 on the last`(
        steps: String, expected: [UInt32]
    ) throws {
        let frame = try drawn(scene("melody 7 \(steps)"))
        #expect((2..<(2 + expected.count)).map { frame.cell(.melody, 7, at: $0) } == expected)
        #expect(frame.cell(.melody, 7, at: 2 + expected.count) == (steps == ".o--o" ? 0x00ffaa : 0x0a0a0a))
    }

    @Test func `a sustain wraps around the pattern's end, over bar starts`() throws {
        let frame = try drawn(scene("melody 7 --.......o-", length: 11))
        #expect(frame.cell(.melody, 7, at: 9) == 0x00ffaa)
        #expect(frame.cell(.melody, 7, at: 10) == 0x02ce8a)
        #expect(frame.cell(.melody, 7, at: 0) == 0x088e61)
        #expect(frame.cell(.melody, 7, at: 1) == 0x084732)
    }

    @Test func `a sustain whose head is hidden is not shown, and returns with its head`() throws {
        var scene = try scene("melody 7 --.............................o")
        scene.document.set(.length, to: 16)
        #expect(drawn(scene).cell(.melody, 7, at: 0) == 0x111111)
        #expect(drawn(scene).cell(.melody, 7, at: 1) == 0x0a0a0a)
        scene.document.set(.length, to: 32)
        #expect(drawn(scene).cell(.melody, 7, at: 1) == 0x084732)
    }

    @Test func `of several notes in a cell the strongest is shown, of equals the lowest`() throws {
        let frame = try drawn(
            scene(
                """
                rhythm 3 oo-o.
                rhythm 4 .Xoo.
                rhythm 5 X..-o
                bass   6 o
                bass   7 -o
                """))
        #expect(frame.cell(.rhythm, 3, at: 0) == 0xaed75b)
        #expect(frame.cell(.rhythm, 3, at: 1) == 0xffff33)
        #expect(frame.cell(.rhythm, 3, at: 2) == 0xffff00)
        #expect(frame.cell(.rhythm, 3, at: 3) == 0xffc800)
        #expect(frame.cell(.rhythm, 3, at: 4) == 0x9acd32)
        #expect(frame.cell(.bass, 6, at: 0) == 0x00ff00)
    }

    @Test(arguments: [false, true])
    func `a silent track's notes are at 40 % over the cell`(bySolo: Bool) throws {
        var scene = try scene("melody 0 .o......X\nmelody 7 .o-\nbass 0 .o")
        scene.document.set(.mute, on: .melody, to: .toggle(!bySolo))
        if bySolo { scene.document.set(.solo, on: .bass, to: true) }
        let frame = drawn(scene)
        #expect(frame.cell(.melody, 0, at: 1) == 0x6c0606)
        #expect(frame.cell(.melody, 0, at: 8) == 0x701f1f)
        #expect(frame.cell(.melody, 7, at: 2) == 0x07583d)
        #expect(frame.cell(.bass, 0, at: 1) == 0xff0000)
    }

    @Test func `beyond the length only background is shown`() throws {
        var scene = try scene("melody 0 ........ oo\nrhythm 0 ........ X-", ghosts: true)
        scene.document.set(.length, to: 8)
        let frame = drawn(scene)
        for row in 2...23 {
            #expect(frame.row(row, 12...39).allSatisfy { $0 == 0x0a0a0a }, "row \(row)")
        }
    }
}
