import JSON
import NIOCore
import Wire

/// The renders of all clients: which may begin, what their clients are told of them, and what can be fetched.
///
/// Used on the control event loop only.
final class Renders {
    /// A render from its request until its client does not need it any more.
    private final class Render {
        let client: Client
        let isInBackground: Bool
        let work: CancellableWork
        /// Whether its client knows its number.
        var isKnown: Bool
        var result: FinishedRender?
        /// Whether only its news are left.
        var isOver = false
        /// What its client has not been told; later news replace earlier ones.
        var news: TakeEvent?

        /// Whether it keeps others from rendering in the background.
        var isBusy: Bool { isInBackground && result == nil && !isOver }

        init(_ client: Client, isInBackground: Bool, _ work: CancellableWork) {
            (self.client, self.isInBackground, self.work) = (client, isInBackground, work)
            isKnown = !isInBackground
        }
    }

    private unowned let loop: ControlLoop
    private var renders: [Int: Render] = [:]
    private var lastNumber = 0

    init(on loop: ControlLoop) { self.loop = loop }

    // MARK: Beginning

    /// Registers a render that a client asks for.
    ///
    /// - Throws: If it is for the background, where another client's is under way.
    func open(for client: Client, isInBackground: Bool) throws -> RenderTicket {
        if isInBackground, renders.values.contains(where: { $0.isBusy && $0.client !== client }) {
            throw WireError(.heldByAnother, "another client renders in the background, where there is room for one")
        }
        lastNumber += 1
        let work = CancellableWork()
        renders[lastNumber] = Render(client, isInBackground: isInBackground, work)
        return RenderTicket(number: lastNumber, work: work, loop: NIOLoopBound(loop, eventLoop: loop.eventLoop))
    }

    /// Begins a render in the background; earlier ones of its client end.
    ///
    /// - Throws: If it was cancelled meanwhile.
    func begin(_ job: RenderJob, _ ticket: RenderTicket) throws(ServiceError) {
        guard let render = renders[ticket.number] else { throw .cancelled }
        render.isKnown = true
        let earlier = renders.filter { number, other in
            number < ticket.number && other.isInBackground && other.client === render.client
        }
        for number in earlier.keys { end(number, "replaced by render \(ticket.number)") }
        Task { _ = try? await ticket.run { progress in try await job.run(progress) } }
    }

    /// Forgets a render that could not be prepared.
    func withdraw(_ number: Int) { renders[number] = nil }

    // MARK: Progress

    func progressed(_ number: Int, _ share: Double) {
        guard let render = renders[number], render.result == nil, !render.isOver else { return }
        tell(.progress(render: number, max(0, min(share, 1))), of: number)
    }

    func ended(_ number: Int, _ result: Result<FinishedRender, any Error>) {
        guard let render = renders[number], !render.isOver else { return }
        switch result {
        case .success(let finished):
            render.result = finished
            // What was written to a path is not needed here.
            render.isOver = !render.isInBackground
            tell(.done(render: number, finished.sound, files: finished.files.map(\.name)), of: number)
        case .failure(let error):
            render.isOver = true
            tell(.failed(render: number, WireError(error).message), of: number)
        }
    }

    private func tell(_ news: TakeEvent, of number: Int) {
        renders[number]?.news = news
        loop.schedulePass()
    }

    /// Tells the clients that subscribe to it what is new. Only what can still be fetched is told to those who subscribe later.
    func deliver() {
        for number in renders.keys.sorted() {
            guard let render = renders[number] else { continue }
            let isHeard = render.client.subscriptions.events.contains(.take)
            if isHeard, !render.client.isBlocked, let news = render.news {
                render.client.write(ByteBuffer(bytes: news.line))
                render.news = nil
            }
            if render.isOver, render.news == nil || !isHeard { renders[number] = nil }
        }
    }

    // MARK: Ending

    /// Ends a client's render, or all of its renders.
    ///
    /// - Throws: If it has none of that number.
    func cancel(_ number: Int?, of client: Client) throws(ServiceError) {
        let own = renders.filter { $1.client === client && !$1.isOver }
        guard let number else {
            for number in own.keys { end(number, "cancelled") }
            return
        }
        guard own[number]?.isKnown == true else { throw .notFound("render \(number)") }
        end(number, "cancelled")
    }

    /// Ends a render. One with a path reports its end itself, when its files are gone.
    private func end(_ number: Int, _ reason: String) {
        guard let render = renders[number] else { return }
        render.work.cancel()
        guard render.isInBackground else { return }
        guard render.result == nil, render.isKnown else {
            renders[number] = nil
            return
        }
        render.isOver = true
        tell(.failed(render: number, reason), of: number)
    }

    /// Ends all renders of a client that left, and releases their files.
    func forget(_ client: Client) {
        for (number, render) in renders where render.client === client {
            render.work.cancel()
            renders[number] = nil
        }
    }

    // MARK: Fetching

    /// A file of a client's render that has ended.
    func file(_ name: String, of number: Int, for client: Client) throws -> any FetchedFile {
        guard let render = renders[number], render.client === client, render.isInBackground, render.isKnown,
            !render.isOver
        else { throw ServiceError.notFound("render \(number)") }
        guard let files = render.result?.files else {
            throw FieldError(field: "render", problem: .invalid("render \(number) is still under way"))
        }
        guard let file = files.first(where: { $0.name == name }) else {
            let names = files.map(\.name).joined(separator: ", ")
            throw FieldError(field: "stem", expected: files.count == 1 ? names : "one of \(names)", got: "\"\(name)\"")
        }
        return file
    }
}

/// A registered render, for the threads that work on it.
struct RenderTicket: Sendable {
    let number: Int
    fileprivate let work: CancellableWork
    fileprivate let loop: NIOLoopBound<ControlLoop>

    /// Does what comes before a render in the background; withdraws the render if that fails.
    func prepare(_ work: @escaping @Sendable () async throws -> RenderJob) async throws -> RenderJob {
        do {
            return try await self.work.run(work)
        } catch {
            onLoop { $0.withdraw(number) }
            throw error
        }
    }

    /// Renders; its client is told how far that has come, and how it ends.
    func run(
        _ body: @escaping @Sendable (@escaping RenderJob.Progress) async throws -> FinishedRender
    ) async throws -> FinishedRender {
        let progress = PacedProgress { share in onLoop { $0.progressed(number, share) } }
        do {
            let finished = try await work.run { try await body { progress($0) } }
            onLoop { $0.ended(number, .success(finished)) }
            return finished
        } catch {
            onLoop { $0.ended(number, .failure(error)) }
            throw error
        }
    }

    private func onLoop(_ body: @escaping @Sendable (Renders) -> Void) {
        loop.eventLoop.execute { [loop] in body(loop.value.renders) }
    }
}
