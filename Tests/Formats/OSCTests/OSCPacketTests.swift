import TestSupport
import Testing

@testable import OSC

struct OSCPacketTests {
    /// Messages and their bytes: the first two are the specification's own examples.
    private static let published: [(OSCMessage, String)] = [
        (
            OSCMessage("/oscillator/4/frequency", .float(440)),
            "2f6f7363696c6c61746f722f342f6672657175656e637900 2c660000 43dc0000"
        ),
        (
            OSCMessage("/foo", .integer(1000), .integer(-1), .string("hello"), .float(1.234), .float(5.678)),
            "2f666f6f00000000 2c69697366660000 000003e8 ffffffff 68656c6c6f000000 3f9df3b6 40b5b22d"
        ),
        (
            OSCMessage("/a", .long(-2), .double(0.5), .boolean(true), .boolean(false)),
            "2f610000 2c68645446000000 fffffffffffffffe 3fe0000000000000"
        ),
        (OSCMessage("/empty"), "2f656d7074790000 2c000000"),
    ]

    private static func bytes(_ hex: String) -> [UInt8] {
        let digits = Array(hex.filter { $0 != " " })
        return stride(from: 0, to: digits.count, by: 2).compactMap { UInt8(String(digits[$0...$0 + 1]), radix: 16) }
    }

    @Test(arguments: published.indices) func `a message is written and read byte for byte as published`(
        index: Int
    ) throws {
        let (message, hex) = Self.published[index]
        #expect(message.bytes == Self.bytes(hex))
        #expect(try OSCPacket(decoding: Self.bytes(hex)) == .message(message))
    }

    @Test func `a bundle is written and read byte for byte as published`() throws {
        let bundle = OSCPacket.bundle(.immediately, [.message(OSCMessage("/a")), .bundle(OSCTimeTag(bits: 2), [])])
        let bytes = Self.bytes(
            "2362756e646c6500 0000000000000001 00000008 2f610000 2c000000 00000010 2362756e646c6500 0000000000000002")
        #expect(bundle.bytes == bytes)
        #expect(try OSCPacket(decoding: bytes) == bundle)
    }

    @Test func `a message of an old sender, without types, has no values`() throws {
        #expect(try OSCPacket(decoding: Self.bytes("2f610000")) == .message(OSCMessage("/a")))
    }

    @Test(arguments: [
        ("", OSCError.noAddress), ("2f6100", .unaligned), ("61000000", .noAddress), ("2f616161", .truncated),
        ("2f610061", .badText), ("2fff0000", .badText), ("2fc3a900", .badText),
        ("2f610000 2cc3a900", .badText), ("23c3a900", .badText), ("2f610000 61000000", .noTypes),
        ("2f610000 2c690000", .truncated), ("2f610000 2c620000 00000000", .unknownType("b")),
        ("2f610000 2c690000 00000001 00000002", .trailing), ("2f610000 2c730000 61616161", .truncated),
        ("2362756e646c6500 00000000", .truncated), ("2362756e646c6500 0000000000000001 00000009 2f610000", .truncated),
        ("2362756e646c6500 0000000000000001 ffffffff", .truncated), ("2362756e00000000", .noAddress),
    ])
    func `invalid packets are refused`(hex: String, error: OSCError) {
        #expect(throws: error) { try OSCPacket(decoding: Self.bytes(hex)) }
    }

