import Control
import Music
import Synchronization
import Wire

/// Renders that end at once, unless the test holds them.
package final class TestRenders: Sendable {
    private let held: AsyncStream<HeldRender>
    private let holding: AsyncStream<HeldRender>.Continuation
    private let isHeld = Mutex(false)
    private let content = Mutex(Array("fLaC".utf8))
    /// Reads of files that wait; nil if they need not.
    private let reads = Mutex<[CheckedContinuation<Void, Never>]?>(nil)

    init() { (held, holding) = AsyncStream.makeStream() }

    /// Makes renders begun from now on wait until the test ends them.
    ///
    /// - Returns: These renders, as they begin; for one reader.
    package func hold() -> AsyncStream<HeldRender>.Iterator {
        isHeld.withLock { $0 = true }
        return held.makeAsyncIterator()
    }

    /// What the mixes rendered from now on consist of.
    package func setContent(_ bytes: [UInt8]) { content.withLock { $0 = bytes } }

    /// Makes reads wait until ``releaseReads()``.
    package func holdReads() { reads.withLock { $0 = [] } }

    package func releaseReads() {
        let waiting = reads.withLock { reads in
            defer { reads = nil }
            return reads ?? []
        }
        for read in waiting { read.resume() }
    }

    fileprivate func job(_ name: String, into files: [String]) -> RenderJob {
        RenderJob { [self] (progress) throws(ServiceError) in
            if isHeld.withLock(\.self) {
                let render = HeldRender(of: name, progress)
                holding.yield(render)
                try await render.wait()
            }
            let sound = RenderedSound(frames: 8_755_200, seconds: 182.4)
            let bytes = content.withLock(\.self)
            return FinishedRender(
                sound, files: files.map { TestFile(name: $0, content: $0 == "mix" ? bytes : [1, 2], renders: self) })
        }
    }

    fileprivate func waitToRead() async {
        await withCheckedContinuation { continuation in
            let isFree = reads.withLock { reads in
                reads?.append(continuation)
                return reads == nil
            }
            if isFree { continuation.resume() }
        }
    }
}

/// A render that goes on when the test says so.
package final class HeldRender: Sendable {
    /// What is rendered: `take 12`, or `document`.
    package let name: String
    private let progress: RenderJob.Progress
    private let end: AsyncStream<ServiceError?>.Continuation
    private let ends: AsyncStream<ServiceError?>
    /// Yields when the render is cancelled; for one reader.
    package let cancelled: AsyncStream<Void>
    private let cancellation: AsyncStream<Void>.Continuation

    init(of name: String, _ progress: @escaping RenderJob.Progress) {
        (self.name, self.progress) = (name, progress)
        (ends, end) = AsyncStream.makeStream()
        (cancelled, cancellation) = AsyncStream.makeStream()
    }

    package func report(_ share: Double) { progress(share) }

    /// Ends it, with an error or complete.
    package func finish(_ error: ServiceError? = nil) { end.yield(error) }

    fileprivate func wait() async throws(ServiceError) {
        for await error in ends {
            if let error { throw error }
            return
        }
        // Only a task that was cancelled ends the stream.
        cancellation.yield()
        throw .cancelled
    }
}

private struct TestFile: FetchedFile {
    let name: String
    let content: [UInt8]
    let renders: TestRenders

    var size: Int { content.count }

    func bytes(from offset: Int, count: Int) async throws(ServiceError) -> [UInt8] {
        await renders.waitToRead()
        return Array(content.dropFirst(offset).prefix(count))
    }
}

extension TestServices {
    /// There is no take 404.
    package nonisolated func takeRender(_ call: RenderCall) async throws(ServiceError) -> RenderJob {
        guard call.take != 404 else { throw .notFound("take 404") }
        return renders.job(
            "take \(call.take)", into: call.path != nil ? [] : call.stems == true ? ["mix", "melody"] : ["mix"])
    }

    package nonisolated func exportRender(
        _ document: Document, options: ExportOptions
    ) async throws(ServiceError) -> RenderJob {
        renders.job("document", into: ["mix"])
    }

    package nonisolated func takeMIDI(_ number: Int, to path: String?) async throws(ServiceError) -> ExportReply {
        guard number != 404 else { throw .notFound("take 404") }
        return ExportReply(path: path, data: path == nil ? "TVRoZA==" : nil, frames: 8_755_200)
    }
}
