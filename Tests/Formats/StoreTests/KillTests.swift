import Foundation
import Glibc
import Music
import TestSupport
import Testing

@testable import Store

// What a test hands to a process of its own needs a capture list, which Swift 6.2 does not have.
#if compiler(>=6.3)
    /// Processes that are killed while they store changes.
    @Suite(.serialized, .timeLimit(.minutes(3))) struct KillTests {
        /// The file in which the killed process notes what is certain.
        private static let progress = "progress"
        private static let batches = 3000

        private static func performance(seed: UInt64) -> EditSequence {
            var generator = SeededGenerator(seed: seed)
            return EditSequence(batches: batches, using: &generator)
        }

        @Test(arguments: 0..<UInt64(repetitions("PIXELBOOP_KILLS", 10, long: 40)))
        func `after a kill at any moment everything flushed is there, and nothing that never was`(
            seed: UInt64
        ) async throws {
            let directory = try TemporaryDirectory()
            let path = directory.path
            await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, seed = seed as UInt64] in
                let performance = Self.performance(seed: seed)
                let store = try OpenStore(path + "/state") {
                    ($0.limits.snapshot, $0.limits.log) = (4000, 100_000)
                }
                let progress = open(path + "/" + Self.progress, O_WRONLY | O_CREAT, 0o600)
                let lifetime = UInt32(seed * 977 % 400) * 1000
                Thread.detachNewThread {
                    usleep(lifetime)
                    kill(getpid(), SIGKILL)
                }
                var document = store.document
                for (index, batch) in performance.batches.enumerated() {
                    store.apply(batch, to: &document)
                    guard index % 3 == 0, await store.flush() else { continue }
                    var count = Int32(index + 1)
                    pwrite(progress, &count, 4, 0)
                }
                pause()
            }
            let noted = (try? directory.read(Self.progress)) ?? []
            let flushed = noted.count == 4 ? Int(noted.withUnsafeBytes { $0.loadUnaligned(as: Int32.self) }) : 0
            let documents = Self.performance(seed: seed).documents
            let store = try OpenStore(directory.file("state"))
            #expect(documents[flushed...].contains(store.document), "\(flushed) were flushed")
            #expect(store.opened.report.damages.isEmpty)
            #expect(await store.close())
            print("killed after \(flushed) flushed batches")
        }
    }
#endif
