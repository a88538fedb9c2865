import Gestures
import Grid
import Music
import TestSupport
import Testing

/// Opening and closing lenses, and what fingers do on open ones.
@Suite struct LensTests {
    // MARK: The meter

    @Test func `a meter held for 600 ms opens its track's last lens, or closes it`() {
        var rig = Rig()
        rig.play("0 down 2,14\n599")
        #expect(rig.actions.isEmpty)
        rig.play("1")
        #expect(rig.lenses[.bass] == .level && rig.haptics == [.medium])
        #expect(rig.tooltips == [Tooltip(text: "LEVEL", row: 2)])
        rig.play("100 up")
        rig.lenses[.bass] = .cycle
        rig.play("0 down 2,17\n700 up\n1000 down 2,16\n1700 up")
        #expect(rig.texts == ["LEVEL", "NOTES", "CYCLE"] && rig.lenses[.bass] == .cycle)
        #expect(Track.allCases.allSatisfy { $0 == .bass || rig.lenses[$0] == nil })
        #expect(rig.document == Document())
    }

    @Test func `while a lens is open taps cycle through the ring, forwards from the upper half`() {
        var rig = Rig()
        rig.lenses[.melody] = .level
        for _ in 0..<7 { rig.play("0 down 2,3\n50 up") }
        #expect(rig.texts == ["CHANCE", "CYCLE", "RATCHET", "NUDGE", "LENGTH", "SPEED", "LEVEL"])
        rig.play("0 down 2,7\n50 up")
        #expect(rig.lenses[.melody] == .speed && rig.haptics == Array(repeating: .light, count: 8))
        #expect(rig.document == Document())
    }

    @Test(arguments: ["0 down 2,4\n50 move 5,4\n100 up", "0 down 2,4\n50 move 5,4\n900 up"])
    func `a finger that leaves the meter does nothing`(touch: String) {
        var rig = Rig()
        rig.play(touch)
        #expect(rig.actions.isEmpty)
    }

    @Test func `column 3 names the open lens, and is inert without one`() {
        var rig = Rig()
        rig.play("0 down 3,10\n50 up")
        #expect(rig.actions.isEmpty)
        rig.lenses[.chords] = .ratchet
        rig.play("0 down 3,10\n50 up")
        #expect(rig.tooltips == [Tooltip(text: "RATCHET", row: 3)])
    }

    // MARK: Texts

    @Test(arguments: [
        (Lens.level, ["0 DB", "-3 DB", "-6 DB", "-9 DB", "-12 DB", "-18 DB"]),
        (.chance, ["100%", "90%", "75%", "50%", "25%", "10%"]),
        (
            .cycle,
            [
                "ALWAYS", "1:2", "2:2", "1:3", "2:3", "3:3", "1:4", "2:4", "3:4", "4:4", "FIRST", "NOT FIRST", "FILL",
                "NOT FILL",
            ]
        ), (.ratchet, ["X1", "X2", "X3", "X4", "X6", "X8"]),
        (.nudge, ["0%", "+12%", "+25%", "+37%", "+50%", "-12%", "-25%", "-37%"]),
    ])
    func `taps cycle through the table, each one undo step`(lens: Lens, texts: [String]) {
        var rig = Rig("C", .major, [.melody: "E4 ..X"])
        rig.lenses[.melody] = lens
        let before = rig.document
        for _ in texts { rig.play("0 down s2,5\n50 up") }
        #expect(rig.texts == texts + [texts[0]])
        #expect(rig.haptics == texts.map { _ in .light } && rig.auditions.isEmpty)
        #expect(rig.history.undoCount == texts.count && rig.cells == before.pattern.cells)
        #expect(rig.outcomes == texts.map { _ in TouchOutcome(gesture: lens.name, notes: 1) })
    }

    // MARK: Gestures

