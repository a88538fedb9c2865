import Music
import OfflineAudio
import TestSupport
import Testing

@testable import Engine

/// What is remembered while everything is silent is one plain value: an engine that is given it goes on exactly.
@Suite struct ControlMemoryTests {
    @Test func `other bytes than a memory has are refused`() {
        #expect(throws: ControlMemory.WrongSize.self) { try ControlMemory(bytes: [1, 2, 3]) }
    }

    /// The fields of a value, and those of its fields, with their types and sizes.
    private func fields(of value: Any, named name: String) -> [String] {
        func size<Value>(_ value: Value) -> Int { MemoryLayout<Value>.size }
        if let row = value as? any FieldRow { return fields(of: row.firstElement, named: name + "[0]") }
        let field = "\(name): \(type(of: value)) \(_openExistential(value, do: size))"
        // What is inside Swift's own types does not change.
        guard String(reflecting: type(of: value)).hasPrefix("Engine.") else { return [field] }
        return [field] + Mirror(reflecting: value).children.flatMap { fields(of: $0.value, named: $0.label ?? "") }
    }

    @Test func `whatever changes a field of the memory raises its version`() {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        let memory = ControlMemory()
        let all = fields(of: memory, named: "memory")
        for byte in all.joined(separator: "\n").utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        #expect(all.count > 100)
        #expect(
            "\(ControlMemory.version) \(ControlMemory.size) \(String(hash, radix: 16))" == "1 41904 80e68124f80fdaa9",
            "raise ControlMemory.version")
    }

    /// A session that went on in some way after a silence, and what it then played.
    private func phrase(
        seed: UInt64, _ change: (inout RandomSession) throws -> Void
    ) rethrows -> (SessionOutput, isSilent: Bool) {
        var session = RandomSession(seed: seed)
        for _ in 0..<Int.random(in: 2...14, using: &session.random) {
            session.act()
            session.render(.random(in: 1...12_000, using: &session.random))
        }
        let isSilent = session.fallSilent()
        try change(&session)
        var output = SessionOutput()
        for _ in 0..<8 {
            session.act()
            session.render(.random(in: 1...6000, using: &session.random)) { output.append($0) }
        }
        return (output, isSilent)
    }

    @Test(arguments: 1...(isLongRun ? 2000 : 60) as ClosedRange<UInt64>)
    func `after any silence, going on, a reset, and a new engine with the memory give the same bits at all ports`(
        seed: UInt64
    ) throws {
        let (expected, isSilent) = phrase(seed: seed) { _ in }
        guard isSilent else { return }
        let (reset, _) = phrase(seed: seed) { $0.driver.engine.realtime.resetSound() }
        let afterReset = reset.difference(from: expected)
        #expect(afterReset == nil, "reset: \(afterReset ?? "")")
        let (new, _) = try phrase(seed: seed) { session in
            let memory = try ControlMemory(bytes: session.driver.engine.controlMemory.bytes)
            let engine = Engine(score: session.score)
            engine.publish(session.kit)
            session.replace(engine)
            engine.restore(memory)
        }
        let afterRestoring = new.difference(from: expected)
        #expect(afterRestoring == nil, "new engine: \(afterRestoring ?? "")")
    }

    @Test func `most sessions fall silent, and sound afterwards`() {
        let phrases = (1...20 as ClosedRange<UInt64>).map { phrase(seed: $0) { _ in } }
        #expect(phrases.count { $0.isSilent } > 12)
        #expect(phrases.count { $0.0.sounds } > 12)
    }
}

/// Several values of one kind.
private protocol FieldRow {
    var firstElement: Any { get }
}

extension InlineArray: FieldRow where Element: Copyable {
    fileprivate var firstElement: Any { self[0] }
}
