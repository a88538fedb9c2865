import JSON
import Music
import Wire

// Takes as sound and MIDI files; renders in the background, for clients that cannot name files.
extension Handlers {
    static let renders: [Handler] = [
        Handler(deferred: Methods.renderTake) { call, render in
            guard let path = render.path else {
                return try call.renderInBackground { try await $0.takeRender(render) }
                    .map { RenderReply(render: $0) }
            }
            let ticket = try call.loop.renders.open(for: call.client, isInBackground: false)
            return Deferred(isExport: true) { services in
                try await ticket.run { progress in try await services.takeRender(render).run(progress) }
            } finish: { finished in
                RenderReply(path: path, finished.sound)
            }
        },
        Handler(deferredEncoded: Methods.renderData) { call, parameters in
            let (render, offset, stem) = parameters
            return try call.fetch(render, stem ?? "mix", from: offset)
        },
        Handler(Methods.cancelRender) { call, render in
            try call.loop.renders.cancel(render, of: call.client)
        },
        Handler(deferred: Methods.takeMIDI) { _, parameters in
            let (number, path) = parameters
            return Deferred(isExport: true) { try await $0.takeMIDI(number, to: path) }
        },
    ]
}

extension MethodCall {
    /// Begins a render in the background, and returns its number.
    func renderInBackground(
        _ prepare: @escaping @Sendable (any ControlServices) async throws -> RenderJob
    ) throws -> Deferred<Int> {
        let (renders, ticket) = (loop.renders, try loop.renders.open(for: client, isInBackground: true))
        return Deferred { services in
            try await ticket.prepare { try await prepare(services) }
        } finish: { job in
            try renders.begin(job, ticket)
            return ticket.number
        }
    }

    /// Reads a part of a render's file.
    fileprivate func fetch(_ render: Int, _ stem: String, from offset: Int) throws -> Deferred<[UInt8]> {
        let file = try loop.renders.file(stem, of: render, for: client)
        guard offset <= file.size else {
            throw FieldError(field: "offset", expected: "an integer from 0 to \(file.size)", got: "\(offset)")
        }
        // What a client has not read uses memory.
        guard !client.isFetching else { throw WireError(.invalidRequest, "take.data is for one request at a time") }
        client.isFetching = true
        return Deferred { _ in
            await Result {
                let bytes = try await file.bytes(from: offset, count: RenderedData.longest)
                return RenderedData.json(bytes, size: file.size, isEnd: offset + bytes.count >= file.size)
            }
        } finish: { [client] part in
            client.isFetching = false
            return try part.get()
        }
    }
}

extension Result where Failure == any Error {
    /// What asynchronous work returns or throws.
    fileprivate init(catching work: () async throws -> Success) async {
        do {
            self = .success(try await work())
        } catch {
            self = .failure(error)
        }
    }
}