    @Test func `a hold restores the default, with a heavy haptic`() {
        var rig = Rig("C", .major, [.bass: "C2 o"])
        rig.lenses[.bass] = .chance
        rig.change { $0.apply(.edit([Slot(.bass, 0): $0.pattern[.bass].set(.chance, of: 0, at: 0, to: 25)])) }
        rig.play("0 down s0,17\n399")
        #expect(rig.texts == ["25%"])
        rig.play("1")
        #expect(rig.texts == ["25%", "100%"] && rig.haptics == [.heavy])
        rig.play("50 up")
        #expect(rig.document.pattern[.bass][0][whole: 0] == Note(.normal) && rig.haptics == [.heavy])
    }

    @Test func `a vertical drag moves one value per row, also beyond the track, and stops at the ends`() {
        var rig = Rig("C", .major, [.bass: "C2 ...o"])
        rig.lenses[.bass] = .level
        rig.play("0 down s3,17\n50 move s3,18")
        #expect(rig.texts == ["0 DB", "-3 DB"])
        rig.play("100 move s3,23\n150 move s3,21\n200 up")
        #expect(rig.texts == ["0 DB", "-3 DB", "-18 DB", "-12 DB"])
        #expect(rig.document.pattern[.bass][3][whole: 0][.level] == -12 && rig.haptics == [.medium])
        rig.play("1000 down s3,17\n1050 move s3,2\n1100 up")
        #expect(rig.document.pattern[.bass][3][whole: 0][.level] == 0)
    }

    @Test func `a horizontal drag paints the start cell's value over the heads that it crosses`() {
        var rig = Rig("C", .major, [.chords: "G3 o.o.o\nC3 o~o.oo"])
        rig.lenses[.chords] = .ratchet
        rig.change { $0.apply(.edit([Slot(.chords, 0): $0.pattern[.chords].set(.ratchet, of: 0, at: 0, to: 3)])) }
        let before = rig.history.undoCount
        rig.play("0 down s0,13\n50 move s4,13")
        let previewed = rig.machine.previews.joined().map { [$0.step, $0.note] }
        #expect(previewed == [[0, 7], [2, 0], [2, 7], [4, 0], [4, 7]])
        rig.play("50 up")
        let pattern = rig.document.pattern[.chords]
        for (step, note) in [(0, 0), (0, 7), (2, 0), (2, 7), (4, 0), (4, 7)] {
            #expect(pattern[step][whole: note][.ratchet] == 3)
        }
        #expect(pattern[5][whole: 0][.ratchet] == 1 && rig.history.undoCount == before + 1)
        #expect(rig.texts == ["X3"])
    }

    @Test(arguments: ["0 down s1,5\n50 up", "0 down s4,5\n50 move s9,5\n100 up", "0 down s0,5\n900 up"])
    func `a touch where no note starts shows the lens's name`(touch: String) {
        var rig = Rig("C", .major, [.melody: "G4 o\nE4 .~\nC4 .o"])
        rig.lenses[.melody] = .nudge
        let before = rig.document
        rig.play(touch)
        #expect(rig.texts == ["NUDGE"] && rig.document == before && rig.haptics.isEmpty)
    }

    @Test func `there are no other gestures: no erasing, no scrub, no swipe`() {
        var rig = Rig("C", .major, [.melody: "E4 o.......o"])
        rig.lenses[.melody] = .chance
        rig.play("0 down s0,5\n50 up\n100 down s0,5\n150 up")
        rig.play("1000 down s0,5\n1050 move s9,5\n1100 up\n1150 down s0,5\n1200 move s9,5\n1250 up")
        rig.play("2000 down s0,5")
        for step in [9, 0, 9, 0, 9, 0] { rig.play("100 move s\(step),5") }
        rig.play("100 up")
        expect(.melody, "E4 o.......o", in: rig)
        #expect(Set(rig.texts) == ["100%", "90%", "75%"] && rig.machine.scrubChanges == nil)
    }

    @Test func `a touch keeps its meaning when lenses change, but loses its preview`() {
        var rig = Rig("C", .major, [.melody: "E4 o"])
        rig.lenses[.melody] = .chance
        rig.play("0 down s0,5")
        #expect(rig.machine.previews.count == 1)
        rig.lenses[.melody] = .cycle
        rig.change { _ in }
        #expect(rig.machine.previews.isEmpty)
        rig.play("50 up")
        #expect(rig.document.pattern[.melody][0][whole: 4] == Note(.normal, [.chance: 90]))

        rig.lenses[.melody] = nil
        rig.play("0 down s4,5")
        rig.lenses[.melody] = .cycle
        rig.change { _ in }
        #expect(rig.machine.previews.isEmpty)
        rig.play("50 up")
        expect(.melody, "E4 o...o", in: rig)
    }

