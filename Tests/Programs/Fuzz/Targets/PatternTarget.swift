import Engine
import JSON
import Music
import PatternFormat

/// Pattern files: JSON of any kind, in both ways of counting columns.
struct PatternTarget: FuzzTarget {
    func run(_ input: UnsafeRawBufferPointer) {
        checkJSON(input)
        for columns in PatternFormat.Columns.allCases {
            do throws(PatternError) {
                let pattern = try PatternFormat.decode(input, columns: columns)
                let document = Document(pattern: pattern)
                Rules.check(document)
                Rules.checkMelody(document.pattern)
                Rules.checkExport(document.pattern)
                _ = Score(document)
            } catch {
                require(!error.message.isEmpty, "a refusal without a reason")
            }
        }
    }

    /// A value that was parsed is the same after writing and parsing it again, in either format.
    private func checkJSON(_ input: UnsafeRawBufferPointer) {
        guard let value = try? JSONValue(parsing: input) else { return }
        require((try? JSONValue(parsing: value.bytes)) == value, "JSON changed when written")
        require((try? JSONValue(parsing: value.prettyBytes)) == value, "JSON changed when written prettily")
    }
}
