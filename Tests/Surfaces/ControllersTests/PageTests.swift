import Grid
import Instrument
import Music
import Testing

@testable import Controllers

struct PageTests {
    private func page(_ field: PadField = .eight, tracks: Int = 0, steps: Int = 0) -> Page {
        var page = Page(field)
        for _ in 0..<tracks { page.turn(tracks: 1) }
        for _ in 0..<steps { page.turn(steps: 1) }
        return page
    }

    private func cells(_ page: Page, row: Int) -> [String] {
        (0..<page.field.columns).map { column in
            page.cell(of: PadPosition(column: column, row: row)).map { "\($0.column),\($0.row)" } ?? "-"
        }
    }

    @Test func `the first page is melody's steps 0 to 7, its slots, and the scenes`() {
        let page = page()
        #expect(cells(page, row: 0) == ["4,2", "5,2", "6,2", "7,2", "8,2", "9,2", "10,2", "11,2"])
        #expect(cells(page, row: 5) == ["4,7", "5,7", "6,7", "7,7", "8,7", "9,7", "10,7", "11,7"])
        #expect(cells(page, row: 6) == ["40,2", "41,2", "42,2", "43,2", "40,5", "41,5", "42,5", "43,5"])
        #expect(cells(page, row: 7) == ["40,22", "41,22", "42,22", "43,22", "40,23", "41,23", "42,23", "43,23"])
    }

    @Test func `a track of four rows leaves two rows dark`() {
        let page = page(tracks: 3, steps: 2)
        #expect(cells(page, row: 0)[0] == "22,18")
        #expect(cells(page, row: 3)[7] == "29,21")
        #expect(cells(page, row: 4) + cells(page, row: 5) == Array(repeating: "-", count: 16))
        #expect(cells(page, row: 6) == ["40,18", "41,18", "42,18", "43,18", "40,20", "41,20", "42,20", "43,20"])
    }

    @Test func `a large field has sixteen steps, skipping the bar's separator, and two tracks`() {
        let wide = page(PadField(columns: 16, rows: 8), steps: 1)
        #expect(cells(wide, row: 0)[0] == "13,2")
        #expect(cells(wide, row: 0)[8] == "22,2")
        #expect(cells(wide, row: 7)[8...] == ["-", "-", "-", "-", "-", "-", "-", "-"])
        let large = page(PadField(columns: 16, rows: 16), tracks: 1)
        #expect(cells(large, row: 0)[0] == "4,8")
        #expect(cells(large, row: 7) == Array(repeating: "-", count: 16))
        #expect(cells(large, row: 8)[0] == "4,14")
        #expect(cells(large, row: 14)[4] == "40,16")
        #expect(cells(large, row: 15)[0] == "40,22")
    }

    @Test func `below the tracks are the zones of the overview, on all tracks and on rhythm alone`() {
        for (tracks, row) in [(4, 22), (5, 23)] {
            let page = page(tracks: tracks)
            for zone in 0..<4 {
                let first = 4 + 9 * zone
                #expect(cells(page, row: zone) == (first..<first + 8).map { "\($0),\(row)" })
            }
            for row in 4...6 { #expect(cells(page, row: row) == Array(repeating: "-", count: 8)) }
            #expect(cells(page, row: 7)[0] == "40,22")
            #expect(page.track == .rhythm)
        }
        let wide = page(PadField(columns: 16, rows: 8), tracks: 4)
        #expect(cells(wide, row: 0)[0] == "4,22" && cells(wide, row: 0)[15] == "20,22")
        #expect(cells(wide, row: 1)[8] == "31,22" && cells(wide, row: 2)[0] == "-")
        let large = page(PadField(columns: 16, rows: 16), tracks: 4)
        #expect(cells(large, row: 0)[0] == "4,22" && cells(large, row: 8)[0] == "4,23")
    }

    @Test func `pages end where steps and tracks do`() {
        #expect(page(steps: 9).firstStep == 24)
        #expect(page(PadField(columns: 16, rows: 8), steps: 9).firstStep == 16)
        #expect(cells(page(tracks: 9), row: 0)[0] == "4,23")
        #expect(cells(page(PadField(columns: 16, rows: 16), tracks: 9), row: 8)[0] == "4,23")
        #expect(!page().canTurn(steps: -1) && !page().canTurn(tracks: -1))
    }

    @Test func `every pad of every page has its own cell, or is dark`() {
        for field in [PadField.eight, PadField(columns: 16, rows: 8), PadField(columns: 16, rows: 16)] {
            for (tracks, steps) in (0..<6).flatMap({ tracks in (0..<4).map { (tracks, $0) } }) {
                let page = page(field, tracks: tracks, steps: steps)
                let cells = (0..<field.columns * field.rows).compactMap {
                    page.cell(of: PadPosition(column: $0 % field.columns, row: $0 / field.columns))
                }
                #expect(!cells.isEmpty && Set(cells).count == cells.count)
                #expect(cells.allSatisfy { Frame.contains(column: $0.column, row: $0.row) })
                #expect(cells.allSatisfy { !Layout.isSeparator(column: $0.column) })
            }
        }
    }

    @Test func `a page follows the playing step`() {
        var page = page()
        let places = [0, 7, 8, 20, 31, 32, -1, 3].map { step in
            page.follow(StepEvent(step: step, frame: 0, usecs: 0))
            return page.firstStep
        }
        #expect(places == [0, 0, 8, 16, 24, 24, 24, 0])
    }

    @Test(arguments: [(PadField.eight, 2, 0), (.eight, 3, 24), (PadField(columns: 16, rows: 16), 2, 0)])
    func `a page follows its own track, where that is on another step`(field: PadField, tracks: Int, place: Int) {
        var page = page(field, tracks: tracks)
        page.follow(StepEvent(step: 29, tracks: [.bass: 5], frame: 0, usecs: 0))
        #expect(page.firstStep == place)
    }
}
