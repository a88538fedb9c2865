import Glibc
import NIOCore
import NIOPosix

/// Watches a file for changes with inotify(7): through its folder, because the file is replaced and not rewritten.
/// Polls only while the folder is missing or inotify is not available.
final class TokenWatch: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let folder: String
    private let name: [UInt8]
    private let eventLoop: any EventLoop
    private let changed: () -> Void
    private var descriptor: CInt = -1
    private var channel: (any Channel)?
    private var retry: Scheduled<Void>?
    private var isStopped = false

    /// The interval between attempts when there are no events.
    private static let patience = TimeAmount.milliseconds(500)
    /// A complete file that is linked into the folder causes only IN_CREATE.
    private static let events =
        IN_CREATE | IN_CLOSE_WRITE | IN_MOVED_TO | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF | CInt(IN_ONLYDIR)

    /// - Parameter changed: Called on the event loop whenever the file may have changed.
    init(_ path: String, on eventLoop: any EventLoop, changed: @escaping () -> Void) {
        let slash = path.lastIndex(of: "/")
        let end = slash.map { $0 == path.startIndex ? path.index(after: $0) : $0 }
        folder = end.map { String(path[..<$0]) } ?? "."
        name = Array(path[(slash.map { path.index(after: $0) } ?? path.startIndex)...].utf8)
        self.eventLoop = eventLoop
        self.changed = changed
    }

    func start() {
        descriptor = inotify_init1(CInt(IN_NONBLOCK) | CInt(IN_CLOEXEC))
        guard descriptor >= 0 else { return lookAgain() }
        let watch = NIOLoopBound(self, eventLoop: eventLoop)
        NIOPipeBootstrap(group: eventLoop)
            // Less than an event with the longest name is read as an error.
            .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 4096))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(watch.value) }
            }
            .takingOwnershipOfDescriptor(input: descriptor)
            .assumeIsolated()
            .whenComplete { [self] result in
                switch result {
                case .success(let channel):
                    self.channel = channel
                    if isStopped { stop() } else { watchFolder() }
                case .failure:
                    close(descriptor)
                    descriptor = -1
                    lookAgain()
                }
            }
    }

    func stop() {
        isStopped = true
        retry?.cancel()
        channel?.close(promise: nil)
        channel = nil
    }

    private func watchFolder() {
        let before = place
        let watch = inotify_add_watch(descriptor, folder, UInt32(bitPattern: Self.events))
        guard watch >= 0 else { return lookAgain() }
        // If the folder was moved just before it was watched, the events would be those of the old one.
        guard let before, let place, place == before else {
            inotify_rm_watch(descriptor, watch)
            return lookAgain()
        }
        // It may have changed before.
        changed()
    }

    private var place: [UInt]? {
        var status = stat()
        return stat(folder, &status) == 0 ? [status.st_dev, status.st_ino] : nil
    }

    /// Looks, and tries to watch, after a while.
    private func lookAgain() {
        retry?.cancel()
        retry = eventLoop.assumeIsolated().scheduleTask(in: Self.patience) { [self] in
            changed()
            if channel == nil { lookAgain() } else { watchFolder() }
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var events = unwrapInboundIn(data)
        var (isChanged, isLost) = (false, false)
        // Which watch, what happened, a cookie, the bytes of the name.
        while let head = events.readMultipleIntegers(endianness: .host, as: (CInt, UInt32, UInt32, UInt32).self),
            let name = events.readSlice(length: Int(head.3))
        {
            func happened(_ event: CInt) -> Bool { head.1 & UInt32(bitPattern: event) != 0 }
            let isFile = name.readableBytesView.prefix { $0 != 0 }.elementsEqual(self.name)
            if isFile || happened(CInt(IN_Q_OVERFLOW)) { isChanged = true }
            if happened(CInt(IN_MOVE_SELF)) { inotify_rm_watch(descriptor, head.0) }
            if happened(CInt(IN_IGNORED)) { isLost = true }
        }
        if isChanged { changed() }
        if isLost { lookAgain() }
    }
}
