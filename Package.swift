// swift-tools-version: 6.2
import PackageDescription

// PIXELBOOP_WITHOUT_TLS leaves out HTTPS, whose library takes a third of the time that the programs take to build: scripts/run
// does without it where no certificate is configured.
let hasTLS = Context.environment["PIXELBOOP_WITHOUT_TLS"] == nil

// The scripts name the builds between two releases, `git20261128213000.0123abcd`; a release has no such name.
let build = Context.environment["PIXELBOOP_BUILD"] ?? "dev"
let version = "0.2.0" + (build.isEmpty ? "" : "~" + build)

// The products of other packages.
let products = [
    "ArgumentParser": "swift-argument-parser", "Logging": "swift-log", "NIOConcurrencyHelpers": "swift-nio",
    "NIOCore": "swift-nio", "NIOEmbedded": "swift-nio", "NIOHTTP1": "swift-nio", "NIOPosix": "swift-nio",
    "NIOSSL": "swift-nio-ssl", "NIOWebSocket": "swift-nio", "ServiceLifecycle": "swift-service-lifecycle",
    "TOMLKit": "TOMLKit", "UnixSignals": "swift-service-lifecycle",
]

func dependencies(_ names: [String]) -> [Target.Dependency] {
    names.filter { hasTLS || $0 != "NIOSSL" }.map { name in
        products[name].map { .product(name: name, package: $0) } ?? .byName(name: name)
    }
}

// The rows below are what there is. `in` is the folder in Sources or Tests; `uses` are the modules that it imports, and `system`
// those that come with Swift. scripts/check-imports compares the sources with the rows, and makes the table in
// docs/architecture.md from them.

func module(
    _ name: String, in folder: String, _ purpose: String, uses: [String] = [], system: [String] = [],
    exclude: [String] = [], c: [CSetting] = [], cxx: [CXXSetting] = [], linker: [LinkerSetting] = []
) -> Target {
    .target(
        name: name, dependencies: dependencies(uses), path: "Sources/\(folder)/\(name)", exclude: exclude,
        cSettings: c, cxxSettings: cxx, linkerSettings: linker)
}

func program(
    _ name: String, in folder: String, _ purpose: String, uses: [String], system: [String] = [], exclude: [String] = []
) -> Target {
    .executableTarget(
        name: name, dependencies: dependencies(uses), path: "Sources/\(folder)/\(name)", exclude: exclude)
}

func systemLibrary(_ name: String, _ purpose: String, pkgConfig: String? = nil, apt package: String? = nil) -> Target {
    .systemLibrary(
        name: name, path: "Sources/C/\(name)", pkgConfig: pkgConfig, providers: package.map { [.apt([$0])] })
}

func suite(
    _ name: String, in folder: String, at path: String? = nil, uses: [String], exclude: [String] = []
) -> Target {
    .testTarget(
        name: name, dependencies: dependencies(uses), path: "Tests/\(folder)/\(path ?? name)", exclude: exclude)
}

func testLibrary(_ name: String, at path: String, uses: [String], exclude: [String] = []) -> Target {
    .target(name: name, dependencies: dependencies(uses), path: "Tests/\(path)", exclude: exclude)
}

func testProgram(_ name: String, at path: String, uses: [String], exclude: [String] = []) -> Target {
    .executableTarget(
        name: name, dependencies: dependencies(uses), path: "Tests/Programs/\(path)", exclude: exclude)
}

