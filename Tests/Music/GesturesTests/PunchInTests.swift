import Gestures
import Grid
import Instrument
import Music
import TestSupport
import Testing

/// A finger that rests or moves on the overview holds a punch-in.
@Suite struct PunchInTests {
    private func playingRig() -> Rig {
        var rig = Rig()
        rig.isPlaying = true
        return rig
    }

    @Test(arguments: [(22, Track.allCases, 15), (23, [.rhythm], 16)])
    func `a finger that rests for 200 ms holds the effect of its zone`(row: Int, tracks: [Track], textRow: Int) throws {
        var rig = playingRig()
        rig.play("0 down 5,\(row)\n199")
        #expect(rig.actions.isEmpty)
        rig.play("1")
        let touch = try #require(rig.punchTouches.first)
        #expect(rig.punchTouches.count == 1 && rig.machine.isUnderWay(touch.id) && rig.haptics == [.medium])
        #expect(touch.effect == .stutter && touch.amount == 1.5 / 8 && touch.tracks == tracks)
        #expect(touch.tooltip == Tooltip(text: "STUT 1/8D", row: textRow))
        rig.play("9000 up")
        #expect(rig.endedPunchIns == [.stutter] && !rig.machine.isUnderWay(touch.id))
        // Its text stays for a while, unlike that of a finger that loses the effect.
        let end = Action.endPunchIn(.stutter, ClientID(1), touch.id)
        #expect(rig.actions.suffix(2) == [.endDragTooltip(touch.id), end] && rig.haptics == [.medium])
        #expect(rig.commands.isEmpty && rig.machine.nextDeadline == nil)
    }

    @Test(arguments: [
        (4, PunchEffect.stutter), (12, .stutter), (13, .filter), (21, .filter), (22, .brake), (30, .brake),
        (31, .throw), (39, .throw),
    ])
    func `a column between or beside the steps belongs to the zone on its left`(column: Int, effect: PunchEffect) {
        var rig = playingRig()
        rig.play("0 down \(column),22\n200")
        #expect(rig.punchTouches.map(\.effect) == [effect])
    }

    @Test(arguments: ["3,22", "0,23", "40,22", "43,23", "10,21"])
    func `elsewhere there is none`(place: String) {
        var rig = playingRig()
        rig.play("0 down \(place)\n1000 move 20,22\n1500 up")
        #expect(rig.punchTouches.isEmpty && rig.endedPunchIns.isEmpty)
    }

    @Test(arguments: [("14.7,22.5", 0), ("14.99,22.5", 1), ("14.5,22.98", 1), ("14.5,20", 1)])
    func `it begins at once when the finger has moved more than 10 pixels`(place: String, count: Int) {
        var rig = playingRig()
        rig.play("0 down 14.5,22.5\n20 move \(place)")
        #expect(rig.punchTouches.count == count)
        rig.play("30 up")
        #expect(rig.endedPunchIns.count == count)
    }

    @Test func `for a client that knows only cells it begins with another cell`() {
        var rig = playingRig()
        rig.surfaces[ClientID(1)] = .cell
        rig.play("0 down 14.5,22.5\n20 move 14.9,22.9")
        #expect(rig.punchTouches.isEmpty)
        rig.play("20 move 15.1,22.9")
        #expect(rig.punchTouches.map(\.amount) == [2.5 / 8])
    }

    @Test func `the amount follows the finger within the zone; zone and row stay those of the down`() {
        var rig = playingRig()
        rig.play("0 down 15,23\n200\n300 move 13,2\n300 move 19.0,23\n400 move 43,0\n500 move 0,10\n510 move 21.0,22.0")
        let amounts: [Double] = [0.3125, 0.0625, 0.75, 1, 0, 1]
        #expect(rig.punchTouches.map(\.amount) == amounts)
        for touch in rig.punchTouches {
            #expect(touch.effect == .filter && touch.tracks == [.rhythm] && touch.tooltip.row == 16)
        }
        #expect(Set(rig.punchTouches.map(\.id)).count == 1)
    }

    @Test(arguments: [
        (0, ["STUT 1/4", "STUT 1/8D", "STUT 1/8", "STUT 1/16D", "STUT 1/16", "STUT 1/16T", "STUT 1/32", "STUT 1/64"]),
        (1, ["LOW 220", "LOW 790", "LOW 2.7K", "LOW 9.6K", "HIGH 47", "HIGH 170", "HIGH 600", "HIGH 2.1K"]),
        (
            2,
            ["BRAKE 0.3", "BRAKE 0.42", "BRAKE 0.59", "BRAKE 0.84", "BRAKE 1.2", "BRAKE 1.7", "BRAKE 2.4", "BRAKE 3.4"]
        ),
        (
            3,
            [
                "REVERB 88%", "REVERB 63%", "REVERB 38%", "REVERB 13%", "DELAY 13%", "DELAY 38%", "DELAY 63%",
                "DELAY 88%",
            ]
        ),
    ])
    func `the text names the amount in the middle of each cell`(zone: Int, texts: [String]) {
        var rig = playingRig()
        for column in 0..<8 { rig.play("0 down \(4 + 9 * zone + column),22\n200\n210 up") }
        #expect(rig.punchTouches.map(\.tooltip.text) == texts)
    }