    @Test func `a client with a clock holds by its own times, however late they arrive`() {
        var rig = Rig("C", .major, [.melody: "E4 o"])
        rig.lenses[.melody] = .chance
        rig.play("0 down s0,5\n100 up", late: [0, 450])
        #expect(rig.document.pattern[.melody][0][whole: 4][.chance] == 90 && rig.haptics == [.light])
        rig.play("0 down s0,5\n450 up", late: [0, 0])
        #expect(rig.document.pattern[.melody][0][whole: 4][.chance] == 100 && rig.haptics == [.light, .heavy])
    }

    // MARK: Time

    @Test
    func `with LENGTH a tap or drag sets the last step, and a tap on the last step follows the whole`() {
        var rig = Rig(length: 16, [.bass: "C2 o"])
        rig.lenses[.bass] = .length
        rig.play("0 down s11,15\n50 up")
        #expect(rig.document.pattern[.bass].length == 12 && rig.haptics == [.light])
        rig.play("100 down s4,15\n150 move s20,12\n200 move s29,15\n250 up")
        #expect(rig.document.pattern[.bass].length == 30 && rig.haptics == [.light, .medium])
        rig.play("300 down s29,15\n350 up")
        #expect(rig.document.pattern[.bass].length == nil && rig.document.pattern.length == 16)
        #expect(rig.texts == ["12 STEPS", "21 STEPS", "30 STEPS", "FOLLOWS"] && rig.history.undoCount == 3)
        expect(.bass, "C2 o", in: rig)
    }

    @Test func `a tap that rolls into the next cell acts on the cell where it began`() {
        var rig = Rig(length: 16)
        var slot = rig.document.pattern[.bass]
        slot.length = 12
        rig.change { $0.apply(.edit([Slot(.bass, 0): slot])) }
        rig.lenses[.bass] = .length
        rig.play("0 down 16.9,15.5\n50 move 17.1,15.5\n100 up")
        #expect(rig.texts == ["FOLLOWS"] && rig.document.pattern[.bass].length == nil)
        rig.lenses[.bass] = .tone
        rig.play("1000 down s4,14.9\n1050 move s4,15.1\n1100 up")
        #expect(rig.texts.last == "TONE 17.6")
        #expect(abs((rig.document.pattern[.bass].motions[.tone, 4] ?? 0) - 17.6) < 1e-9)
    }

    @Test func `with LENGTH the preview shows the visible steps that would change`() {
        func steps(_ rig: Rig) -> [Int] { Set(rig.machine.previews.joined().map(\.step)).sorted() }
        var rig = Rig(length: 16)
        rig.lenses[.bass] = .length
        rig.play("0 down s13,15")
        #expect(rig.machine.previews.joined().filter { $0.step == 13 }.map(\.note).sorted() == [0, 3, 6, 9])
        #expect(steps(rig) == [13, 14, 15])
        rig.play("50 move s11,12")
        #expect(steps(rig) == [11, 12, 13, 14, 15])
        // Hidden steps show nothing.
        rig.play("50 move s20,15")
        #expect(steps(rig) == [15])
        rig.play("50 move s15,15")
        #expect(steps(rig) == [])
        rig.play("50 move s9,15")
        rig.lenses[.bass] = nil
        rig.change { _ in }
        #expect(steps(rig) == [])
    }

    @Test func `with SPEED the preview shows the row that a tap would choose`() {
        var rig = Rig(length: 16)
        rig.lenses[.bass] = .speed
        rig.play("0 down s3,14")
        #expect(rig.machine.previews.joined().map { [$0.step, $0.note] } == (0..<16).map { [$0, 9] })
        // A drag chooses none.
        rig.play("50 move s5,14")
        #expect(rig.machine.previews.isEmpty)
        rig.play("50 up\n100 down s3,15")
        #expect(rig.machine.previews.isEmpty)
    }

