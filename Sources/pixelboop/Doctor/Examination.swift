import PixelBoopClient
import Systemd
import Wire

/// What doctor has seen of the machine, for the checks to judge: plain values, so that tests plant each fault.
struct Examination: Sendable {
    /// A daemon's answers about itself.
    struct Daemon: Sendable {
        var version: String
        var state = InstrumentState()
        var statistics: Statistics?
        /// Nil when the daemon is too old to say.
        var ports: [InstrumentPort]? = []
    }

    /// The system's data of a process.
    struct Process: Sendable {
        var rights: SchedulingRights
        /// Whether one of its threads runs in real time; nil when that cannot be seen.
        var hasRealTimeThread: Bool?
        /// Whether its libjack is PipeWire's; nil when that cannot be seen.
        var usesPipeWire: Bool?
    }

    /// The file of a control socket.
    struct Socket: Sendable {
        var isSocket: Bool
        var mode: UInt32
        var owner: String
        var group: String
    }

    /// A folder that the daemon writes in.
    struct Folder: Sendable {
        var name: String
        var path: String
        /// Nil when it cannot be looked at.
        var freeBytes: Int?
        var isReadOnly = false
    }

    /// A running gateway, and whether it answers at its first address.
    struct Gateway: Sendable {
        var address: String
        /// Whether it is the system's.
        var isSystem = false
        /// Why it does not answer; nil when it does.
        var refusal: String?
    }

    var version = ProgramVersion.current
    /// The daemon in words: `your own, /run/user/1000/pixelboop/control.sock`.
    var place = ""
    /// Whether it is the system's daemon.
    var isSystem = false
    /// Whether there may be a daemon of the system's that does not let this user in.
    var isShutOut = false
    var daemon: Result<Daemon, ClientError>
    /// The daemon's; nil when it cannot be found, as that of another machine.
    var process: Process?
    /// The rights of the shell that doctor runs in, which a daemon started there would have.
    var shell = SchedulingRights.current
    /// The socket's file; nil when it is missing or not accessible.
    var socket: Socket?
    /// Those of `jackd`, `jackdbus` and `pipewire` that run.
    var servers: Set<String> = []
    var folders: [Folder] = []
    var gateways: [Gateway] = []
    /// The errors in the daemon's configuration, a line each.
    var configurationErrors: [String] = []

    /// The daemon's answers; nil without one.
    var answers: Daemon? { try? daemon.get() }
    var audio: AudioState? { answers?.state.audio }
}
