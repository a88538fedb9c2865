import Control
import Export
import Files
import FoundationEssentials
import JSON
import Media
import Music
import OfflineAudio
import SystemSupport
import Takes
import Wire

/// Renders takes for clients, and what cannot have a path into a cache, one render at a time.
final class RenderService: RenderServices {
    private let takes: KeptTakes
    private let kits: KitLibrary
    private let cache: RenderCache
    private let threads = WorkerThreads("take render", limit: 2, niceness: RenderService.niceness)
    private let background = WorkerThreads("background", niceness: RenderService.niceness)

    /// The least that there is. With SCHED_IDLE a thread could hold the heap's lock for long while others have to wait for it.
    private static let niceness: Int32 = 19
    /// Bytes of a MIDI file that is returned.
    private static let longestReturned = 1 << 20

    init(takes: KeptTakes, kits: KitLibrary, cache: RenderCache) {
        (self.takes, self.kits, self.cache) = (takes, kits, cache)
    }

    /// Waits, up to a limit, until renders are done, or cancelled because their clients are gone.
    func drain(within limit: Duration) {
        let end = ContinuousClock.now + limit
        for threads in [threads, background] { threads.drain(within: end - .now) }
    }

    // MARK: Takes

    func takeRender(_ call: RenderCall) async throws(ServiceError) -> RenderJob {
        let take = try await takes.take(call.take)
        let plan = try TakeRenderPlan(call, of: take)
        let rendering = rendering(of: take, plan.options)
        guard let path = call.path else {
            try await cache.check(plan.size)
            return inBackground(plan.size) { [self] progress in
                let (sounds, rendered) = try rendering().writeUnnamed(
                    at: "\(cache.directory)/render.\(plan.ending)", nextPieces: pieces(of: take), progress: progress)
                return FinishedRender(RenderedSound(rendered, rate: plan.rate), files: cache.hold(sounds))
            }
        }
        return RenderJob { [self] (progress) throws(ServiceError) in
            try await perform(on: threads) {
                let rendered = try rendering().write(
                    to: path, nextPieces: pieces(of: take), progress: Self.cancellable(progress))
                return FinishedRender(RenderedSound(rendered, rate: plan.rate))
            }
        }
    }

    /// Makes the renders of a take, on the thread that uses them.
    private func rendering(of take: KeptTake, _ options: TakeRenderOptions) -> @Sendable () -> TakeRendering {
        { [kits] in TakeRendering(of: take, options) { kit, rate in FoundKit(kit, in: kits, sampleRate: rate) } }
    }

    /// The take's pieces from one of them on, for a thread that may wait.
    private func pieces(of take: KeptTake) -> (_ first: Int) throws -> [[UInt8]] {
        { [takes] first in
            try WorkerThreads.wait {
                let pieces = try await takes.pieces(of: take, from: first)
                // A take that was deleted meanwhile has no pieces, either.
                if pieces.isEmpty { _ = try await takes.take(Int(take.number)) }
                return pieces
            }
        }
    }

    func takeMIDI(_ number: Int, to path: String?) async throws(ServiceError) -> ExportReply {
        if let path, !ExportKind.midi.allows(path) {
            throw .invalid(FieldError(field: "path", expected: ExportKind.midi.expectation, got: "\"\(path)\""))
        }
        let take = try await takes.take(number)
        return try await perform(on: threads) {
            let bytes = try TakeMIDI.file(
                of: take, nextPieces: pieces(of: take), progress: { _ in try Task.checkCancellation() })
            let frames = Int(take.progress.frames)
            if let path {
                try Task.checkCancellation()
                try ExportKind.midi.write(bytes, to: path)
                return ExportReply(path: path, frames: frames)
            }
            guard bytes.count <= Self.longestReturned else {
                throw ServiceError.storage(
                    "the file has \(bytes.count) bytes, and without a path at most \(Self.longestReturned)")
            }
            return ExportReply(data: Data(bytes).base64EncodedString(), frames: frames)
        }
    }

    // MARK: Documents

    func exportRender(_ document: Document, options: ExportOptions) async throws(ServiceError) -> RenderJob {
        let longest = Recording(of: document, RecordingOptions(options)).longestFrames
        let size = SoundSize.most(
            longest, options.hasStems ? .float32 : .integer24, isFLAC: !options.hasStems, options.hasStems)
        try await cache.check(size)
        return inBackground(size) { [self] progress in
            let samples = kits.load(for: document, sampleRate: options.rate)
            let recording = Recording(of: document, RecordingOptions(options), samples: samples)
            let (sounds, frames) = try recording.writeUnnamed(
                at: "\(cache.directory)/render.\(options.hasStems ? "wav" : "flac")", progress: progress)
            return FinishedRender(
                RenderedSound(frames: frames, seconds: Double(frames) / Double(options.rate)),
                files: cache.hold(sounds))
        }
    }

    // MARK: Threads

    /// A render into the cache.
    private func inBackground(
        _ size: Int, _ work: @escaping @Sendable ((Double) throws -> Void) throws -> FinishedRender
    ) -> RenderJob {
        RenderJob { [self] (progress) throws(ServiceError) in
            try await perform(on: background) {
                try WorkerThreads.wait { [cache] in await cache.makeRoom(for: size) }
                return try work(Self.cancellable(progress))
            }
        }
    }

    /// Progress that ends a cancelled render.
    private static func cancellable(_ progress: @escaping RenderJob.Progress) -> (Double) throws -> Void {
        { share in
            try Task.checkCancellation()
            progress(share)
        }
    }

    /// Does slow work, and translates its errors for clients.
    private func perform<Result: Sendable>(
        on threads: WorkerThreads, _ work: @Sendable () throws -> Result
    ) async throws(ServiceError) -> Result {
        do {
            return try await threads.run {
                try Task.checkCancellation()
                return try work()
            }
        } catch let error as ServiceError {
            throw error
        } catch is CancellationError {
            throw .cancelled
        } catch is MalformedTake {
            throw .storage("the take is damaged")
        } catch is TakeReplay.Failure {
            throw .storage("the take is damaged")
        } catch {
            throw .storage("\(error)")
        }
    }
}

extension RenderedSound {
    /// - Parameter rate: The frames per second that were written.
    fileprivate init(_ take: RenderedTake, rate: Int) {
        self.init(
            frames: take.frameCount, seconds: Double(take.frameCount) / Double(rate),
            drums: take.changedDrums.map(\.name), warning: take.warning)
    }
}
