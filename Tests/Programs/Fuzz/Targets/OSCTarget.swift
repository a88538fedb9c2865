import OSC

@testable import OSCBridge

/// Packets of Open Sound Control, by themselves and in a stream.
struct OSCTarget: FuzzTarget {
    func run(_ input: UnsafeRawBufferPointer) {
        read(Array(input))
        var decoder = SLIPDecoder(limit: 1024)
        guard let packets = try? decoder.receive(input) else { return }
        for packet in packets {
            var other = SLIPDecoder(limit: 1024)
            require((try? other.receive(SLIP.encode(packet))) == [packet], "a packet comes out of SLIP as another")
            read(packet)
        }
    }

    private func read(_ bytes: [UInt8]) {
        var unreadable: [OSCUnreadable] = []
        let part = try? OSCPacket(decoding: bytes, skipping: &unreadable)
        require(unreadable.allSatisfy { $0.size <= bytes.count }, "an element is longer than its packet")
        guard let packet = try? OSCPacket(decoding: bytes) else { return }
        require(part == packet && unreadable.isEmpty, "an element that can be read is left out")
        let again = packet.bytes
        require((try? OSCPacket(decoding: again))?.bytes == again, "what was written is read as something else")
        let plan = BundlePlan(packet, at: .seconds(1_700_000_000))
        require(plan.steps.allSatisfy { (.zero...BundlePlan.horizon).contains($0.delay) }, "a message is kept too long")
        for step in plan.steps { _ = try? OSCRequest(step.message) }
    }
}
