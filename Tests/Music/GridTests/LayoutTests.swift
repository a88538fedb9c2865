import Grid
import Music
import Testing

@Suite struct LayoutTests {
    @Test func `the tracks' rows are 2-7, 8-13, 14-17 and 18-21; no other row belongs to a track`() {
        let tracks = (0..<24).map { Layout.track(atRow: $0) }
        let zones: [(Track?, rows: Int)] = [(nil, 2), (.melody, 6), (.chords, 6), (.bass, 4), (.rhythm, 4), (nil, 2)]
        #expect(tracks == zones.flatMap { zone, rows in Array(repeating: zone, count: rows) })
    }

    @Test func `step s is in column 4 + s + s/8`() {
        let columns = (0..<32).map { Layout.column(ofStep: $0) }
        #expect(columns == Array(4...11) + Array(13...20) + Array(22...29) + Array(31...38))
    }

    @Test func `a separator belongs to the step on its left; columns 0-3 and 39-43 to none`() {
        for step in 0..<32 { #expect(Layout.step(atColumn: Layout.column(ofStep: step)) == step) }
        #expect([12, 21, 30].map { Layout.step(atColumn: $0) } == [7, 15, 23])
        for column in Array(-1...3) + Array(39...44) { #expect(Layout.step(atColumn: column) == nil) }
        #expect((0..<44).filter { Layout.isSeparator(column: $0) } == [12, 21, 30])
    }

    @Test func `the overview's zones are the bars, each with the column on its right`() {
        let zones = (-1...44).map { Layout.zone(atColumn: $0) }
        let expected = (0..<36).map { Int?.some($0 / 9) }
        #expect(zones == Array(repeating: nil, count: 5) + expected + Array(repeating: nil, count: 5))
        for zone in 0..<4 {
            let steps = Layout.columns(ofZone: zone).map { Layout.step(atColumn: $0) }
            #expect(steps == (0..<8).map { 8 * zone + $0 })
        }
    }

    @Test(arguments: Track.allCases)
    func `every note is shown in exactly one row, the lowest at the bottom`(of track: Track) {
        let fromBottom = Layout.rows(of: track).reversed().map { Array(Layout.notes(of: track, row: $0)) }
        let size = track == .melody || track == .chords ? 2 : 3
        #expect(fromBottom.allSatisfy { $0.count == size })
        #expect(fromBottom.flatMap { $0 } == Array(0..<12))
        for row in Layout.rows(of: track) {
            for note in Layout.notes(of: track, row: row) { #expect(Layout.row(of: track, note: note) == row) }
        }
    }

    @Test(arguments: [
        (Track.melody, [0, 2, 4, 7, 9, 11]), (.chords, [0, 2, 4, 7, 9, 11]), (.bass, [0, 4, 7, 9]),
        (.rhythm, [0, 3, 7, 9]),
    ])
    func `the primary notes, from the bottom`(track: Track, expected: [Int]) {
        let rows = Layout.rows(of: track)
        #expect(rows.reversed().map { Layout.primaryNote(of: track, row: $0) } == expected)
        for row in rows {
            #expect(Layout.notes(of: track, row: row).contains(Layout.primaryNote(of: track, row: row)))
        }
    }
}
