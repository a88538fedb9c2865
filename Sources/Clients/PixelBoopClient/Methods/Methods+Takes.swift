import FoundationEssentials
import Wire

// Performances that the daemon kept.
extension PixelBoopClient {
    /// The takes, the newest first, and whether more are kept.
    public func takes() async throws -> TakeList { try await call(Methods.takes) }

    /// Keeps a take until it is deleted, or no longer.
    ///
    /// - Parameters:
    ///   - number: The take's.
    ///   - isStarred: Whether it is kept until it is deleted.
    public func starTake(_ number: Int, _ isStarred: Bool = true) async throws {
        try await call(Methods.starTake, (number, isStarred))
    }

    /// Deletes a take, which must have ended.
    public func deleteTake(_ number: Int) async throws { try await call(Methods.deleteTake, number) }

    /// Renders a take to a sound file on the daemon's machine, and returns when that is complete.
    ///
    /// A subscription to topic `take` reports progress meanwhile. The render is cancelled with this connection.
    ///
    /// - Parameters:
    ///   - number: The take's.
    ///   - path: Absolute.
    ///   - format: How the samples are stored; by default as they were, as floats.
    ///   - stems: Whether to write the parts of the mix beside it, too, all as floats.
    ///   - rate: Frames per second; by default the take's own.
    ///   - from: Seconds from the take's beginning; by default there.
    ///   - end: Seconds from the take's beginning; by default its end.
    public func renderTake(
        _ number: Int, to path: String, format: RenderFormat? = nil, stems: Bool = false, rate: Int? = nil,
        from: Double? = nil, until end: Double? = nil
    ) async throws -> RenderedSound {
        let reply = try await call(
            Methods.renderTake,
            RenderCall(
                take: number, path: path, format: format, stems: stems ? true : nil, rate: rate, from: from, to: end))
        guard let sound = reply.sound else {
            throw ClientError.protocolViolation("take.render answered without a file")
        }
        return sound
    }

    /// Begins to render a take in the background, without a file that this client would have to name; it replaces this client's
    /// last such render.
    ///
    /// A subscription to topic `take` reports progress and the end; then `renderedData` returns the sound.
    ///
    /// - Parameter call: What to render; its path is ignored.
    /// - Returns: The render's id.
    public func beginRender(_ call: RenderCall) async throws -> Int {
        var call = call
        call.path = nil
        guard let render = try await self.call(Methods.renderTake, call).render else {
            throw ClientError.protocolViolation("take.render answered without an id")
        }
        return render
    }

    /// A part of what `beginRender` has rendered, at most 256 KiB.
    ///
    /// - Parameters:
    ///   - render: The render's id.
    ///   - offset: In bytes.
    ///   - file: Which of the render's files: `mix`, or a stem's name.
    /// - Returns: The bytes, and whether they are the last.
    public func renderedData(
        _ render: Int, from offset: Int, of file: String? = nil
    ) async throws -> (bytes: [UInt8], isEnd: Bool) {
        let reply = try await call(Methods.renderData, (render, offset, file))
        guard let data = Data(base64Encoded: reply.data) else {
            throw ClientError.protocolViolation("take.data answered without base64")
        }
        return (Array(data), reply.isEnd)
    }

    /// Ends one of this client's renders, or all.
    public func cancelRender(_ render: Int? = nil) async throws { try await call(Methods.cancelRender, render) }

    /// Exports a take's notes and tempo as a MIDI file.
    ///
    /// - Parameters:
    ///   - number: The take's.
    ///   - path: Where the daemon writes it, absolute; nil to receive the file, at most 1 MiB, in the answer.
    public func takeMIDI(_ number: Int, to path: String? = nil) async throws -> ExportReply {
        try await call(Methods.takeMIDI, (number, path))
    }
}