    @Test(arguments: ["b", "c", "N", "I", "r", "m", "t", "S", "[i]"])
    func `an element of unknown type is left out, and the rest of its bundle is read`(types: String) throws {
        let unknown = OSCPacket.message(OSCMessage("/unknown", .string("x")))
        let bundle = OSCPacket.bundle(
            .immediately,
            [
                .message(OSCMessage("/a", .integer(1))), .bundle(.immediately, [unknown, .message(OSCMessage("/b"))]),
                unknown,
            ])
        let end = String(repeating: "\0", count: 3 - types.count)
        var bytes = bundle.bytes
        for index in bytes.indices where bytes[index...].starts(with: Array(",s\0\0".utf8)) {
            bytes.replaceSubrange(index..<(index + 4), with: Array(",\(types)\(end)".utf8))
        }
        var unreadable: [OSCUnreadable] = []
        let packet = try OSCPacket(decoding: bytes, skipping: &unreadable)
        #expect(
            packet
                == .bundle(
                    .immediately,
                    [.message(OSCMessage("/a", .integer(1))), .bundle(.immediately, [.message(OSCMessage("/b"))])]))
        let lost = OSCUnreadable(address: "/unknown", error: .unknownType(types.first!), size: 20)
        #expect(unreadable == [lost, lost])
        #expect(throws: OSCError.unknownType(types.first!)) { try OSCPacket(decoding: bytes) }
    }

    @Test(arguments: [
        ("2f610000 2c690000", "/a", OSCError.truncated), ("2f616161", "", .truncated), ("61000000", "", .noAddress),
        ("", "", .noAddress), ("2f610000 61000000", "/a", .noTypes),
        ("2362756e646c6500 00000000", "#bundle", .truncated),
    ])
    func `whatever is wrong with an element, the others are read`(hex: String, address: String, error: OSCError) throws
    {
        let element = Self.bytes(hex)
        let size: [UInt8] = [0, 0, 0, UInt8(element.count)]
        let others = Self.bytes("00000008 2f620000 2c000000")
        let bytes = OSCPacket.bundle(.immediately, []).bytes + others + size + element + others
        var unreadable: [OSCUnreadable] = []
        let packet = try OSCPacket(decoding: bytes, skipping: &unreadable)
        #expect(packet == .bundle(.immediately, [.message(OSCMessage("/b")), .message(OSCMessage("/b"))]))
        #expect(unreadable == [OSCUnreadable(address: address, error: error, size: element.count)])
    }

    @Test func `a message of unknown type leaves an empty bundle, anything else that is no packet is refused`() throws {
        var unreadable: [OSCUnreadable] = []
        let bytes = Self.bytes("2f610000 2c4e0000")
        #expect(try OSCPacket(decoding: bytes, skipping: &unreadable) == .bundle(.immediately, []))
        #expect(unreadable == [OSCUnreadable(address: "/a", error: .unknownType("N"), size: 8)])
        for hex in ["47455420", "2f610000 2c690000", "2362756e646c6500 0000000000000001 00000009 2f610000"] {
            #expect(throws: OSCError.self) { try OSCPacket(decoding: Self.bytes(hex), skipping: &unreadable) }
        }
    }

    @Test(.timeLimit(.minutes(1)), arguments: ["", "/", "#bundle"])
    func `addresses and types of combining marks are refused at once`(beginning: String) {
        // Without the message's own types, which are empty.
        let marks = OSCMessage(beginning + "," + .combiningMarks(500_000)).bytes.dropLast(4)
        let address = beginning.isEmpty ? OSCMessage("/a").bytes.dropLast(4) : []
        #expect(throws: OSCError.badText) { try OSCPacket(decoding: address + marks) }
    }

    @Test func `bundles are read up to a depth`() throws {
        func nested(_ depth: Int) -> OSCPacket {
            (1..<depth).reduce(.bundle(.immediately, [])) { inner, _ in .bundle(.immediately, [inner]) }
        }
        let deepest = nested(OSCPacket.depthLimit)
        #expect(try OSCPacket(decoding: deepest.bytes) == deepest)
        #expect(throws: OSCError.tooDeep) { try OSCPacket(decoding: nested(OSCPacket.depthLimit + 1).bytes) }
    }

    @Test(arguments: 0..<20) func `every packet is read as it was written`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            let packet = OSCPacket.random(using: &random)
            #expect(try OSCPacket(decoding: packet.bytes) == packet)
        }
    }

    @Test(arguments: 0..<20) func `damaged packets are refused, or read and then written consistently`(
        seed: UInt64
    ) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<500 {
            let bytes = LineMutator.damage(OSCPacket.random(using: &random).bytes, using: &random)
            guard let packet = try? OSCPacket(decoding: bytes) else { continue }
            #expect((try? OSCPacket(decoding: packet.bytes))?.bytes == packet.bytes)
        }
    }

    @Test func `time tags are seconds since 1900`() {
        // 1970 began 2208988800 s after 1900.
        #expect(OSCTimeTag(sinceEpoch: .zero).bits == 0x83aa_7e80_0000_0000)
        #expect(OSCTimeTag(sinceEpoch: .milliseconds(500)).bits == 0x83aa_7e80_8000_0000)
        #expect(OSCTimeTag(sinceEpoch: .seconds(2)).delay(after: .milliseconds(1500)) == .milliseconds(500))
        #expect(OSCTimeTag(sinceEpoch: .milliseconds(1750)).delay(after: .seconds(1)) == .milliseconds(750))
        #expect(OSCTimeTag(sinceEpoch: .seconds(1)).delay(after: .seconds(2)) == .seconds(-1))
        #expect(OSCTimeTag.immediately.delay(after: .seconds(2)) == .zero)
    }
}

extension OSCPacket {
    static func random(using random: inout SeededGenerator, depth: Int = 0) -> OSCPacket {
        guard depth < 3, Int.random(in: 0..<4, using: &random) == 0 else { return .message(.random(using: &random)) }
        let elements = (0..<Int.random(in: 0..<4, using: &random)).map { _ in
            OSCPacket.random(using: &random, depth: depth + 1)
        }
        return .bundle(OSCTimeTag(bits: .random(in: 0...(.max), using: &random)), elements)
    }
}

extension OSCMessage {
    fileprivate static func random(using random: inout SeededGenerator) -> OSCMessage {
        func text(_ random: inout SeededGenerator, of characters: String) -> String {
            String((0..<Int.random(in: 0..<9, using: &random)).map { _ in characters.randomElement(using: &random)! })
        }
        let arguments = (0..<Int.random(in: 0..<6, using: &random)).map { _ -> OSCArgument in
            switch Int.random(in: 0..<6, using: &random) {
            case 0: .integer(.random(in: .min ... .max, using: &random))
            case 1: .float(.random(in: -1e9...1e9, using: &random))
            case 2: .string(text(&random, of: "abc/é,🎹#"))
            case 3: .long(.random(in: .min ... .max, using: &random))
            case 4: .double(.random(in: -1e99...1e99, using: &random))
            default: .boolean(.random(using: &random))
            }
        }
        return OSCMessage("/" + text(&random, of: "abc/,#"), arguments)
    }
}