    @Test(arguments: [
        (Track.melody, 2, ["2", "3/2", "1", "2/3", "1/2", "1/4"]), (.rhythm, 18, ["2", "1", "1/2", "1/4"]),
    ])
    func `with SPEED a tap chooses its row's speed`(track: Track, top: Int, speeds: [String]) {
        var rig = Rig(length: 16)
        rig.lenses[track] = .speed
        for (line, speed) in speeds.enumerated() {
            rig.play("0 down s3,\(top + line)\n50 up")
            #expect(rig.document.pattern[track].speed.name == speed)
        }
        #expect(rig.texts == speeds.map { "X \($0)" })
        rig.play("0 down s20,\(top)\n50 up")
        #expect(rig.document.pattern[track].speed == .quarter && rig.texts.count == speeds.count)
    }

    @Test func `touches follow the slot's own length`() {
        var rig = Rig(length: 16, [.bass: "C2 o"])
        var slot = rig.document.pattern[.bass]
        slot.length = 24
        rig.change { $0.apply(.edit([Slot(.bass, 0): slot])) }
        rig.play("0 down s20,17\n50 up")
        expect(.bass, "G2 ....................o\nC2 o...................o", in: rig)
        slot.length = 4
        rig.change { $0.apply(.edit([Slot(.bass, 0): slot])) }
        let before = rig.document
        rig.play("0 down s5,17\n50 up")
        #expect(rig.document == before)
    }

    // MARK: Motions

    @Test func `the ring includes the slot's motions`() {
        var rig = Rig()
        rig.lenses[.bass] = .speed
        var slot = rig.document.pattern[.bass]
        slot.motions[.tone, 3] = 12
        rig.change { $0.apply(.edit([Slot(.bass, 0): slot])) }
        for _ in 0..<2 { rig.play("0 down 2,15\n50 up") }
        rig.lenses[.bass] = .delay
        for _ in 0..<2 { rig.play("0 down 2,17\n50 up") }
        #expect(rig.texts == ["TONE", "LEVEL", "TONE", "SPEED"])
    }

    @Test(
        arguments: [
            (.width, "WIDTH 0.3", "WIDTH"), (.filter, "FILTER -0.3", "FILTER"), (.drive, "DRIVE 0.3", "DRIVE"),
            (.lfoDepth, "LFO 0.3", "LFO DEPTH"),
        ] as [(Lens, String, String)])
    func `the strip's motions have names, and values without a unit`(lens: Lens, value: String, name: String) {
        var rig = Rig()
        rig.lenses[.bass] = lens
        rig.play("0 down s4,16\n50 up\n100 down 3,16\n150 up")
        #expect(rig.texts == [value, name])
    }

    @Test func `a tap sets the step's point, or removes the point that it hits`() {
        var rig = Rig()
        rig.lenses[.bass] = .tone
        rig.play("0 down s4,14\n50 up\n100 down s8,17\n150 up\n200 down s8,16\n250 up")
        #expect(rig.document.pattern[.bass].motions[.tone] == [.init(step: 4, value: 24), .init(step: 8, value: -8)])
        rig.play("300 down s4,14\n350 up")
        #expect(rig.document.pattern[.bass].motions[.tone] == [.init(step: 8, value: -8)])
        #expect(rig.texts == ["TONE 24", "TONE -24", "TONE -8", "TONE"] && rig.history.undoCount == 4)
        #expect(rig.haptics == Array(repeating: .light, count: 4))
    }

    @Test func `a tap between the middles of two rows sets a value between theirs, beyond them the nearest`() {
        var rig = Rig()
        rig.lenses[.bass] = .tone
        // The rows' middles are at 14.5, 15.5, 16.5 and 17.5.
        rig.play("0 down 4.5,16.0\n50 up\n100 down 5.5,14.1\n150 up\n200 down 6.5,17.9\n250 up")
        #expect(rig.document.pattern[.bass].motions[.tone].map(\.value) == [0, 24, -24])
        #expect(rig.texts == ["TONE 0", "TONE 24", "TONE -24"])
    }

