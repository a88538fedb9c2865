import Foundation
import FuzzTargets
import TestSupport
import Testing

/// Every kind of input that comes from outside, without libFuzzer: the corpus and seeded mutations of it. The address sanitizer's
/// build runs this; scripts/fuzz looks for new inputs.
@Suite("Input from outside")
struct FuzzTests {
    @Test("the corpus and mutations of it break no rule", .timeLimit(.minutes(5)), arguments: FuzzInput.allCases)
    func mutations(input: FuzzInput) async throws {
        let latest = try LatestInput(of: input)
        // Some targets wait for tasks.
        let hasCorpus = await onThread { Result { try tryMutations(of: input, latest) } }
        try #require(try hasCorpus.get(), "\(input) has no corpus")
        latest.remove()
    }

    private func tryMutations(of input: FuzzInput, _ latest: LatestInput) throws -> Bool {
        var mutator = try InputMutator(input, seed: 1)
        let target = input.makeTarget()
        for bytes in mutator.seeds { feed(bytes, to: target, latest) }
        for _ in 0..<input.mutationCount { feed(mutator.next(), to: target, latest) }
        return !mutator.seeds.isEmpty
    }

    private func feed(_ bytes: [UInt8], to target: any FuzzTarget, _ latest: LatestInput) {
        latest.write(bytes)
        bytes.withUnsafeBytes { target.run($0) }
    }
}

/// A file with the input that is being processed, which remains when the process ends by it.
private struct LatestInput {
    private let path: String
    private let descriptor: Int32

    init(of input: FuzzInput) throws {
        path = NSTemporaryDirectory() + "/pixelboop-fuzz-\(input.rawValue)-\(getpid())"
        descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC, 0o600)
        try #require(descriptor >= 0, "\(path) cannot be written")
        print("\(input.rawValue): if this crashes, its input is in \(path)")
    }

    func write(_ bytes: [UInt8]) {
        ftruncate(descriptor, 0)
        pwrite(descriptor, bytes, bytes.count, 0)
    }

    func remove() {
        close(descriptor)
        unlink(path)
    }
}

extension FuzzInput {
    /// How many mutations are tried: each kind gets about three seconds under the address sanitizer.
    fileprivate var mutationCount: Int {
        switch self {
        // Each makes a control core, or an engine.
        case .line, .keys, .intake: 100
        case .touches, .database: 200
        case .midi: 300
        case .configuration, .web, .session, .take: 500
        case .samples, .pattern, .osc, .pads: 2000
        }
    }
}
