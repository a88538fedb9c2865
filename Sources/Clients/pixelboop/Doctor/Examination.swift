import Instrument
import PixelBoopClient
import Systemd
import Wire

/// What doctor found out about the machine, for the checks to judge: plain values, so that tests can plant each fault.
struct Examination: Sendable {
    /// A daemon's answers about itself.
    struct Daemon: Sendable {
        var version: String
        var state = InstrumentState()
        var statistics: Statistics?
        /// Nil if the daemon is too old to report them.
        var ports: [InstrumentPort]? = []
        /// Likewise.
        var takes: TakeList? = TakeList(takes: [])
    }

    /// What the system reports about a process.
    struct Process: Sendable {
        var rights: SchedulingRights
        /// Whether one of its threads runs in real time; nil if unknown.
        var hasRealTimeThread: Bool?
        /// Whether its libjack is PipeWire's; nil if unknown.
        var usesPipeWire: Bool?
    }

    /// The file of the control socket.
    struct Socket: Sendable {
        var isSocket: Bool
        var mode: UInt32
        var owner: String
        var group: String
        /// The modes of the folders above it, and their groups.
        var folders: [SocketPlace] = []

        struct SocketPlace: Sendable {
            var mode: UInt32
            var group: String
        }

        /// Whether every user can connect: connecting needs the right to write to the socket, and to pass all folders
        /// above it. The right to read it (mode 755) is not enough.
        var admitsEveryone: Bool {
            mode & 0o002 != 0 && folders.allSatisfy { $0.mode & 0o001 != 0 }
        }

        /// Whether the socket's group can connect.
        var admitsGroup: Bool {
            mode & 0o020 != 0
                && folders.allSatisfy { $0.mode & 0o001 != 0 || $0.group == group && $0.mode & 0o010 != 0 }
        }
    }

    /// A folder that the daemon writes in.
    struct Folder: Sendable {
        var name: String
        var path: String
        /// Nil if it cannot be examined.
        var freeBytes: Int?
        var isReadOnly = false
    }

    struct Gateway: Sendable {
        var address: String
        /// Whether it is the system's.
        var isSystem = false
        /// Whether only this machine reaches it.
        var isLocal = true
        /// Why it does not answer; nil if it does.
        var refusal: String?
    }

    var version = ProgramVersion.current
    /// The daemon in words: `your own, /run/user/1000/pixelboop/control.sock`.
    var place = ""
    /// Whether it is the system's daemon.
    var isSystem = false
    /// Whether there may be a system daemon that does not admit this user.
    var isShutOut = false
    var daemon: Result<Daemon, ClientError>
    /// The daemon's process; nil if it cannot be found, as with one on another machine.
    var process: Process?
    /// The rights of the shell that doctor runs in, which a daemon started there would have.
    var shell = SchedulingRights.current
    /// The socket's file; nil when it is missing or not accessible.
    var socket: Socket?
    /// Those of `jackd`, `jackdbus` and `pipewire` that are running.
    var servers: Set<String> = []
    var folders: [Folder] = []
    var gateways: [Gateway] = []
    /// The errors in the daemon's configuration, one line each.
    var configurationErrors: [String] = []

    /// The daemon's answers; nil without one.
    var answers: Daemon? { try? daemon.get() }
    var audio: AudioState? { answers?.state.audio }
    /// Whether the daemon plays without a JACK server.
    var isInternal: Bool { audio?.driver == .own }
}