let package = Package(
    name: "pixelboop",
    products: [
        .library(name: "PixelBoopClient", targets: ["PixelBoopClient"]),
        .library(name: "SurfaceKit", targets: ["SurfaceKit"]),
        .executable(name: "pixelboop", targets: ["pixelboop"]),
        .executable(name: "pixelboopd", targets: ["pixelboopd"]),
        .executable(name: "pixelboop-web", targets: ["pixelboop-web"]),
        .executable(name: "pixelboop-lights", targets: ["pixelboop-lights"]),
        .executable(name: "pixelboop-link", targets: ["pixelboop-link"]),
        .executable(name: "pixelboop-osc", targets: ["pixelboop-osc"]),
        .executable(name: "pixelboop-grid", targets: ["pixelboop-grid"]),
        .executable(name: "pixelboop-nsm", targets: ["pixelboop-nsm"]),
    ],
    dependencies: [
        // The oldest versions that were tested, and newer ones: distributions and those who use the libraries PixelBoopClient
        // and SurfaceKit have versions of their own. docs/packaging.md lists what was tested.
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/LebJe/TOMLKit", from: "0.6.0"),
    ],
    targets: [
        // Music
        module(
            "Music", in: "Music",
            "the pattern, its key, slots, history and parameters, and which step plays when; plain values",
            system: ["Glibc"], linker: [.linkedLibrary("m", .when(platforms: [.linux]))]),
        module(
            "Instrument", in: "Music",
            "what the instrument is asked and what it reports: commands, transport, audio and sync states, events",
            uses: ["Music"], system: ["Glibc"]),
        module(
            "Grid", in: "Music",
            "where everything is on the grid; colours, `Frame`, the pixel font; touches, tooltips and sizes",
            uses: ["Music"]),
        module(
            "Gestures", in: "Music", "turns touches and time into actions: a state machine without effects",
            uses: ["Grid", "Instrument", "Music"]),
        module("Rendering", in: "Music", "draws a scene as a frame", uses: ["Grid", "Music"]),
        module(
            "Session", in: "Music", "the only owner of state",
            uses: ["Engine", "Gestures", "Grid", "Instrument", "Music", "Rendering"], system: ["Glibc"]),

        // Sound
        module(
            "Engine", in: "Sound", "everything that sounds: transport, sequencer, MIDI, voices, mixer, effects",
            uses: ["Instrument", "Music"], system: ["Synchronization"]),
        module(
            "OfflineAudio", in: "Sound", "runs the engine into buffers, faster than real time; plays takes again",
            uses: ["CLinux", "Engine", "Instrument"]),
        module(
            "JackAudio", in: "Sound", "the JACK client: ports, process callback, reconnection",
            uses: ["CJack", "CLinux", "Engine", "Instrument", "Music", "SystemSupport"],
            system: ["Dispatch", "Glibc", "Synchronization"]),
        module(
            "InternalAudio", in: "Sound", "the driver that needs no server: a real-time thread of its own",
            uses: ["CLinux", "Engine", "Instrument", "Music", "SystemSupport"], system: ["Glibc", "Synchronization"]),

        // Formats
        module(
            "JSON", in: "Formats",
            "JSON values, a strict parser and a writer; fields whose kind knows how to read, write and describe them"),
        module(
            "PatternFormat", in: "Formats",
            "patterns as JSON, and the kinds of values that files share with the protocol",
            uses: ["Grid", "JSON", "Music"], system: ["FoundationEssentials"]),
        module(
            "Wire", in: "Formats", "the protocol: every method and message described once, errors and their codes",
            uses: ["CVersion", "Grid", "Instrument", "JSON", "Music", "PatternFormat"],
            system: ["FoundationEssentials"]),
        module("SQLite", in: "Formats", "a database: connections, statements and errors", uses: ["CSQLite"]),
        module(
            "Store", in: "Formats",
            "the session as a database: each change a row, snapshots between them, copies, and recovery",
            uses: ["JSON", "Music", "PatternFormat", "SQLite", "SystemSupport"],
            system: ["Dispatch", "FoundationEssentials", "Glibc", "Synchronization"]),
        module(
            "Files", in: "Formats", "the library of patterns; the kinds of files that are exported",
            uses: ["Music", "PatternFormat", "SystemSupport"], system: ["Glibc"]),
        module(
            "Media", in: "Formats", "sound files, MIDI files, kits of samples",
            uses: ["CSampleRate", "CSndFile", "Files", "Instrument", "JSON", "Music", "SystemSupport"],
            system: ["Glibc"]),
        module(
            "Export", in: "Formats", "renders documents and takes into sound files, and takes into MIDI files",
            uses: ["Engine", "Files", "Media", "Music", "OfflineAudio", "SystemSupport", "Takes"],
            system: ["Dispatch", "Synchronization"]),
        module(
            "Takes", in: "Formats", "performances in a database, compressed; what scores were made of as changes",
            uses: ["CZlib", "Engine", "Instrument", "Music", "SQLite", "SystemSupport"],
            system: ["Glibc", "Synchronization"]),
        module("OSC", in: "Formats", "Open Sound Control 1.0: packets and SLIP, read and written"),

        // Daemon
        module(
            "Control", in: "Daemon",
            "the control core: loop, conversations, handlers, subscriptions, diffs; no sockets",
            uses: [
                "Engine", "Gestures", "Grid", "Instrument", "JSON", "Logging", "Music", "NIOCore", "PatternFormat",
                "ServerSupport", "Session", "Wire",
            ], system: ["Synchronization"]),
        module(
            "UnixSocket", in: "Daemon", "the control socket: listener, connections, back-pressure, who may connect",
            uses: ["Control", "Logging", "NIOCore", "NIOPosix", "ServerSupport", "SystemSupport"], system: ["Glibc"]),
        module(
            "DaemonKit", in: "Daemon", "the daemon: connects its parts, and starts and stops them in order",
            uses: [
                "CLinux", "Configuration", "Control", "Engine", "Export", "Files", "Instrument", "InternalAudio",
                "JackAudio", "JSON", "Logging", "Media", "Music", "NIOConcurrencyHelpers", "NIOCore", "NIOPosix",
                "OfflineAudio", "PatternFormat", "ServiceLifecycle", "Session", "SQLite", "Store", "Systemd",
                "SystemSupport", "Takes", "UnixSignals", "UnixSocket", "Wire",
            ], system: ["Dispatch", "FoundationEssentials", "Glibc", "Synchronization"]),
        program(
            "pixelboopd", in: "Daemon", "the daemon's `@main`",
            uses: ["ArgumentParser", "Configuration", "DaemonKit", "ServiceCommand"],
            system: ["FoundationEssentials", "Glibc"]),

        // Clients
        module(
            "PixelBoopClient", in: "Clients", "the client library (a public product)",
            uses: [
                "Grid", "Instrument", "JSON", "Music", "NIOCore", "NIOPosix", "PatternFormat", "ServerSupport",
                "SystemSupport", "Wire",
            ], system: ["FoundationEssentials", "Glibc", "Synchronization"]),
        module(
            "TerminalGrid", in: "Clients", "the grid in a terminal, and the terminal's input, as pure functions",
            uses: ["Grid"], system: ["Glibc"]),
        program(
            "pixelboop", in: "Clients", "the command line and the instrument in a terminal",
            uses: [
                "ArgumentParser", "Configuration", "CPNG", "Export", "Files", "Grid", "Instrument", "JSON", "Media",
                "Music", "PatternFormat", "PixelBoopClient", "Systemd", "SystemSupport", "TerminalGrid", "Wire",
            ], system: ["FoundationEssentials", "Glibc", "Synchronization"]),
        module(
            "WebPage", in: "Clients",
            "the page in a browser, and the C that puts its files into the program (`#embed`)",
            exclude: ["package.json", "Page"]),
        module(
            "WebGateway", in: "Clients", "the gateway: HTTP, access control, WebSockets relayed to the control socket",
            uses: [
                "CQREncode", "CZlib", "JSON", "Logging", "NIOCore", "NIOHTTP1", "NIOPosix", "NIOWebSocket",
                "ServerSupport", "SystemSupport", "WebPage",
            ], system: ["Glibc"]),
        program(
            "pixelboop-web", in: "Clients", "the gateway's `@main`, configuration, signals",
            uses: [
                "ArgumentParser", "Configuration", "Logging", "NIOCore", "NIOPosix", "NIOSSL", "ServiceCommand",
                "Systemd", "WebGateway", "Wire",
            ], system: ["FoundationEssentials", "Glibc"]),
        module(
            "OSCBridge", in: "Clients",
            "translates between Open Sound Control and the protocol, with a daemon connection for each sender",
            uses: [
                "Configuration", "Grid", "JSON", "Logging", "NIOCore", "NIOPosix", "OSC", "PixelBoopClient",
                "ServerSupport", "Wire",
            ], system: ["Glibc", "Synchronization"]),
        program(
            "pixelboop-osc", in: "Clients", "the OSC bridge's `@main`",
            uses: ["ArgumentParser", "Configuration", "Logging", "OSCBridge", "ServiceCommand", "Wire"]),
        module(
            "NSMClient", in: "Clients",
            "sessions of New Session Manager: a daemon for each, started, saved and ended as the manager asks",
            uses: [
                "CLinux", "Configuration", "Instrument", "Logging", "Music", "NIOCore", "NIOPosix", "OSC",
                "PixelBoopClient", "ServiceCommand", "SystemSupport",
            ], system: ["FoundationEssentials", "Glibc", "Synchronization"]),
        program(
            "pixelboop-nsm", in: "Clients", "the session manager's client: its `@main`",
            uses: ["ArgumentParser", "Configuration", "NSMClient", "ServiceCommand", "Wire"]),
        module(
            "LinkBridge", in: "Clients",
            "connects a Link session with the daemon; only `pixelboop-link` may contain it",
            uses: ["CLinkSession", "Instrument", "Logging", "Music", "PixelBoopClient", "Wire"]),
        program(
            "pixelboop-link", in: "Clients", "the Link bridge's `@main`",
            uses: ["ArgumentParser", "Configuration", "LinkBridge", "ServiceCommand", "Wire"], exclude: ["LICENSE"]),

        // Surfaces
        module(
            "SurfaceKit", in: "Surfaces",
            "what surfaces share: connecting, and reconnecting when the daemon is back (a public product)",
            uses: ["Configuration", "Logging", "PixelBoopClient", "ServiceCommand"]),
        module(
            "Lights", in: "Surfaces",
            "walls of lights: what they show, in which packets (DDP, Art-Net, sACN), and when",
            uses: [
                "Configuration", "Grid", "Logging", "PixelBoopClient", "ServiceCommand", "SurfaceKit",
                "SystemSupport", "TerminalGrid",
            ], system: ["Dispatch", "FoundationEssentials", "Glibc", "Synchronization"]),
        program(
            "pixelboop-lights", in: "Surfaces", "the lights' `@main`",
            uses: ["ArgumentParser", "Configuration", "Lights", "ServiceCommand", "SurfaceKit", "Wire"]),
        module(
            "Controllers", in: "Surfaces",
            "controllers with pads: their pages, fingers and lights; Launchpads over JACK MIDI and monomes over OSC",
            uses: [
                "CJack", "Configuration", "Grid", "Instrument", "Logging", "Music", "OSC", "PixelBoopClient",
                "ServiceCommand", "SurfaceKit", "SystemSupport",
            ], system: ["Dispatch", "FoundationEssentials", "Glibc", "Synchronization"]),
        program(
            "pixelboop-grid", in: "Surfaces", "the controllers' `@main`",
            uses: ["ArgumentParser", "Configuration", "Controllers", "ServiceCommand", "SurfaceKit", "Wire"]),

        // System
        module(
            "SystemSupport", in: "System",
            "threads that may block, memory and rights of audio threads, files written whole or not at all, sockets",
            uses: ["CLinux"], system: ["Dispatch", "Glibc", "Synchronization"]),
        module(
            "ServerSupport", in: "System",
            "what servers share: streams cut into lines, listeners that pause without descriptors, room for each host",
            uses: ["Logging", "NIOCore"]),
        module(
            "Systemd", in: "System", "communication with systemd: readiness, watchdog, passed sockets, limits, log",
            uses: ["CLinux", "Logging", "SystemSupport"],
            system: ["Dispatch", "FoundationEssentials", "Glibc", "Synchronization"]),
        module(
            "Configuration", in: "System", "settings from file, environment and flags",
            uses: ["Instrument", "Music", "SystemSupport", "TOMLKit"], system: ["FoundationEssentials", "Glibc"]),
        module(
            "ServiceCommand", in: "System",
            "what all command lines of services share: flags, exit codes, log, signals and shutdown",
            uses: ["ArgumentParser", "Configuration", "Logging", "Systemd", "SystemSupport", "UnixSignals"],
            system: ["Dispatch", "FoundationEssentials", "Glibc"]),

        // C
        systemLibrary("CLinux", "what Swift's Glibc module leaves out"),
        systemLibrary("CJack", "libjack as a module", pkgConfig: "jack", apt: "libjack-jackd2-dev"),
        systemLibrary("CSQLite", "libsqlite3 as a module", pkgConfig: "sqlite3", apt: "libsqlite3-dev"),
        systemLibrary("CSndFile", "libsndfile as a module", pkgConfig: "sndfile", apt: "libsndfile1-dev"),
        systemLibrary("CSampleRate", "libsamplerate as a module", pkgConfig: "samplerate", apt: "libsamplerate0-dev"),
        systemLibrary("CPNG", "libpng as a module", pkgConfig: "libpng", apt: "libpng-dev"),
        systemLibrary("CZlib", "zlib as a module", pkgConfig: "zlib", apt: "zlib1g-dev"),
        systemLibrary("CQREncode", "libqrencode as a module", pkgConfig: "libqrencode", apt: "libqrencode-dev"),
        module(
            "CLinkSession", in: "C", "Ableton Link (GPL) behind a C header",
            cxx: [.define("LINK_PLATFORM_LINUX"), .define("LINK_PLATFORM_UNIX")]),
        module(
            "CVersion", in: "C", "the version of the programs",
            c: [.define("PIXELBOOP_VERSION", to: "\"\(version)\"")]),

        // What tests share.
        testLibrary(
            "CannedDaemon", at: "Support/CannedDaemon",
            uses: ["Grid", "JSON", "NIOCore", "NIOPosix", "TestSupport", "Wire"]),
        testLibrary(
            "ControlTestSupport", at: "Support/ControlTestSupport",
            uses: [
                "Control", "Engine", "Grid", "Instrument", "JSON", "Logging", "Music", "NIOCore", "NIOPosix",
                "Session", "TestSupport", "UnixSocket", "Wire",
            ]),
        testLibrary(
            "DaemonTestSupport", at: "Support/DaemonTestSupport",
            uses: ["Instrument", "JackTestSupport", "Music", "PixelBoopClient", "SystemSupport", "TestSupport", "Wire"]),
        testLibrary(
            "GatewayTestSupport", at: "Support/GatewayTestSupport",
            uses: ["Logging", "NIOCore", "NIOPosix", "WebGateway"]),
        testLibrary(
            "ProgramTestSupport", at: "Support/ProgramTestSupport", uses: ["Grid", "TerminalGrid", "TestSupport"]),
        testLibrary("JackTestSupport", at: "Support/JackTestSupport", uses: ["CJack", "SystemSupport", "TestSupport"]),
        testLibrary("LinkTestSupport", at: "Support/LinkTestSupport", uses: ["DaemonTestSupport", "TestSupport"]),
        testLibrary("StoreTestSupport", at: "Support/StoreTestSupport", uses: ["CSQLite"]),
        testLibrary("SurfaceTestSupport", at: "Support/SurfaceTestSupport", uses: ["SystemSupport", "TestSupport"]),
        testLibrary("TestNeeds", at: "Support/TestNeeds", uses: ["TestSupport"]),
        testLibrary("TestSupport", at: "Support/TestSupport", uses: ["CLinux", "Grid", "Music", "SystemSupport"]),

        // Tests of Music
        suite("MusicTests", in: "Music", uses: ["Music", "TestSupport"]),
        suite("GridTests", in: "Music", uses: ["Grid", "Music", "TestSupport"]),
        suite("GesturesTests", in: "Music", uses: ["Gestures", "Grid", "Instrument", "Music", "TestSupport"]),
        suite("RenderingTests", in: "Music", uses: ["Grid", "Music", "Rendering", "TestSupport"]),
        suite(
            "SessionTests", in: "Music",
            uses: [
                "Engine", "Gestures", "Grid", "Instrument", "Music", "OfflineAudio", "Rendering", "Session",
                "TestSupport",
            ]),

        // Tests of Sound
        suite("InternalAudioTests", in: "Sound", uses: ["Engine", "InternalAudio", "TestSupport"]),
        suite(
            "JackAudioTests", in: "Sound",
            uses: [
                "CJack", "CLinux", "Engine", "Instrument", "JackAudio", "JackTestSupport", "Music", "SystemSupport",
                "TestNeeds", "TestSupport",
            ]),
        suite(
            "EngineTests", in: "Sound",
            uses: ["Engine", "Instrument", "Music", "OfflineAudio", "PatternFormat", "TestSupport"],
            exclude: ["Exchange", "Golden"]),
        suite("ExchangeTests", in: "Sound", at: "EngineTests/Exchange", uses: ["Engine", "TestSupport"]),
        suite("OfflineAudioTests", in: "Sound", uses: ["Engine", "Instrument", "Music", "OfflineAudio"]),

        // Tests of Formats
        suite("JSONTests", in: "Formats", uses: ["JSON", "TestSupport"]),
        suite(
            "PatternFormatTests", in: "Formats", uses: ["JSON", "Music", "PatternFormat", "TestSupport"],
            exclude: ["Files"]),
        suite("SQLiteTests", in: "Formats", uses: ["SQLite", "TestSupport"]),
        suite(
            "TakesTests", in: "Formats",
            uses: [
                "Engine", "Export", "Instrument", "Media", "Music", "OfflineAudio", "SQLite", "Takes", "TestSupport",
            ]),
        suite(
            "StoreTests", in: "Formats",
            uses: [
                "JSON", "Music", "SQLite", "Store", "StoreTestSupport", "SystemSupport", "TestNeeds", "TestSupport",
            ]),
        suite(
            "FilesTests", in: "Formats",
            uses: ["Files", "Music", "PatternFormat", "SystemSupport", "TestNeeds", "TestSupport"]),
        suite(
            "MediaTests", in: "Formats",
            uses: [
                "CSndFile", "Engine", "Media", "Music", "OfflineAudio", "SystemSupport", "TestNeeds", "TestSupport",
            ]),
        suite(
            "WireTests", in: "Formats",
            uses: ["Grid", "Instrument", "JSON", "Music", "PatternFormat", "TestSupport", "Wire"]),
        suite("OSCTests", in: "Formats", uses: ["OSC", "TestSupport"]),
        suite(
            "ExportTests", in: "Formats", uses: ["Engine", "Export", "Media", "Music", "OfflineAudio", "TestSupport"]),
        suite("FuzzTests", in: "Formats", uses: ["FuzzTargets", "TestSupport"]),

        // Tests of Daemon
        suite(
            "EndToEndTests", in: "Daemon",
            uses: [
                "Configuration", "Control", "DaemonTestSupport", "Engine", "Export", "Grid", "Instrument",
                "JackTestSupport", "JSON", "Media", "Music", "OfflineAudio", "pixelboop", "pixelboop-nsm",
                "PixelBoopClient", "pixelboopd", "ProgramTestSupport", "Takes", "TerminalGrid", "TestNeeds",
                "TestSupport", "Wire",
            ]),
        suite(
            "ControlTests", in: "Daemon",
            uses: [
                "Control", "ControlTestSupport", "Engine", "Gestures", "Grid", "Instrument", "JSON", "Music",
                "NIOCore", "NIOPosix", "OfflineAudio", "PatternFormat", "ServerSupport", "Session", "TestSupport",
                "Wire",
            ]),
        suite(
            "UnixSocketTests", in: "Daemon",
            uses: [
                "Control", "ControlTestSupport", "JSON", "Music", "NIOCore", "NIOPosix", "PatternFormat", "Session",
                "TestSupport", "UnixSocket", "Wire",
            ]),
        suite(
            "DaemonKitTests", in: "Daemon",
            uses: [
                "Control", "DaemonKit", "Export", "Files", "JSON", "Media", "Music", "SystemSupport", "Takes",
                "TestSupport", "Wire",
            ]),

        // Tests of Clients
        suite(
            "LinkTests", in: "Clients",
            uses: [
                "DaemonTestSupport", "Instrument", "JackTestSupport", "link-peer", "LinkTestSupport", "Music",
                "PatternFormat", "pixelboop-link", "PixelBoopClient", "pixelboopd", "TestNeeds", "TestSupport",
                "Wire",
            ]),
        suite("TerminalGridTests", in: "Clients", uses: ["Grid", "ProgramTestSupport", "TerminalGrid", "TestSupport"]),
        suite(
            "PixelBoopClientTests", in: "Clients",
            uses: ["CannedDaemon", "Grid", "JSON", "PixelBoopClient", "TestSupport", "Wire"]),
        suite(
            "PixelBoopCLITests", in: "Clients",
            uses: [
                "ArgumentParser", "CannedDaemon", "CPNG", "Grid", "Instrument", "JSON", "Music", "pixelboop",
                "PixelBoopClient", "ProgramTestSupport", "Systemd", "TerminalGrid", "TestNeeds", "TestSupport",
                "Wire",
            ]),
        suite(
            "WebGatewayTests", in: "Clients",
            uses: [
                "CannedDaemon", "GatewayTestSupport", "JSON", "Logging", "NIOCore", "NIOEmbedded", "NIOHTTP1",
                "NIOPosix", "NIOWebSocket", "ServerSupport", "Systemd", "TestSupport", "WebGateway", "Wire",
            ]),
        suite(
            "WebProgramTests", in: "Clients",
            uses: [
                "CannedDaemon", "DaemonTestSupport", "GatewayTestSupport", "JackTestSupport", "JSON", "NIOCore",
                "NIOPosix", "NIOSSL", "pixelboop-web", "TestSupport", "WebGateway", "Wire",
            ], exclude: ["localhost.key", "localhost.pem"]),
        suite(
            "OSCBridgeTests", in: "Clients",
            uses: [
                "CannedDaemon", "Configuration", "Grid", "JSON", "Logging", "NIOCore", "NIOPosix", "OSC", "OSCBridge",
                "PixelBoopClient", "TestSupport", "Wire",
            ]),
        suite(
            "OSCProgramTests", in: "Clients",
            uses: [
                "DaemonTestSupport", "Instrument", "JackTestSupport", "JSON", "LinkTestSupport", "OSC",
                "pixelboop-osc", "PixelBoopClient", "pixelboopd", "SurfaceTestSupport", "TestNeeds", "TestSupport",
                "Wire",
            ]),
        suite(
            "NSMClientTests", in: "Clients",
            uses: ["NSMClient", "OSC", "PixelBoopClient", "SystemSupport", "TestSupport"]),
        suite(
            "NSMProgramTests", in: "Clients",
            uses: [
                "DaemonTestSupport", "JackTestSupport", "JSON", "pixelboop", "pixelboop-nsm", "PixelBoopClient",
                "pixelboopd", "SurfaceTestSupport", "TestNeeds", "TestSupport", "Wire",
            ]),

        // Tests of Surfaces
        suite(
            "SurfaceTests", in: "Surfaces",
            uses: [
                "CannedDaemon", "DaemonTestSupport", "Grid", "JSON", "Logging", "PixelBoopClient", "ServiceCommand",
                "surface-example", "SurfaceKit", "SurfaceTestSupport", "TestSupport", "Wire",
            ]),
        suite(
            "LightsTests", in: "Surfaces",
            uses: ["Configuration", "Grid", "Lights", "Logging", "SystemSupport", "TerminalGrid", "TestSupport"]),
        suite(
            "LightsProgramTests", in: "Surfaces",
            uses: [
                "DaemonTestSupport", "Grid", "Lights", "LinkTestSupport", "pixelboop-lights", "PixelBoopClient",
                "pixelboopd", "ProgramTestSupport", "SurfaceTestSupport", "TestNeeds", "TestSupport", "Wire",
            ]),
        suite(
            "ControllersTests", in: "Surfaces",
            uses: ["Controllers", "Grid", "Instrument", "Music", "OSC", "TestSupport"]),
        suite(
            "GridProgramTests", in: "Surfaces",
            uses: [
                "Controllers", "DaemonTestSupport", "Grid", "JackTestSupport", "Music", "OSC", "pixelboop-grid",
                "PixelBoopClient", "pixelboopd", "SurfaceTestSupport", "TestNeeds", "TestSupport",
            ]),

        // Tests of System
        suite(
            "ConfigurationTests", in: "System",
            uses: ["Configuration", "Controllers", "Lights", "Music", "NSMClient", "OSCBridge", "TestSupport"]),
        suite("SystemdTests", in: "System", uses: ["Logging", "Systemd", "SystemSupport"]),

        // Tests of test support
        suite("TestSupportTests", in: "Support", uses: ["TestSupport"]),

        // Tests of test programs
        suite(
            "SoakTests", in: "Programs",
            uses: ["Instrument", "JackTestSupport", "Music", "pixelboop-soak", "TestSupport", "Wire"]),

        // Programs and libraries that tests and scripts run.
        testLibrary(
            "FuzzTargets", at: "Programs/Fuzz",
            uses: [
                "Configuration", "Control", "Controllers", "Engine", "Export", "GatewayTestSupport", "Gestures",
                "Grid", "Instrument", "JSON", "Logging", "Media", "Music", "NIOCore", "NIOPosix", "OfflineAudio",
                "OSC", "OSCBridge", "PatternFormat", "Rendering", "Session", "SQLite", "Store", "SystemSupport",
                "Takes",
                "Wire",
            ], exclude: ["Corpus", "Program"]),
        testProgram(
            "benchmarks", at: "Benchmarks",
            uses: [
                "ArgumentParser", "CEpoll", "CJack", "DaemonTestSupport", "Engine", "Gestures", "Grid", "Instrument",
                "JackTestSupport", "JSON", "Music", "OfflineAudio", "PixelBoopClient", "TestSupport", "Wire",
            ], exclude: ["bare-client.c", "bare-voices.h", "CEpoll", "Peers"]),
        testProgram(
            "pixelboop-soak", at: "Soak",
            uses: [
                "ArgumentParser", "CJack", "CLinux", "Controllers", "DaemonTestSupport", "GatewayTestSupport", "Grid",
                "Instrument", "JackTestSupport", "JSON", "LinkTestSupport", "Music", "PatternFormat",
                "PixelBoopClient", "SurfaceTestSupport", "TestSupport", "Wire",
            ]),
        testProgram(
            "rt-check", at: "RealtimeCheck",
            uses: ["DaemonTestSupport", "Grid", "JackTestSupport", "Music", "PixelBoopClient", "TestSupport", "Wire"]),
        testProgram(
            "surface-example", at: "SurfaceExample",
            uses: ["ArgumentParser", "Configuration", "PixelBoopClient", "ServiceCommand", "SurfaceKit"]),
        testProgram("link-peer", at: "LinkPeer", uses: ["LinkBridge"]),
        .systemLibrary(name: "CEpoll", path: "Tests/Programs/Benchmarks/CEpoll"),
    ],
    swiftLanguageModes: [.v6],
    cxxLanguageStandard: .cxx17
)

