import CEpoll
import Glibc
import JackTestSupport

/// A listening socket and its connections, served through epoll.
struct BareLoop {
    private let listener: CInt
    private let poller: CInt

    init(listeningAt path: String) throws {
        listener = try BareLoop.listen(at: path)
        poller = epoll_create1(0)
        watch(listener)
    }

    /// A listening socket.
    static func listen(at path: String) throws -> CInt {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        guard withUnixAddress(path, { bind(descriptor, $0, $1) }) == 0, Glibc.listen(descriptor, 4096) == 0 else {
            throw LineSocket.Failure(call: "listen at \(path)")
        }
        return descriptor
    }

    /// Serves for ever.
    ///
    /// - Parameter onInput: Called when there is something to read; if it returns false, the connection is closed.
    func run(onInput: (CInt) -> Bool) -> Never {
        var events = [epoll_event](repeating: epoll_event(), count: 64)
        while true {
            let count = epoll_wait(poller, &events, CInt(events.count), -1)
            for index in 0..<max(0, Int(count)) {
                let socket = events[index].data.fd
                if socket == listener {
                    watch(accept(listener, nil, nil))
                } else if !onInput(socket) {
                    close(socket)
                }
            }
        }
    }

    private func watch(_ descriptor: CInt) {
        var event = epoll_event(events: EPOLLIN.rawValue, data: epoll_data_t(fd: descriptor))
        epoll_ctl(poller, EPOLL_CTL_ADD, descriptor, &event)
    }

    /// A line of the given number of bytes, its newline included.
    static func line(of length: Int) -> [UInt8] {
        length == 0 ? [] : [UInt8](repeating: UInt8(ascii: "x"), count: length - 1) + [UInt8(ascii: "\n")]
    }
}