    @Test(arguments: [
        (0, "STUT 1/4", "STUT 1/64"), (1, "LOW 120", "HIGH 4K"), (2, "BRAKE 0.25", "BRAKE 4"),
        (3, "REVERB 100%", "DELAY 100%"),
    ])
    func `the ends of a zone have the ends of the range`(zone: Int, left: String, right: String) {
        var rig = playingRig()
        let first = 4 + 9 * zone
        rig.play("0 down \(first + 4),22\n10 move \(first).0,22.0\n10 move \(first + 8).0,22.0")
        #expect(rig.punchTouches.map(\.tooltip.text) == [left, right])
    }

    @Test(arguments: PunchEffect.allCases)
    func `every text fits onto the grid in its font`(effect: PunchEffect) {
        var rig = playingRig()
        rig.play("0 down \(4 + 9 * effect.rawValue),22\n200")
        for place in 0...4000 {
            let x = Double(4 + 9 * effect.rawValue) + Double(place) / 500
            rig.send(Touch(id: Int(UInt8(ascii: "a")), phase: .move, x: x, y: 22))
        }
        #expect(rig.punchTouches.count > 4000)
        for text in rig.texts {
            #expect(text.count <= 11 && text.allSatisfy { PixelFont.glyph(of: $0) != nil }, "\(text)")
        }
    }

    @Test(arguments: ["cancel", "down 30,5"])
    func `a dropped finger lets go at once`(end: String) {
        var rig = playingRig()
        rig.play("0 down 32,22\n300\n310 \(end)")
        #expect(rig.endedPunchIns == [.throw])
        #expect(!rig.machine.isUnderWay(rig.punchTouches[0].id))
    }

    @Test func `the holds of a lost client are gone without a word`() {
        var rig = playingRig()
        rig.play("0 2a down 32,22\n300")
        rig.machine.disconnect(ClientID(2))
        #expect(!rig.machine.isUnderWay(rig.punchTouches[0].id))
        rig.play("0 2a move 36,22\n10 2a up")
        #expect(rig.punchTouches.count == 1 && rig.endedPunchIns.isEmpty)
    }

    @Test func `a hold is no tap, and quick double taps play and stop as before`() {
        var rig = Rig()
        rig.play("0 down 14,22\n60 up\n100 down 14,22\n350 up")
        #expect(rig.punchTouches.count == 1 && rig.commands.isEmpty)
        rig.play("1000 down 14,22\n1060 up\n1100 down 14,23\n1160 up\n1200")
        #expect(rig.commands == [.transport(.play)] && rig.punchTouches.count == 1)
    }

    @Test(arguments: [(5, 0), (14, 1), (23, 0), (32, 1)])
    func `while nothing plays only FILTER and THROW act`(column: Int, count: Int) {
        var rig = Rig()
        rig.play("0 down \(column),22\n300")
        #expect(rig.punchTouches.count == count && rig.haptics.count == count)
        // Not even when music starts under the finger.
        rig.isPlaying = true
        rig.play("100 move \(column + 1),22\n100 up")
        #expect(rig.punchTouches.count == 2 * count && rig.endedPunchIns.count == count)
    }

    @Test func `without audio there is none`() {
        var rig = playingRig()
        rig.hasAudio = false
        rig.play("0 down 14,22\n300\n310 move 16,22\n320 up")
        #expect(rig.actions.isEmpty)
    }

    @Test func `several fingers hold several effects`() {
        var rig = playingRig()
        rig.play("0 1a down 5,22\n10 1b down 14,23\n20 2a down 32,22\n300\n300 1a up\n300 2a up")
        #expect(rig.punchTouches.map(\.effect) == [.stutter, .filter, .throw])
        #expect(rig.endedPunchIns == [.stutter, .throw])
        #expect(rig.machine.isUnderWay(rig.punchTouches[1].id))
    }

    @Test func `a client with a clock holds by its own times`() {
        var rig = playingRig()
        rig.play("0 down 5,22\n150 up", late: [0, 200])
        #expect(rig.punchTouches.isEmpty)
        rig.play("0 down 5,22\n210 move 5,22", late: [0, 0])
        #expect(rig.punchTouches.count == 1)
    }
}
