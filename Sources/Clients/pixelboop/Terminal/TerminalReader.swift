import FoundationEssentials
import Glibc
import SystemSupport
import TerminalGrid

/// Something that happened at the terminal.
enum TerminalEvent: Equatable, Sendable {
    case input(InputEvent)
    /// Its size has changed.
    case resized(TerminalSize)
    /// The program was suspended and continues; the screen is empty.
    case resumed(TerminalSize)
    /// A signal asked the program to end.
    case ended(signal: Int32)
}

/// Reads a terminal, on a thread of its own because reading blocks, and also handles suspending and resuming.
final class TerminalReader: Sendable {
    /// Milliseconds after which a lone escape character counts as a key.
    private static let escapeTimeout: Int32 = 50
    /// Milliseconds without anything pasted after which a paste has ended, even if the terminal does not say so: keys must
    /// work again.
    private static let pasteTimeout: Int32 = 3000
    /// Written into the pipe instead of a signal's number.
    private static let stopNumber: UInt8 = 0
    private static let signals = [SIGWINCH, SIGTSTP, SIGCONT, SIGINT, SIGTERM, SIGHUP, SIGQUIT]
    /// More than anyone types while the program hangs.
    private static let capacity = 4096

    let events: AsyncStream<TerminalEvent>

    private let terminal: Terminal
    private let continuation: AsyncStream<TerminalEvent>.Continuation

    /// Starts reading; ``Terminal/enter(mouse:)`` must have been called.
    init(terminal: Terminal) throws {
        self.terminal = terminal
        (events, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(TerminalReader.capacity))
        let signalPipe = try SignalPipe.listen(for: TerminalReader.signals)
        try OrdinaryThread.start(name: "terminal") { [self] in run(signalPipe) }
    }

    /// Ends the thread and the events.
    func stop() {
        SignalPipe.wake(with: TerminalReader.stopNumber)
    }

    private func run(_ signalPipe: Int32) {
        var decoder = InputDecoder()
        var sources = [
            pollfd(fd: signalPipe, events: Int16(POLLIN), revents: 0),
            pollfd(fd: terminal.input, events: Int16(POLLIN), revents: 0),
        ]
        while true {
            let timeout = decoder.isPasting ? TerminalReader.pasteTimeout : TerminalReader.escapeTimeout
            let count = poll(&sources, 2, decoder.isPending ? timeout : -1)
            if count < 0 && errno != EINTR { break }
            if count == 0, let event = decoder.flush() { continuation.yield(.input(event)) }
            if count > 0 && sources[0].revents != 0 && !readSignals(signalPipe) { break }
            if count > 0 && sources[1].revents != 0 && !readInput(&decoder) { break }
        }
        continuation.finish()
    }

    /// False if the terminal is gone.
    private func readInput(_ decoder: inout InputDecoder) -> Bool {
        var bytes = [UInt8](repeating: 0, count: 1024)
        let count = read(terminal.input, &bytes, bytes.count)
        if count < 0 { return errno == EINTR || errno == EAGAIN }
        for byte in bytes.prefix(count) {
            if let event = decoder.decode(byte) { continuation.yield(.input(event)) }
        }
        return count > 0
    }

    /// False if the reader should stop.
    private func readSignals(_ pipe: Int32) -> Bool {
        var numbers = [UInt8](repeating: 0, count: 64)
        let count = read(pipe, &numbers, numbers.count)
        for number in numbers.prefix(max(count, 0)) {
            guard number != TerminalReader.stopNumber else { return false }
            handle(signal: Int32(number))
        }
        return true
    }

    private func handle(signal: Int32) {
        switch signal {
        case SIGWINCH: continuation.yield(.resized(terminal.size))
        case SIGTSTP:
            terminal.leave()
            // What the signal's default action does, which the handler replaced.
            kill(getpid(), SIGSTOP)
        case SIGCONT:
            // In the background the terminal is the shell's: waits until the foreground, as the kernel would stop
            // this thread if it did not block the signal.
            guard !terminal.isOthers else {
                kill(getpid(), SIGTTOU)
                return
            }
            terminal.enterAgain()
            continuation.yield(.resumed(terminal.size))
        default: continuation.yield(.ended(signal: signal))
        }
    }
}
