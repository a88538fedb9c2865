import Grid
import Music
import Rendering
import Testing

@Suite struct TrackColumnsTests {
    private static let shades: [Track: [UInt32]] = [
        .melody: [0xc4af59, 0xb4a153, 0xa5934c, 0x958645, 0x86783f, 0x766a38],
        .chords: [0x3fa39c, 0x3b9690, 0x368984, 0x327d77, 0x2e706b, 0x29635f],
        .bass: [0x3892a6, 0x328193, 0x2d707f, 0x275f6c],
        .rhythm: [0xca5656, 0xb24d4d, 0x9a4343, 0x823a3a],
    ]
    private static let silent: [Track: UInt32] = [
        .melody: 0x39341e, .chords: 0x18312f, .bass: 0x162d32, .rhythm: 0x3b1d1d,
    ]
    private static let colors: [Track: UInt32] = [
        .melody: 0xf7dc6f, .chords: 0x4ecdc4, .bass: 0x45b7d1, .rhythm: 0xff6b6b,
    ]

    @Test(arguments: Track.allCases)
    func `a sounding track fades from top to bottom in the mute column`(track: Track) throws {
        let frame = try drawn(scene())
        #expect(frame.column(0, Layout.rows(of: track)) == TrackColumnsTests.shades[track])
        #expect(frame.column(1, Layout.rows(of: track)).allSatisfy { $0 == 0x333333 })
    }

    @Test(arguments: Track.allCases)
    func `a muted track is at 20 %, the others as before`(track: Track) throws {
        var scene = try scene()
        scene.document.set(.mute, on: track, to: true)
        let frame = drawn(scene)
        for other in Track.allCases {
            let expected =
                other == track
                ? Layout.rows(of: track).map { _ in TrackColumnsTests.silent[track]! }
                : TrackColumnsTests.shades[other]!
            #expect(frame.column(0, Layout.rows(of: other)) == expected)
        }
    }

    @Test(arguments: [false, true])
    func `a soloed track is in full colour, muted or not, and all others are silent`(isMuted: Bool) throws {
        var scene = try scene()
        scene.document.set(.solo, on: .bass, to: true)
        scene.document.set(.mute, on: .bass, to: .toggle(isMuted))
        let frame = drawn(scene)
        for track in Track.allCases {
            let rows = Layout.rows(of: track)
            let color = track == .bass ? 0x45b7d1 : TrackColumnsTests.silent[track]!
            #expect(frame.column(0, rows) == rows.map { _ in color })
            #expect(frame.column(1, rows) == rows.map { _ in track == .bass ? 0xffffff : 0x333333 })
        }
    }

    @Test(
        arguments: [
            (Track.melody, -.infinity, 0), (.melody, -36.01, 0), (.melody, -36, 1), (.melody, -30.01, 1),
            (.melody, -30, 2), (.melody, -6.01, 5), (.melody, -6, 6), (.melody, 0, 6), (.melody, 12, 6),
            (.chords, -18, 4), (.bass, -36.01, 0), (.bass, -36, 1), (.bass, -27.01, 1), (.bass, -27, 2),
            (.bass, -18, 3), (.bass, -9.01, 3), (.bass, -9, 4), (.rhythm, -9, 4), (.rhythm, .nan, 0),
        ] as [(Track, Double, Int)])
    func `a meter's rows are lit from the bottom, 36 dB over the track's height`(track: Track, level: Double, lit: Int)
        throws
    {
        var scene = try scene()
        scene.levels[track.rawValue] = level
        let frame = drawn(scene)
        for other in Track.allCases {
            let rows = Layout.rows(of: other)
            let expected = rows.reversed().enumerated().map { line, _ in
                other == track && line < lit ? TrackColumnsTests.colors[track]! : 0x111111
            }
            #expect(frame.column(2, rows.reversed()) == expected)
        }
    }

    @Test func `column 3 is background`() throws {
        #expect(try drawn(scene()).column(3, 2...21).allSatisfy { $0 == 0x0a0a0a })
    }
}
