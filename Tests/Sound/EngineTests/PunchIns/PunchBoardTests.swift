import Instrument
import Music
import Testing

@testable import Engine

/// Which punch-ins act.
@Suite struct PunchBoardTests {
    private var board = PunchBoard()

    /// The effects that act on a track while the music plays or not.
    private mutating func acting(_ isPlaying: Bool, waits: Bool = false, on track: Track = .melody) -> [PunchEffect] {
        _ = board.follow(isPlaying: isPlaying, runs: isPlaying && !waits)
        return PunchEffect.allCases.filter { board.held($0, on: track.rawValue) != nil }
    }

    private static var all: PunchIns { holding(1) }

    private static func holding(_ number: UInt32) -> PunchIns {
        var punchIns = PunchIns()
        for effect in PunchEffect.allCases { punchIns.hold(effect, number: number) }
        return punchIns
    }

    @Test mutating func `stopped, only filter and throw act, and the others not even when the music starts`() {
        board.apply(Self.all)
        #expect(acting(false) == [.filter, .throw])
        #expect(acting(true) == [.filter, .throw])
        board.apply(Self.holding(2))
        #expect(acting(true) == PunchEffect.allCases)
    }

    @Test mutating func `the end of the music ends all until another number comes`() {
        _ = acting(true)
        board.apply(Self.all)
        #expect(acting(true) == PunchEffect.allCases)
        #expect(acting(false) == [])
        // The holder moves.
        board.apply(Self.all)
        #expect(acting(false) == [] && acting(true) == [])
        var other = Self.all
        other.hold(.filter, number: 2)
        board.apply(other)
        #expect(acting(true) == [.filter])
    }

    @Test mutating func `while the music waits for its source, there is nothing to repeat or to stop`() {
        _ = acting(true)
        board.apply(Self.all)
        #expect(acting(true) == PunchEffect.allCases)
        #expect(acting(true, waits: true) == [.filter, .throw])
        #expect(acting(true) == [.filter, .throw])
    }

    @Test(arguments: [RtCommand.pause, .stop, .finish, .suspend, .silence])
    mutating func `commands end them`(command: RtCommand) { #expect(command.endsPunchIns) }

    @Test(arguments: [RtCommand.play, .locate(step: 3), .record(true), .releaseKeys])
    mutating func `commands leave them`(command: RtCommand) { #expect(!command.endsPunchIns) }

    @Test mutating func `they act on their tracks`() {
        _ = acting(true)
        var punchIns = PunchIns.holding(.stutter, on: [.rhythm])
        punchIns.hold(.filter, on: [.melody, .bass])
        board.apply(punchIns)
        #expect(acting(true, on: .rhythm) == [.stutter] && acting(true, on: .chords) == [])
        #expect(acting(true, on: .bass) == [.filter])
    }

    @Test(arguments: [(-3.0, 0.0), (7, 1), (.nan, 0), (.infinity, 1), (0.3, 0.3)])
    mutating func `amounts are within their range`(published: Double, amount: Double) {
        _ = acting(true)
        board.apply(.holding(.filter, published))
        #expect(acting(true) == [.filter] && board.held(.filter, on: 0)?.amount == amount)
    }

    @Test mutating func `one that ended does not act`() {
        _ = acting(true)
        var punchIns = Self.all
        board.apply(punchIns)
        punchIns.letGo(.brake)
        board.apply(punchIns)
        #expect(acting(true) == [.stutter, .filter, .throw])
    }
}
