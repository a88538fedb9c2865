import CQREncode

/// A QR code, to point a camera at.
package struct QRCode {
    /// Modules on a side, without the quiet zone.
    let size: Int

    private let isDark: [Bool]

    /// Light modules that cameras need around a code.
    private static let quietZone = 4

    /// The code of a text; nil when it is too long for one.
    package init?(_ text: String) {
        guard let code = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_M) else { return nil }
        defer { QRcode_free(code) }
        size = Int(code.pointee.width)
        // The lowest bit marks a dark module.
        isDark = UnsafeBufferPointer(start: code.pointee.data, count: size * size).map { $0 & 1 == 1 }
    }

    /// Whether a module is dark; those around the code are light.
    subscript(row: Int, column: Int) -> Bool {
        (0..<size).contains(row) && (0..<size).contains(column) && isDark[row * size + column]
    }

    /// Its rows: 1 for a dark module, 0 for a light one.
    var rows: [String] {
        (0..<size).map { row in (0..<size).map { self[row, $0] ? "1" : "0" }.joined() }
    }

    /// The code for a terminal, two rows per line, black on white whatever the terminal's own colours are.
    package var text: String {
        let range = -Self.quietZone..<size + Self.quietZone
        return stride(from: range.lowerBound, to: range.upperBound, by: 2).map { row in
            let line = range.map { column -> Character in
                switch (self[row, column], self[row + 1, column]) {
                case (true, true): "█"
                case (true, false): "▀"
                case (false, true): "▄"
                case (false, false): " "
                }
            }
            return "\u{1b}[30;107m" + String(line) + "\u{1b}[0m"
        }.joined(separator: "\n")
    }
}