// Only scripts/fuzz builds this: libFuzzer brings the `main`.
if Context.environment["PIXELBOOP_FUZZ"] != nil {
    package.targets.append(
        .executableTarget(
            name: "pixelboop-fuzz", dependencies: ["FuzzTargets"], path: "Tests/Programs/Fuzz/Program",
            swiftSettings: [.unsafeFlags(["-parse-as-library"])]))
}

// Only scripts/bench and scripts/soak need these, and the run of all tests, which sees to it that they still build.
let tools: Set = ["CEpoll", "SoakTests", "benchmarks", "pixelboop-soak"]
if Context.environment["PIXELBOOP_TOOLS"] == nil { package.targets.removeAll { tools.contains($0.name) } }

// Our own tests build with warnings as errors; a newer compiler's new warning must not break a user's build.
let isStrict = Context.environment["PIXELBOOP_STRICT"] != nil
// They mark every unsafe expression.
let realtime: Set = ["Engine", "InternalAudio", "JackAudio"]
// What computes is optimised in debug builds too, as a whole because most of it is calls from file to file: tests render hours
// of sound and play millions of touches, and a daemon of a debug build has to keep up with JACK. It takes a tenth longer to
// compile, and tests that only compute run in a third of the time. Overflows are trapped all the same.
let isOptimised = Context.environment["PIXELBOOP_UNOPTIMISED"] == nil
let optimised: Set = [
    "Control", "Engine", "Gestures", "Grid", "JSON", "Music", "OfflineAudio", "PatternFormat", "Rendering",
    "Session", "Store", "TestSupport", "Wire",
]
let optimisation = SwiftSetting.unsafeFlags(
    ["-O", "-whole-module-optimization", "-num-threads", "2", "-disable-batch-mode"], .when(configuration: .debug))