    @Test func `a sweep over four rows has the finger's exact values, and no more points than it needs`() {
        var rig = Rig()
        rig.lenses[.bass] = .tone
        rig.play("0 down s0,17\n20 move s4,16\n40 move s9,15\n60 move s15,14\n80 up")
        let drawn = rig.document.pattern[.bass].motions
        #expect(drawn[.tone].count < 6 && drawn[.tone].first?.step == 0 && drawn[.tone].last?.step == 15)
        #expect(drawn[.tone, 0] == -24 && drawn[.tone, 15] == 24)
        // Within 2 % of the range, the middles of the rows are where the finger was.
        for (step, value) in [(4.0, -8.0), (9, 8)] {
            #expect(abs((drawn.value(.tone, at: step, length: 32) ?? 99) - value) <= 0.96)
        }
        #expect(rig.history.undoCount == 1)
    }

    @Test func `a straight sweep is two points, which replace those of the steps that it covers and no others`() {
        var rig = Rig()
        var slot = rig.document.pattern[.bass]
        for step in [1, 3, 8, 20] { slot.motions[.tone, step] = 10 }
        rig.change { $0.apply(.edit([Slot(.bass, 0): slot])) }
        rig.lenses[.bass] = .tone
        // Eight steps of one bar: no separator between them.
        rig.play("0 down 4.5,17.5\n50 move 11.5,14.5\n100 up")
        #expect(
            rig.document.pattern[.bass].motions[.tone] == [
                .init(step: 0, value: -24), .init(step: 7, value: 24), .init(step: 8, value: 10),
                .init(step: 20, value: 10),
            ])
    }

    @Test func `a surface that knows cells only draws a point on each step`() {
        var rig = Rig()
        rig.surfaces[ClientID(1)] = .cell
        rig.lenses[.bass] = .tone
        rig.play("0 down 4.1,17.9\n50 move 8.2,17.2\n100 up")
        #expect(rig.document.pattern[.bass].motions[.tone].map(\.step) == [0, 1, 2, 3, 4])
        #expect(rig.document.pattern[.bass].motions[.tone].allSatisfy { $0.value == -24 })
    }

    /// By the rule: the first and the last step, then the one furthest off, as long as one is off by over 2 %.
    @Test(arguments: 0..<50 as Range<UInt64>)
    func `whatever is drawn, each step is within 2 % of the range of where the finger was`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var rig = Rig()
        rig.lenses[.melody] = .pan
        // The rows' middles are 2.5 to 7.5.
        var heights: [Double] = []
        for column in 4...11 {
            heights.append(.random(in: 2...8, using: &random))
            rig.play("10 \(column == 4 ? "down" : "move") \(column).5,\(heights.last!)")
        }
        rig.play("10 up")
        let motions = rig.document.pattern[.melody].motions
        for (step, height) in heights.enumerated() {
            let wanted = min(max((7.5 - height) / 5, 0), 1) * 2 - 1
            #expect(abs((motions.value(.pan, at: Double(step), length: 32) ?? 9) - wanted) <= 0.04 + 1e-9)
        }
    }

    @Test func `a drag follows the finger over all steps that it touches, and a hold removes all points`() {
        var rig = Rig()
        rig.lenses[.melody] = .gain
        rig.play("0 down s0,7\n50 move s5,2")
        #expect(rig.machine.previews.joined().map(\.note) == [0, 2, 4, 6, 8, 10])
        rig.play("100 move s4,2\n150 up")
        let points = rig.document.pattern[.melody].motions[.gain]
        #expect(points.map(\.step) == [0, 3, 4, 5] && points.map(\.value) == [-24, -6, 6, 6])
        #expect(rig.history.undoCount == 1 && rig.haptics == [.medium])
        rig.play("200 down s9,5\n700 up")
        #expect(rig.document.pattern[.melody].motions.isEmpty && rig.texts.last == "CLEARED!")
        #expect(rig.history.undoCount == 2 && rig.haptics == [.medium, .heavy])
    }

    @Test func `a drag that begins past an edge draws points on all steps from the start on`() {
        var rig = Rig()
        rig.surfaces[ClientID(1)] = .subcell(cellPixels: 16)
        rig.lenses[.melody] = .pan
        rig.play("0 down 4.9,4.5\n20 move 5.4,4.5\n40 move 6.2,4.5\n60 move 7.5,4.5\n80 up")
        #expect(rig.document.pattern[.melody].motions[.pan].map(\.step) == [0, 3])
    }

    @Test func `a hold that becomes a drag previews its points`() {
        var rig = Rig()
        rig.lenses[.melody] = .gain
        rig.play("0 down s0,7\n450")
        #expect(rig.machine.previews.isEmpty)
        rig.play("0 move s2,7")
        #expect(rig.machine.previews.joined().map(\.step) == [0, 1, 2])
        rig.play("50 up")
        #expect(rig.document.pattern[.melody].motions[.gain].map(\.step) == [0, 2])
    }

    // MARK: Against a model

    private static let tables: [(value: NoteValue, choices: [Int])] = [
        (.level, [0, -3, -6, -9, -12, -18]), (.chance, [100, 90, 75, 50, 25, 10]),
        (.cycle, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 36, 37, 38, 39]), (.ratchet, [1, 2, 3, 4, 6, 8]),
        (.nudge, [0, 12, 25, 37, 50, -12, -25, -37]),
    ]

    /// What a straight touch that began on a head leaves, computed from the table alone.
    @Test(arguments: 0..<100 as Range<UInt64>)
    func `any straight touch sets the table's values`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let track = Track.allCases.randomElement(using: &random)!
        let (value, table) = Self.tables.randomElement(using: &random)!
        let lens = Lens(name: value.row.name)!
        var rig = Rig()
        var notes = SlotNotes()
        for step in 0..<32 {
            for note in 0..<12 where Int.random(in: 0..<4, using: &random) == 0 {
                if track == .melody { notes[step] = StepNotes() }
                notes[step][whole: note] = Note(.normal, [.nudge: 25])
                notes[step][whole: note][value] = table.randomElement(using: &random)!
            }
        }
        rig.document.apply(.edit([Slot(track, 0): notes]))
        rig.lenses[track] = lens

        let size = 12 / Layout.rows(of: track).count
        let step = (4...20).first { !notes[$0].isEmpty }!
        let start = notes[step].notes.lowest!
        let row = Layout.rows(of: track).upperBound - start / size
        let row0 = (0..<12).filter { $0 / size == start / size }
        let affected = track == .rhythm ? row0 : Array(0..<12)
        let shown = row0.map { notes[step][whole: $0] }.filter { $0.isHead }.map { $0[value] }
        let from = shown.first { $0 != table[0] } ?? table[0]

        let kind = Int.random(in: 0...3, using: &random)
        let distance = Int.random(in: 1...7, using: &random)
        let downwards = row + distance <= 23 && (row - distance < 0 || Bool.random(using: &random))
        var (to, steps) = (from, [step])
        rig.play("0 down s\(step),\(row)")
        switch kind {
        case 0: to = table[(table.firstIndex(of: from)! + 1) % table.count]
        case 1:
            rig.wait(450)
            to = table[0]
        case 2:
            let rows = downwards ? distance : -distance
            rig.play("50 move s\(step),\(row + rows)")
            let rising = table.sorted()
            to = rising[min(max(rising.firstIndex(of: from)! - rows, 0), rising.count - 1)]
        default:
            rig.play("50 move s\(step + distance),\(row)")
            steps = Array(step...step + distance)
        }
        rig.play("50 up")
        for step in steps {
            for note in affected where notes[step][note] == .normal { notes[step][whole: note][value] = to }
        }
        #expect(rig.document.pattern[track] == notes, "seed \(seed)")
        #expect(rig.history.undoCount <= 2 && rig.machine.previews.isEmpty)
    }
}

extension SlotNotes {
    fileprivate func set(_ value: NoteValue, of note: Int, at step: Int, to number: Int) -> SlotNotes {
        var notes = self
        notes[step][whole: note][value] = number
        return notes
    }
}
