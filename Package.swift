// swift-tools-version: 6.2
import PackageDescription

let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioPosix = Target.Dependency.product(name: "NIOPosix", package: "swift-nio")
let nioEmbedded = Target.Dependency.product(name: "NIOEmbedded", package: "swift-nio")
let nioHTTP = Target.Dependency.product(name: "NIOHTTP1", package: "swift-nio")
let nioWebSocket = Target.Dependency.product(name: "NIOWebSocket", package: "swift-nio")
let nioLocks = Target.Dependency.product(name: "NIOConcurrencyHelpers", package: "swift-nio")
let nioSSL = Target.Dependency.product(name: "NIOSSL", package: "swift-nio-ssl")
let lifecycle = Target.Dependency.product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let unixSignals = Target.Dependency.product(name: "UnixSignals", package: "swift-service-lifecycle")

// PIXELBOOP_WITHOUT_TLS leaves out HTTPS, whose library takes a third of the time that the programs take to build: scripts/run
// does without it where no certificate is configured.
let hasTLS = Context.environment["PIXELBOOP_WITHOUT_TLS"] == nil

// The scripts name the builds between two releases, `git20261128.0123abcd`; a release has no such name.
let build = Context.environment["PIXELBOOP_BUILD"] ?? "dev"
let version = "0.2.0" + (build.isEmpty ? "" : "~" + build)

