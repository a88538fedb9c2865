extension JSONValue {
    /// The value for files that people read and version: indented by two spaces, ending in a newline.
    ///
    /// Arrays and objects that contain no others and fit into 100 columns stay on one line.
    public var prettyBytes: [UInt8] {
        var writer = PrettyWriter()
        writer.write(self, indentation: 0)
        writer.bytes.append(.newline)
        return writer.bytes
    }
}

private struct PrettyWriter {
    /// Arrays and objects longer than this, without indentation and name, are broken into lines.
    static let lineWidth = 100
    static let indentationWidth = 2

    var bytes: [UInt8] = []

    mutating func write(_ value: JSONValue, indentation: Int) {
        if value.isFlat {
            let start = bytes.count
            writeOnOneLine(value)
            if bytes.count - start <= PrettyWriter.lineWidth { return }
            bytes.removeSubrange(start...)
        }
        switch value {
        case .array(let elements):
            writeLines(.openBracket, .closeBracket, elements, indentation) { writer, element, indentation in
                writer.write(element, indentation: indentation)
            }
        case .object(let object):
            writeLines(.openBrace, .closeBrace, object.members, indentation) { writer, member, indentation in
                writer.writeName(member.name)
                writer.write(member.value, indentation: indentation)
            }
        default: bytes.appendJSON(value)
        }
    }

    private mutating func writeLines<Element>(
        _ open: UInt8, _ close: UInt8, _ elements: [Element], _ indentation: Int,
        writeElement: (inout PrettyWriter, Element, Int) -> Void
    ) {
        let inner = indentation + PrettyWriter.indentationWidth
        bytes.append(open)
        for (index, element) in elements.enumerated() {
            if index > 0 { bytes.append(.comma) }
            startLine(indentation: inner)
            writeElement(&self, element, inner)
        }
        startLine(indentation: indentation)
        bytes.append(close)
    }

    private mutating func startLine(indentation: Int) {
        bytes.append(.newline)
        bytes.append(contentsOf: repeatElement(.space, count: indentation))
    }

    private mutating func writeName(_ name: String) {
        bytes.appendJSON(name)
        bytes.append(contentsOf: ": ".utf8)
    }

    private mutating func writeOnOneLine(_ value: JSONValue) {
        switch value {
        case .array(let elements):
            bytes.append(.openBracket)
            for (index, element) in elements.enumerated() {
                if index > 0 { bytes.append(contentsOf: ", ".utf8) }
                writeOnOneLine(element)
            }
            bytes.append(.closeBracket)
        case .object(let object):
            bytes.append(.openBrace)
            for (index, member) in object.members.enumerated() {
                if index > 0 { bytes.append(contentsOf: ", ".utf8) }
                writeName(member.name)
                writeOnOneLine(member.value)
            }
            bytes.append(.closeBrace)
        default: bytes.appendJSON(value)
        }
    }
}

extension JSONValue {
    /// Whether it contains only scalars and empty arrays and objects.
    fileprivate var isFlat: Bool {
        switch self {
        case .array(let elements): elements.allSatisfy(\.isLeaf)
        case .object(let object): object.members.allSatisfy(\.value.isLeaf)
        default: true
        }
    }

    private var isLeaf: Bool {
        switch self {
        case .array(let elements): elements.isEmpty
        case .object(let object): object.isEmpty
        default: true
        }
    }
}
