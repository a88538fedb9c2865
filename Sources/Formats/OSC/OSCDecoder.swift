/// Why bytes are not a packet.
public enum OSCError: Error, Equatable, Sendable {
    /// The packet is shorter than it declares.
    case truncated
    /// Its size is not a multiple of four.
    case unaligned
    /// It begins with neither a slash nor `#bundle`.
    case noAddress
    /// A value is not UTF-8, an address or the type tags are not ASCII, or padding is not zero.
    case badText
    /// There are arguments, but no type tags.
    case noTypes
    /// A type tag that is not supported.
    case unknownType(Character)
    /// There are bytes after the last argument.
    case trailing
    /// More than ``OSCPacket/depthLimit`` nested bundles.
    case tooDeep
}

/// An element of a bundle, or a whole message, that is framed well but cannot be read.
public struct OSCUnreadable: Equatable, Sendable {
    /// Its address, `#bundle` for a bundle, and empty if it has none.
    public var address: String
    public var error: OSCError
    /// Its bytes.
    public var size: Int

    public init(address: String, error: OSCError, size: Int) {
        self.address = address
        self.error = error
        self.size = size
    }
}

extension OSCPacket {
    /// The most nested bundles.
    public static let depthLimit = 8

    /// Reads a packet.
    ///
    /// - Throws: ``OSCError``, if any byte violates OSC 1.0.
    public init(decoding bytes: some Collection<UInt8>) throws(OSCError) {
        var decoder = OSCDecoder(Array(bytes)[...])
        self = try decoder.packet(depth: 0)
    }

    /// Reads a packet without the elements of its bundles that cannot be read. A message with an argument of unknown
    /// type, which is valid OSC, is left out in the same way: what remains is an empty bundle.
    ///
    /// - Throws: ``OSCError``, if nothing can be read.
    public init(decoding bytes: some Collection<UInt8>, skipping unreadable: inout [OSCUnreadable]) throws(OSCError) {
        var decoder = OSCDecoder(Array(bytes)[...])
        decoder.skips = true
        do throws(OSCError) {
            self = try decoder.packet(depth: 0)
        } catch {
            guard case .unknownType = error else { throw error }
            self = .bundle(.immediately, [])
            decoder.unreadable = [OSCUnreadable(address: decoder.address, error: error, size: bytes.count)]
        }
        unreadable = decoder.unreadable
    }
}

private struct OSCDecoder {
    private var rest: ArraySlice<UInt8>
    /// Whether elements that cannot be read are left out.
    var skips = false
    var unreadable: [OSCUnreadable] = []
    /// The address of the last message, or of the bundle around it, as far as it was read.
    private(set) var address = ""

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    mutating func packet(depth: Int) throws(OSCError) -> OSCPacket {
        guard rest.count % 4 == 0 else { throw .unaligned }
        switch rest.first {
        case UInt8(ascii: "/"): return .message(try message())
        case UInt8(ascii: "#"): return try bundle(depth: depth)
        default: throw .noAddress
        }
    }

    private mutating func bundle(depth: Int) throws(OSCError) -> OSCPacket {
        guard depth < OSCPacket.depthLimit else { throw .tooDeep }
        guard try word() == "#bundle" else { throw .noAddress }
        address = "#bundle"
        let time = OSCTimeTag(bits: try number())
        var elements: [OSCPacket] = []
        while !rest.isEmpty {
            let size = Int(try number() as UInt32)
            if let element = try element(try readBytes(size), depth: depth + 1) { elements.append(element) }
        }
        return .bundle(time, elements)
    }

    /// Reads an element; nil if it was left out.
    private mutating func element(_ bytes: ArraySlice<UInt8>, depth: Int) throws(OSCError) -> OSCPacket? {
        var decoder = OSCDecoder(bytes)
        decoder.skips = skips
        do throws(OSCError) {
            let packet = try decoder.packet(depth: depth)
            unreadable += decoder.unreadable
            return packet
        } catch {
            guard skips else { throw error }
            unreadable.append(OSCUnreadable(address: decoder.address, error: error, size: bytes.count))
            return nil
        }
    }

    private mutating func message() throws(OSCError) -> OSCMessage {
        address = try word()
        // Very old senders omit the type tags when there are no arguments.
        guard !rest.isEmpty else { return OSCMessage(address) }
        guard rest.first == UInt8(ascii: ",") else { throw .noTypes }
        var arguments: [OSCArgument] = []
        for type in try word().dropFirst() { arguments.append(try argument(type)) }
        guard rest.isEmpty else { throw .trailing }
        return OSCMessage(address, arguments)
    }

    private mutating func argument(_ type: Character) throws(OSCError) -> OSCArgument {
        switch type {
        case "i": .integer(Int32(bitPattern: try number()))
        case "f": .float(Float(bitPattern: try number()))
        case "s": .string(try text())
        case "h": .long(Int64(bitPattern: try number()))
        case "d": .double(Double(bitPattern: try number()))
        case "T": .boolean(true)
        case "F": .boolean(false)
        default: throw .unknownType(type)
        }
    }

    private mutating func number<Number: FixedWidthInteger>() throws(OSCError) -> Number {
        try readBytes(Number.bitWidth / 8).reduce(0) { $0 << 8 | Number($1) }
    }

    /// A string of ASCII.
    private mutating func word() throws(OSCError) -> String {
        let word = try text()
        guard word.utf8.allSatisfy({ $0 < 0x80 }) else { throw .badText }
        return word
    }

    /// A string, the zero that ends it, and its padding to a multiple of four.
    private mutating func text() throws(OSCError) -> String {
        guard let end = rest.firstIndex(of: 0) else { throw .truncated }
        let length = end - rest.startIndex
        let bytes = try readBytes(length / 4 * 4 + 4)
        guard let text = String(validating: bytes[..<end], as: UTF8.self), bytes[end...].allSatisfy({ $0 == 0 }) else {
            throw .badText
        }
        return text
    }

    private mutating func readBytes(_ count: Int) throws(OSCError) -> ArraySlice<UInt8> {
        guard count <= rest.count else { throw .truncated }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }
}
