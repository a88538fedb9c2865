import NIOCore
import Wire

/// A line whose JSON, calls and parameters have been read: the part that needs no control loop.
enum PreparedLine: Sendable {
    case single(PreparedCall)
    /// One or more calls that are answered together.
    case batch([PreparedCall])

    /// Reads a line without its newline; can run on any thread.
    init(reading line: ByteBuffer) {
        do throws(WireError) {
            self =
                switch try IncomingLine(parsing: line.readableBytesView) {
                case .single(let call): .single(PreparedCall(call))
                case .batch(let calls): .batch(calls.map { PreparedCall($0) })
                }
        } catch {
            self = .single(PreparedCall(refusing: error))
        }
    }
}

/// A call whose parameters have been read and checked.
struct PreparedCall: Sendable {
    /// The id of the answer, nil for a notification.
    let id: RequestID?
    /// The method's name, empty for an invalid call.
    let method: String
    /// The action, or the reason to refuse the call.
    let action: Result<Handler.Action, WireError>

    /// Whether the call gets no answer.
    var isNotification: Bool { id == nil }

    /// Reads the parameters of a call.
    init(_ call: IncomingCall) {
        switch call {
        case .invalid(let id, let error):
            (self.id, method, action) = (id, "", .failure(error))
        case .call(let request):
            (id, method) = (request.id, request.method)
            do {
                guard let handler = Handlers.handler(of: request.method) else {
                    throw WireError.methodNotFound(request.method)
                }
                action = .success(try handler.action(with: request.parameters))
            } catch {
                action = .failure(WireError(error))
            }
        }
    }

    /// Stands for a line that cannot be read.
    init(refusing error: WireError) {
        self.init(.invalid(id: .null, error))
    }
}

/// Parses long lines off the control thread, one at a time: half a megabyte of JSON needs tens of milliseconds to
/// parse, and to free.
actor LongLineReader {
    /// Lines up to this many bytes are not worth the trip to another thread.
    static let shortest = 16_384

    /// Reads a line, its newline removed.
    func read(_ line: ByteBuffer) -> PreparedLine { PreparedLine(reading: line) }
}
