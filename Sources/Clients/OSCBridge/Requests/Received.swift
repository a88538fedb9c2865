import OSC

/// A message as it came: carried out, or refused because it cannot be read.
struct Received: Sendable {
    /// Only the address if it cannot be read.
    let message: OSCMessage
    let error: OSCError?
    /// Its bytes in the packet.
    let size: Int

    init(_ message: OSCMessage) {
        self.message = message
        error = nil
        // Without arguments it may have come without type tags.
        size = message.bytes.count - (message.arguments.isEmpty ? 4 : 0)
    }

    init(_ unreadable: OSCUnreadable) {
        message = OSCMessage(unreadable.address)
        error = unreadable.error
        size = unreadable.size
    }
}

extension OSCError {
    /// In words, for the sender.
    var words: String {
        switch self {
        case .truncated: "the message is shorter than its types say"
        case .unaligned: "its size is not a multiple of four"
        case .noAddress: "it has no address"
        case .badText: "a text is not UTF-8, or its padding is not zero"
        case .noTypes: "there are arguments, but no types"
        case .unknownType(let type): "type \(type) is not supported: i f s h d T F are"
        case .trailing: "there are bytes after the last argument"
        case .tooDeep: "bundles may be nested \(OSCPacket.depthLimit) deep"
        }
    }
}
