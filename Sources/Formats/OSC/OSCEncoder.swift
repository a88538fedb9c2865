extension OSCPacket {
    /// The packet as it is sent.
    public var bytes: [UInt8] {
        switch self {
        case .message(let message): message.bytes
        case .bundle(let time, let elements):
            elements.reduce(into: [UInt8]("#bundle\0".utf8) + time.bits.bigEndianBytes) { bytes, element in
                let content = element.bytes
                bytes += UInt32(content.count).bigEndianBytes + content
            }
        }
    }
}

extension OSCMessage {
    /// The message as it is sent.
    public var bytes: [UInt8] {
        var bytes = address.paddedBytes
        bytes += ("," + String(arguments.map(\.type))).paddedBytes
        for argument in arguments { bytes += argument.bytes }
        return bytes
    }
}

extension OSCArgument {
    fileprivate var bytes: [UInt8] {
        switch self {
        case .integer(let value): value.bigEndianBytes
        case .float(let value): value.bitPattern.bigEndianBytes
        case .string(let text): text.paddedBytes
        case .long(let value): value.bigEndianBytes
        case .double(let value): value.bitPattern.bigEndianBytes
        case .boolean: []
        }
    }
}

extension String {
    /// The bytes up to the first zero, padded with one to four zeros.
    fileprivate var paddedBytes: [UInt8] {
        let bytes = Array(utf8.prefix { $0 != 0 })
        return bytes + [UInt8](repeating: 0, count: 4 - bytes.count % 4)
    }
}

extension FixedWidthInteger {
    fileprivate var bigEndianBytes: [UInt8] { withUnsafeBytes(of: bigEndian) { Array($0) } }
}
