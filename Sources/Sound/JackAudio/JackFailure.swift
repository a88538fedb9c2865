import Engine
import Glibc
import SystemSupport

extension OrdinaryThread {
    /// Starts a detached thread for JACK.
    static func startForJack(name: String, _ body: @escaping @Sendable () -> Void) throws(JackFailure) {
        do throws(Failure) {
            try start(name: name, body)
        } catch {
            throw .system("pthread_create", error.code)
        }
    }
}

/// Why an operation failed; its description is meant for people.
public enum JackFailure: Error, Equatable, Sendable, CustomStringConvertible {
    case noServer(String?)
    /// The server refused the client, for this reason.
    case refused(String)
    /// The engine does not support the server's sample rate.
    case rate(Int)
    /// The system call failed with an error number.
    case system(String, Int32)

    public var description: String {
        switch self {
        case .noServer(let name): "no JACK server \(name.map { "'\($0)' " } ?? "")is running"
        case .refused(let reason): reason
        case .rate(let rate):
            "the JACK server runs at \(rate) Hz; supported rates are \(Engine.sampleRates.lowerBound) to "
                + "\(Engine.sampleRates.upperBound) Hz"
        case .system(let call, let code): unsafe "\(call): \(String(cString: strerror(code)))"
        }
    }
}