for target in package.targets where target.type != .system {
    // A file imports what it uses, whatever the others of its module import.
    var settings: [SwiftSetting] = [.enableUpcomingFeature("MemberImportVisibility")]
    if isStrict { settings.append(.treatAllWarnings(as: .error)) }
    if realtime.contains(target.name) { settings.append(.strictMemorySafety()) }
    if hasTLS, target.name == "pixelboop-web" { settings.append(.define("TLS")) }
    if isOptimised, optimised.contains(target.name) { settings.append(optimisation) }
    target.swiftSettings = (target.swiftSettings ?? []) + settings
}

// PIXELBOOP_SUITES="EngineTests JSONTests" keeps these test suites and what they are made of, so that a build for a
// sanitizer, or after a change, compiles nothing else.
if let suites = Context.environment["PIXELBOOP_SUITES"] {
    let targets = Dictionary(uniqueKeysWithValues: package.targets.map { ($0.name, $0) })
    var kept: Set<String> = []
    var unseen = suites.split(separator: " ").map(String.init)
    for name in unseen where targets[name] == nil { fatalError("PIXELBOOP_SUITES: there is no suite \(name)") }
    while let name = unseen.popLast() {
        guard let target = targets[name], kept.insert(name).inserted else { continue }
        for case .byNameItem(let dependency, _) in target.dependencies { unseen.append(dependency) }
    }
    package.targets.removeAll { !kept.contains($0.name) }
    package.products.removeAll { product in
        switch product {
        case let library as Product.Library: !kept.isSuperset(of: library.targets)
        case let executable as Product.Executable: !kept.isSuperset(of: executable.targets)
        default: false
        }
    }
}
