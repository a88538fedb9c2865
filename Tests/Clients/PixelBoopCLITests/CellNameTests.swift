import Foundation
import Grid
import JSON
import Music
import Testing

@testable import pixelboop

struct CellNameTests {
    /// A cell of the list that the page's tests use, too.
    struct Cell: Sendable, CustomTestStringConvertible {
        let column: Int
        let row: Int
        let label: String
        let name: String
        let lens: Lens?

        var testDescription: String { "\(column), \(row) \(label)" }

        static let all: [Cell] = {
            let file = URL(filePath: #filePath).deletingLastPathComponent()
                .appending(path: "../WebPageTests/cell-names.json")
            guard let text = try? String(contentsOf: file, encoding: .utf8), let list = try? JSONValue(parsing: text)
            else { return [] }
            return (list.arrayValue ?? []).compactMap { cell in
                guard let cell = cell.arrayValue, cell.count >= 4, let column = cell[0].intValue,
                    let row = cell[1].intValue, let label = cell[2].stringValue, let name = cell[3].stringValue
                else { return nil }
                let lens = cell.count > 4 ? cell[4].stringValue.flatMap(Lens.init(name:)) : nil
                return Cell(column: column, row: row, label: label, name: name, lens: lens)
            }
        }()
    }

    @Test func `there are cells to be named`() { #expect(Cell.all.count > 50) }

    @Test(arguments: Cell.all)
    func `a cell has the same name as on the page`(cell: Cell) {
        var lenses = OpenLenses()
        for track in Track.allCases { lenses[track] = cell.lens }
        #expect(Layout.name(ofColumn: cell.column, row: cell.row, label: cell.label, lenses: lenses) == cell.name)
    }
}
