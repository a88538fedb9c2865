import Grid
import Music
import TestSupport
import Testing

/// The page reads the grid's places from a file generated here.
struct PagePlacesTests {
    private static var file: RepositoryFile { RepositoryFile("Sources/Clients/WebPage/Page/places.js") }

    @Test func `the page's places match the grid's`() throws {
        let text = Self.text
        if RepositoryFile.isUpdating { try Self.file.write(Array(text.utf8)) }
        #expect(String(decoding: try Self.file.content, as: UTF8.self) == text, "scripts/reference rewrites it")
    }

    private static var text: String {
        """
        // Where things are on the grid, made from Sources/Music/Grid by scripts/reference.

        export const GRID = { cols: \(Frame.columns), rows: \(Frame.rows) };

        export const TRACKS = [
        \(Track.allCases.map(track).joined(separator: "\n"))
        ];

        /** The first and the last column of each control in row 0. */
        export const CONTROLS = {
        \(controls.map { "  \($0): [\($1.lowerBound), \($1.upperBound)]," }.joined(separator: "\n"))
        };

        export const METER = \(Layout.meterColumn);
        export const LENS = \(Layout.lensColumn);
        export const STEPS = { first: \(Layout.firstStepColumn), last: \(Layout.column(ofStep: 31)), \
        perBar: \(Layout.stepsPerBar) };
        export const PADS = { first: \(Layout.padColumns.lowerBound), last: \(Layout.padColumns.upperBound) };
        export const OVERVIEW = { top: \(Layout.overviewRows.lowerBound), bottom: \(Layout.overviewRows.upperBound) };

        /** Beats a minute. */
        export const TEMPO = { least: \(tempo.lowerBound), most: \(tempo.upperBound) };

        """
    }

    private static var tempo: ClosedRange<Int> {
        guard case .number(let range, _, _, _) = Parameter.tempo.row.kind() else { fatalError("the tempo is a number") }
        return Int(range.lowerBound)...Int(range.upperBound)
    }

    private static func track(_ track: Track) -> String {
        let rows = Layout.rows(of: track)
        return "  { name: \"\(track)\", top: \(rows.lowerBound), height: \(rows.count) },"
    }

    private static var controls: [(String, ClosedRange<Int>)] {
        func columns(_ cells: [ControlCell]) -> ClosedRange<Int> {
            cells[0].columns.lowerBound...cells[cells.count - 1].columns.upperBound
        }
        return ControlCell.allCases.compactMap { cell -> (String, ClosedRange<Int>)? in
            switch cell {
            case .scale(let scale): ("\(scale)", cell.columns)
            case .root(let root):
                root.number == 0 ? ("root", columns(PitchClass.allCases.map { ControlCell.root($0) })) : nil
            default: ("\(cell)", cell.columns)
            }
        }
    }
}