let package = Package(
    name: "pixelboop",
    products: [
        .library(name: "PixelBoopClient", targets: ["PixelBoopClient"]),
        .library(name: "Surface", targets: ["Surface"]),
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
        // Those who use the libraries PixelBoopClient and Surface have versions of their own of what these need: the oldest
        // that was tested, and newer ones.
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/LebJe/TOMLKit", from: "0.6.0"),
        // Only programs use it: everybody gets what was tested.
        .package(url: "https://github.com/apple/swift-nio-ssl", exact: "2.37.6"),
    ],
    targets: [
        // Plain values and pure functions.
        // Executables that use neither Foundation nor the C library themselves get the math that it calls from here.
        .target(name: "Music", linkerSettings: [.linkedLibrary("m", .when(platforms: [.linux]))]),
        .target(name: "Grid", dependencies: ["Music"]),
        .target(name: "Gestures", dependencies: ["Grid", "Music"]),
        .target(name: "Rendering", dependencies: ["Grid", "Music"]),

        // Real time.
        .target(name: "Engine", dependencies: ["Music"]),
        .target(name: "OfflineAudio", dependencies: ["CLinux", "Engine"]),
        .systemLibrary(name: "CLinux"),
        .systemLibrary(name: "CJack", pkgConfig: "jack", providers: [.apt(["libjack-jackd2-dev"])]),
        .target(name: "DriverSupport", dependencies: ["CLinux", "Engine"]),
        .target(
            name: "JackAudio", dependencies: ["CJack", "CLinux", "DriverSupport", "Engine", "Music", "SystemSupport"]),
        .target(name: "InternalAudio", dependencies: ["CLinux", "DriverSupport", "Engine", "Music", "SystemSupport"]),

        // State.
        .target(name: "Session", dependencies: ["Engine", "Gestures", "Grid", "Music", "Rendering"]),

        // Formats and files.
        .target(name: "SystemSupport", dependencies: ["CLinux"]),
        .target(name: "JSON"),
        .target(name: "PatternFormat", dependencies: ["Grid", "JSON", "Music"]),
        .systemLibrary(name: "CSndFile", pkgConfig: "sndfile", providers: [.apt(["libsndfile1-dev"])]),
        .systemLibrary(name: "CSampleRate", pkgConfig: "samplerate", providers: [.apt(["libsamplerate0-dev"])]),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .target(name: "SQLite", dependencies: ["CSQLite"]),
        .target(name: "Store", dependencies: ["JSON", "Music", "PatternFormat", "SQLite", "SystemSupport"]),
        .target(name: "Files", dependencies: ["Music", "PatternFormat", "SystemSupport"]),
        .target(name: "Media", dependencies: ["CSampleRate", "CSndFile", "Files", "Music", "SystemSupport"]),
        .target(
            name: "Export", dependencies: ["Engine", "Files", "Media", "Music", "OfflineAudio", "SystemSupport"]),
        .systemLibrary(name: "CPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"])]),

        // The control protocol, its core, and the socket.
        .target(name: "Streams", dependencies: [logging, nioCore]),
        .target(name: "CVersion", cSettings: [.define("PIXELBOOP_VERSION", to: "\"\(version)\"")]),
        .target(name: "Wire", dependencies: ["CVersion", "Grid", "JSON", "Music", "PatternFormat"]),
        .target(
            name: "Control",
            dependencies: [
                "Engine", "Gestures", "Grid", "JSON", "Music", "PatternFormat", "Session", "Streams", "Wire",
                logging, nioCore,
            ]),
        .target(name: "UnixSocket", dependencies: ["Control", "Streams", "SystemSupport", logging, nioCore, nioPosix]),

        // The daemon.
        .target(name: "Configuration", dependencies: ["Music", "SystemSupport", "TOMLKit"]),
        .target(
            name: "ServiceCommand",
            dependencies: ["Configuration", "SystemSupport", "Systemd", argumentParser, logging, unixSignals]),
        .target(name: "Systemd", dependencies: ["CLinux", "SystemSupport", logging]),
        .target(
            name: "DaemonKit",
            dependencies: [
                "CLinux", "Configuration", "Control", "Engine", "Export", "Files", "InternalAudio", "JSON",
                "JackAudio", "Media", "Music", "PatternFormat", "Session", "Store", "SystemSupport", "Systemd",
                "UnixSocket", "Wire",
                lifecycle, logging, nioLocks, unixSignals, nioCore, nioPosix,
            ]),
        .executableTarget(
            name: "pixelboopd",
            dependencies: ["Configuration", "DaemonKit", "ServiceCommand", argumentParser]),

        // Clients.
        .target(
            name: "PixelBoopClient",
            dependencies: [
                "Grid", "JSON", "Music", "PatternFormat", "Streams", "SystemSupport", "Wire", nioCore, nioPosix,
            ]),
        .target(name: "TerminalGrid", dependencies: ["Grid"]),
        .executableTarget(
            name: "pixelboop",
            dependencies: [
                "CPNG", "Configuration", "Export", "Files", "Grid", "JSON", "Media", "Music", "PatternFormat",
                "PixelBoopClient", "SystemSupport", "Systemd", "TerminalGrid", "Wire", argumentParser,
            ]),

        // The page in a browser, and the gateway that carries the control socket to it.
        .target(name: "WebPage", exclude: ["Page", "package.json"]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CQREncode", pkgConfig: "libqrencode", providers: [.apt(["libqrencode-dev"])]),
        .target(
            name: "WebGateway",
            dependencies: [
                "CQREncode", "CZlib", "JSON", "Streams", "SystemSupport", "WebPage", logging, nioHTTP, nioWebSocket,
                nioCore, nioPosix,
            ]),
        .executableTarget(
            name: "pixelboop-web",
            dependencies: [
                "Configuration", "ServiceCommand", "Systemd", "WebGateway", "Wire", argumentParser, logging, nioCore,
                nioPosix,
            ] + (hasTLS ? [nioSSL] : []),
            swiftSettings: hasTLS ? [.define("TLS")] : []),

        // Other surfaces: a library for the programs of all, and a module for each.
        .target(name: "Surface", dependencies: ["Configuration", "PixelBoopClient", "ServiceCommand", logging]),
        .target(
            name: "Lights",
            dependencies: [
                "Configuration", "Grid", "PixelBoopClient", "ServiceCommand", "Surface", "SystemSupport",
                "TerminalGrid", logging,
            ]),
        .executableTarget(
            name: "pixelboop-lights",
            dependencies: ["Configuration", "Lights", "ServiceCommand", "Surface", "Wire", argumentParser]),
        // Ableton Link, which is GPL: nothing but this one program may contain it.
        .target(name: "CLinkSession", cxxSettings: [.define("LINK_PLATFORM_LINUX"), .define("LINK_PLATFORM_UNIX")]),
        .target(name: "LinkBridge", dependencies: ["CLinkSession", "Music", "PixelBoopClient", "Wire", logging]),
        .executableTarget(
            name: "pixelboop-link",
            dependencies: [
                "Configuration", "LinkBridge", "ServiceCommand", "Wire", argumentParser,
            ],
            exclude: ["LICENSE"]),

        .target(name: "OSC"),
        .target(
            name: "OSCBridge",
            dependencies: [
                "Configuration", "Grid", "JSON", "OSC", "PixelBoopClient", "Streams", "Wire", logging, nioCore,
                nioPosix,
            ]),
        .executableTarget(
            name: "pixelboop-osc",
            dependencies: ["Configuration", "OSCBridge", "ServiceCommand", "Wire", argumentParser, logging]),

        .target(name: "PadGrid", dependencies: ["Grid", "Music", "OSC"]),
        .target(name: "JackMidi", dependencies: ["CJack", "SystemSupport"]),
        .target(
            name: "GridSurface",
            dependencies: [
                "Configuration", "Grid", "JackMidi", "OSC", "PadGrid", "PixelBoopClient", "ServiceCommand",
                "Surface", "SystemSupport", logging,
            ]),
        .executableTarget(
            name: "pixelboop-grid",
            dependencies: ["Configuration", "GridSurface", "ServiceCommand", "Surface", "Wire", argumentParser]),

        .target(
            name: "NSMClient",
            dependencies: [
                "CLinux", "Configuration", "Music", "OSC", "PixelBoopClient", "ServiceCommand", "SystemSupport",
                logging,
                nioCore, nioPosix,
            ]),
        .executableTarget(
            name: "pixelboop-nsm",
            dependencies: ["Configuration", "NSMClient", "ServiceCommand", "Wire", argumentParser]),

        // Tests, one suite a module.
        .target(name: "TestSupport", dependencies: ["Grid", "Music", "SystemSupport"], path: "Tests/TestSupport"),
        .target(name: "TestNeeds", dependencies: ["TestSupport"], path: "Tests/TestNeeds"),
        .target(
            name: "JackTestSupport",
            dependencies: ["CJack", "SystemSupport", "TestSupport"], path: "Tests/JackTestSupport"),
        .target(
            name: "ProgramTestSupport", dependencies: ["Grid", "TerminalGrid", "TestSupport"],
            path: "Tests/ProgramTestSupport"),
        .testTarget(name: "MusicTests", dependencies: ["Music", "TestSupport"]),
        .testTarget(name: "GridTests", dependencies: ["Grid", "Music", "TestSupport"]),
        .testTarget(name: "GesturesTests", dependencies: ["Gestures", "Grid", "Music", "TestSupport"]),
        .testTarget(name: "RenderingTests", dependencies: ["Grid", "Music", "Rendering", "TestSupport"]),
        .testTarget(name: "InternalAudioTests", dependencies: ["Engine", "InternalAudio", "TestSupport"]),
        .testTarget(
            name: "JackAudioTests",
            dependencies: [
                "CJack", "CLinux", "Engine", "JackAudio", "JackTestSupport", "Music", "TestNeeds", "TestSupport",
            ]),
        .target(
            name: "DaemonTestSupport",
            dependencies: [
                "JackTestSupport", "Music", "PixelBoopClient", "TestSupport", "Wire",
            ],
            path: "Tests/DaemonTestSupport"),
        .executableTarget(
            name: "rt-check",
            dependencies: [
                "DaemonTestSupport", "Grid", "JackTestSupport", "Music", "PixelBoopClient", "TestSupport", "Wire",
            ],
            path: "Tests/RealtimeCheck"),
        .executableTarget(
            name: "pixelboop-soak",
            dependencies: [
                "CJack", "CLinux", "DaemonTestSupport", "GatewayTestSupport", "Grid", "JSON", "JackTestSupport",
                "LinkTestSupport", "Music", "PadGrid", "PixelBoopClient", "SurfaceTestSupport", "TestSupport",
                "Wire", argumentParser,
            ],
            path: "Tests/Soak"),
        .testTarget(
            name: "SoakTests",
            dependencies: ["JackTestSupport", "Music", "TestSupport", "Wire", "pixelboop-soak"]),
        .testTarget(
            name: "SessionTests",
            dependencies: [
                "Engine", "Gestures", "Grid", "Music", "OfflineAudio", "Rendering", "Session", "TestSupport",
            ]),
        .testTarget(name: "JSONTests", dependencies: ["JSON", "TestSupport"]),
        .testTarget(
            name: "PatternFormatTests",
            dependencies: ["JSON", "Music", "PatternFormat", "TestSupport"], exclude: ["Files"]),
        .testTarget(name: "SQLiteTests", dependencies: ["SQLite", "TestSupport"]),
        .target(
            name: "StoreTestSupport", dependencies: ["CSQLite"], path: "Tests/StoreTestSupport"),
        .testTarget(
            name: "StoreTests",
            dependencies: [
                "JSON", "Music", "PatternFormat", "SQLite", "Store", "StoreTestSupport", "SystemSupport", "TestNeeds",
                "TestSupport",
            ]),
        .testTarget(
            name: "FilesTests",
            dependencies: ["Files", "Music", "PatternFormat", "SystemSupport", "TestNeeds", "TestSupport"]),
        .testTarget(
            name: "MediaTests",
            dependencies: [
                "CSndFile", "Engine", "Files", "Media", "Music", "OfflineAudio", "TestNeeds", "TestSupport",
            ]),
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "Configuration", "DaemonTestSupport", "Grid", "JSON", "JackTestSupport", "Music", "PixelBoopClient",
                "ProgramTestSupport", "TestNeeds", "TestSupport", "Wire", "pixelboop", "pixelboop-nsm", "pixelboopd",
            ]),
        .executableTarget(name: "link-peer", dependencies: ["LinkBridge"], path: "Tests/LinkPeer"),
        .target(
            name: "LinkTestSupport",
            dependencies: ["DaemonTestSupport", "JackTestSupport", "TestSupport"], path: "Tests/LinkTestSupport"),
        .testTarget(
            name: "LinkTests",
            dependencies: [
                "DaemonTestSupport", "JackTestSupport", "LinkTestSupport", "Music", "PatternFormat",
                "PixelBoopClient", "TestNeeds", "TestSupport", "Wire", "link-peer", "pixelboop-link", "pixelboopd",
            ]),
        .testTarget(
            name: "TerminalGridTests",
            dependencies: ["Grid", "ProgramTestSupport", "TerminalGrid", "TestSupport"]),
        .target(
            name: "CannedDaemon", dependencies: ["Grid", "JSON", "TestSupport", "Wire", nioCore, nioPosix],
            path: "Tests/CannedDaemon"),
        .testTarget(
            name: "PixelBoopClientTests",
            dependencies: ["CannedDaemon", "Grid", "JSON", "PixelBoopClient", "TestSupport", "Wire"]),
        .testTarget(
            name: "PixelBoopCLITests",
            dependencies: [
                "CPNG", "CannedDaemon", "Grid", "JSON", "Music", "PixelBoopClient", "ProgramTestSupport",
                "Systemd", "TerminalGrid", "TestNeeds", "TestSupport", "Wire", "pixelboop", argumentParser,
            ]),
        .testTarget(
            name: "WireTests",
            dependencies: ["Grid", "JSON", "Music", "PatternFormat", "TestSupport", "Wire"]),
        .target(
            name: "ControlTestSupport",
            dependencies: [
                "Control", "Engine", "Grid", "JSON", "Music", "Session", "TestSupport", "UnixSocket", "Wire",
                logging, nioCore, nioPosix,
            ],
            path: "Tests/ControlTestSupport"),
        .testTarget(
            name: "ControlTests",
            dependencies: [
                "Control", "ControlTestSupport", "Engine", "Gestures", "Grid", "JSON", "Music", "OfflineAudio",
                "PatternFormat", "Session", "Streams", "TestSupport", "Wire", nioCore, nioPosix,
            ]),
        .testTarget(
            name: "UnixSocketTests",
            dependencies: [
                "Control", "ControlTestSupport", "JSON", "Music", "PatternFormat", "Session", "TestSupport",
                "UnixSocket", "Wire", nioCore, nioPosix,
            ]),
        .target(
            name: "GatewayTestSupport",
            dependencies: ["WebGateway", logging, nioCore, nioPosix], path: "Tests/GatewayTestSupport"),
        .testTarget(
            name: "WebGatewayTests",
            dependencies: [
                "CannedDaemon", "GatewayTestSupport", "JSON", "Streams", "Systemd", "TestSupport", "WebGateway", "Wire",
                logging, nioEmbedded, nioHTTP, nioWebSocket, nioCore, nioPosix,
            ]),
        .testTarget(
            name: "WebProgramTests",
            dependencies: [
                "CannedDaemon", "DaemonTestSupport", "GatewayTestSupport", "JSON", "JackTestSupport", "TestSupport",
                "WebGateway", "Wire", "pixelboop-web", nioSSL, nioCore, nioPosix,
            ],
            exclude: ["localhost.key", "localhost.pem"]),
        .target(
            name: "SurfaceTestSupport",
            dependencies: ["DaemonTestSupport", "JackTestSupport", "SystemSupport", "TestSupport"],
            path: "Tests/SurfaceTestSupport"),
        .executableTarget(
            name: "surface-example",
            dependencies: [
                "Configuration", "PixelBoopClient", "ServiceCommand", "Surface", argumentParser,
            ],
            path: "Tests/SurfaceExample"),
        .testTarget(
            name: "SurfaceTests",
            dependencies: [
                "CannedDaemon", "DaemonTestSupport", "Grid", "JSON", "PixelBoopClient", "ServiceCommand", "Surface",
                "SurfaceTestSupport", "TestSupport", "Wire", "surface-example", logging,
            ]),
        .testTarget(
            name: "LightsTests",
            dependencies: ["Configuration", "Grid", "Lights", "SystemSupport", "TerminalGrid", "TestSupport"]),
        .testTarget(
            name: "LightsProgramTests",
            dependencies: [
                "DaemonTestSupport", "Grid", "Lights", "LinkTestSupport", "PixelBoopClient", "ProgramTestSupport",
                "SurfaceTestSupport", "TestNeeds", "TestSupport", "Wire", "pixelboop-lights", "pixelboopd",
            ]),
        .testTarget(name: "OSCTests", dependencies: ["OSC", "TestSupport"]),
        .testTarget(
            name: "OSCBridgeTests",
            dependencies: [
                "CannedDaemon", "Configuration", "Grid", "JSON", "OSC", "OSCBridge", "PixelBoopClient", "TestSupport",
                "Wire", logging, nioCore, nioPosix,
            ]),
        .testTarget(
            name: "OSCProgramTests",
            dependencies: [
                "DaemonTestSupport", "JSON", "JackTestSupport", "LinkTestSupport", "OSC", "PixelBoopClient",
                "SurfaceTestSupport", "TestNeeds", "TestSupport", "Wire", "pixelboop-osc", "pixelboopd",
            ]),
        .testTarget(name: "PadGridTests", dependencies: ["Grid", "Music", "OSC", "PadGrid", "TestSupport"]),
        .testTarget(
            name: "GridProgramTests",
            dependencies: [
                "DaemonTestSupport", "Grid", "JackTestSupport", "Music", "OSC", "PadGrid", "PixelBoopClient",
                "SurfaceTestSupport", "TestNeeds", "TestSupport", "pixelboop-grid", "pixelboopd",
            ]),
        .testTarget(
            name: "NSMClientTests",
            dependencies: ["NSMClient", "OSC", "PixelBoopClient", "SystemSupport", "TestSupport"]),
        .testTarget(
            name: "NSMProgramTests",
            dependencies: [
                "DaemonTestSupport", "JSON", "JackTestSupport", "PixelBoopClient", "SurfaceTestSupport",
                "TestNeeds", "TestSupport", "Wire", "pixelboop", "pixelboop-nsm", "pixelboopd",
            ]),
        .testTarget(
            name: "EngineTests",
            dependencies: ["Engine", "Music", "OfflineAudio", "PatternFormat", "TestSupport"],
            exclude: ["Exchange", "Golden"]),
        // What threads share: alone, because the thread sanitizer needs nothing else of the engine's tests.
        .testTarget(
            name: "ExchangeTests", dependencies: ["Engine", "TestSupport"], path: "Tests/EngineTests/Exchange"),
        .testTarget(
            name: "ExportTests",
            dependencies: ["Engine", "Export", "Media", "Music", "OfflineAudio", "TestSupport"]),
        .testTarget(name: "OfflineAudioTests", dependencies: ["Engine", "Music", "OfflineAudio"]),
        .testTarget(
            name: "DaemonKitTests",
            dependencies: [
                "Control", "DaemonKit", "Files", "JSON", "Media", "Music", "SystemSupport", "TestSupport", "Wire",
            ]),
        .testTarget(name: "TestSupportTests", dependencies: ["TestSupport"]),
        .testTarget(
            name: "ConfigurationTests",
            dependencies: [
                "Configuration", "GridSurface", "Lights", "Music", "NSMClient", "OSCBridge", "TestSupport",
            ]),
        .testTarget(name: "SystemdTests", dependencies: ["SystemSupport", "Systemd", logging]),
        // Every kind of input from outside: scripts/fuzz and FuzzTests feed it.
        .target(
            name: "FuzzTargets",
            dependencies: [
                "Configuration", "Control", "Engine", "GatewayTestSupport", "Gestures", "Grid", "JSON",
                "Media", "Music", "OSC", "OSCBridge", "OfflineAudio", "PadGrid", "PatternFormat", "Rendering",
                "Session", "Store", "Wire", logging, nioCore, nioPosix,
            ],
            path: "Tests/Fuzz", exclude: ["Corpus", "Program"]),
        .testTarget(name: "FuzzTests", dependencies: ["FuzzTargets", "TestSupport"]),
        // What scripts/bench runs.
        .systemLibrary(name: "CEpoll", path: "Tests/Benchmarks/CEpoll"),
        .executableTarget(
            name: "benchmarks",
            dependencies: [
                "CEpoll", "CJack", "DaemonTestSupport", "Engine", "Gestures", "Grid", "JSON", "JackTestSupport",
                "Music", "OfflineAudio", "PixelBoopClient", "TestSupport", "Wire", argumentParser,
            ],
            path: "Tests/Benchmarks", exclude: ["CEpoll", "Peers", "bare-client.c"]),
    ],
    swiftLanguageModes: [.v6],
    cxxLanguageStandard: .cxx17
)

// Only scripts/fuzz builds this: libFuzzer brings the `main`.
if Context.environment["PIXELBOOP_FUZZ"] != nil {
    package.targets.append(
        .executableTarget(
            name: "pixelboop-fuzz", dependencies: ["FuzzTargets"], path: "Tests/Fuzz/Program",
            swiftSettings: [.unsafeFlags(["-parse-as-library"])]))
}

// Only scripts/bench and scripts/soak need these, and the run of all tests, which sees to it that they still build.
let tools: Set = ["CEpoll", "SoakTests", "benchmarks", "pixelboop-soak"]
if Context.environment["PIXELBOOP_TOOLS"] == nil { package.targets.removeAll { tools.contains($0.name) } }

// Our own tests build with warnings as errors; a newer compiler's new warning must not break a user's build.
let isStrict = Context.environment["PIXELBOOP_STRICT"] != nil
// They mark every unsafe expression.
let realtime: Set = ["DriverSupport", "Engine", "InternalAudio", "JackAudio"]
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
