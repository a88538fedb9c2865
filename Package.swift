// swift-tools-version: 6.2
import PackageDescription

// CI builds with warnings as errors; a newer compiler's new warning must not break a user's build.
let isStrict = Context.environment["CI"] != nil || Context.environment["PIXELBOOP_STRICT"] != nil
let settings: [SwiftSetting] =
    (isStrict ? [.treatAllWarnings(as: .error)] : [])
    // A file imports what it uses, whatever the others of its module import.
    + [.enableUpcomingFeature("MemberImportVisibility")]
// The real-time modules mark every unsafe expression.
let realtime = settings + [.strictMemorySafety()]
// What computes each sample is optimised in debug builds too, as a whole because most of it is calls from file to file:
// tests render hours of sound, and a daemon of a debug build has to keep up with JACK. Overflows are trapped all the same.
let optimised: [SwiftSetting] = [
    .unsafeFlags(
        ["-O", "-whole-module-optimization", "-num-threads", "2", "-disable-batch-mode"], .when(configuration: .debug))
]

let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let nio: [Target.Dependency] = [
    .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
]

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
        .executable(name: "pixelboop-bench", targets: ["pixelboop-bench"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/LebJe/TOMLKit", from: "0.6.0"),
    ],
    targets: [
        // Plain values and pure functions.
        .target(
            name: "Music", swiftSettings: settings,
            // For executables that use neither Foundation nor the C library themselves.
            linkerSettings: [.linkedLibrary("m", .when(platforms: [.linux]))]),
        .target(name: "Grid", dependencies: ["Music"], swiftSettings: settings),
        .target(name: "Gestures", dependencies: ["Grid", "Music"], swiftSettings: settings),
        .target(name: "Rendering", dependencies: ["Grid", "Music"], swiftSettings: settings),

        // Real time.
        .target(name: "Lockless", swiftSettings: realtime),
        .target(name: "Engine", dependencies: ["Lockless", "Music"], swiftSettings: realtime + optimised),
        .target(name: "OfflineAudio", dependencies: ["Engine"], swiftSettings: settings + optimised),
        .systemLibrary(name: "CJack", pkgConfig: "jack", providers: [.apt(["libjack-jackd2-dev"])]),
        .target(name: "JackAudio", dependencies: ["CJack", "Engine"], swiftSettings: realtime),

        // State.
        .target(
            name: "Session", dependencies: ["Engine", "Gestures", "Grid", "Music", "Rendering"],
            swiftSettings: settings),

        // Formats and files.
        .target(name: "JSON", swiftSettings: settings),
        .target(name: "PatternFormat", dependencies: ["Grid", "JSON", "Music"], swiftSettings: settings),
        .systemLibrary(name: "CLinux"),
        .systemLibrary(name: "CSndFile", pkgConfig: "sndfile", providers: [.apt(["libsndfile1-dev"])]),
        .systemLibrary(name: "CSampleRate", pkgConfig: "samplerate", providers: [.apt(["libsamplerate0-dev"])]),
        .target(
            name: "Storage", dependencies: ["CLinux", "CSampleRate", "CSndFile", "JSON", "Music", "PatternFormat"],
            swiftSettings: settings),
        .target(
            name: "Export", dependencies: ["Engine", "Music", "OfflineAudio", "Storage"],
            swiftSettings: settings),
        .systemLibrary(name: "CPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"])]),
        .target(name: "FrameImage", dependencies: ["CPNG", "Grid"], swiftSettings: settings),

        // The control protocol, its core, and the socket.
        .target(name: "Wire", dependencies: ["Grid", "JSON", "Music", "PatternFormat"], swiftSettings: settings),
        .target(
            name: "Lines", dependencies: [.product(name: "NIOCore", package: "swift-nio")], swiftSettings: settings),
        .target(
            name: "Control",
            dependencies: [
                "Gestures", "Grid", "JSON", "Lines", "Music", "PatternFormat", "Session", "Wire", logging,
                .product(name: "NIOCore", package: "swift-nio"),
            ],
            swiftSettings: settings),
        .target(name: "UnixAddress", swiftSettings: settings),
        .target(name: "UnixSocket", dependencies: ["Control", "UnixAddress", logging] + nio, swiftSettings: settings),

        // The daemon.
        .target(
            name: "Configuration", dependencies: ["UnixAddress", .product(name: "TOMLKit", package: "TOMLKit")],
            swiftSettings: settings),
        .target(
            name: "ServiceCommand",
            dependencies: [
                "Configuration", "Systemd", argumentParser, logging,
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            swiftSettings: settings),
        .target(name: "Systemd", dependencies: ["CLinux", "UnixAddress", logging], swiftSettings: settings),
        .target(
            name: "DaemonKit",
            dependencies: [
                "CLinux", "Configuration", "Control", "Engine", "Export", "JSON", "JackAudio", "Music",
                "PatternFormat", "Session", "Storage", "Systemd", "UnixSocket", "Wire", logging,
                .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ] + nio,
            swiftSettings: settings),
        .executableTarget(
            name: "pixelboopd", dependencies: ["Configuration", "DaemonKit", "ServiceCommand", argumentParser],
            swiftSettings: settings),

        // Clients.
        .target(
            name: "PixelBoopClient",
            dependencies: ["Grid", "JSON", "Lines", "Music", "PatternFormat", "UnixAddress", "Wire"] + nio,
            swiftSettings: settings),
        .target(name: "TerminalGrid", dependencies: ["Grid"], swiftSettings: settings),
        .executableTarget(
            name: "pixelboop",
            dependencies: [
                "Export", "FrameImage", "Grid", "JSON", "Music", "PatternFormat", "PixelBoopClient", "Storage",
                "TerminalGrid", "Wire", argumentParser,
            ],
            swiftSettings: settings),

        // The page in a browser, and the gateway that carries the control socket to it.
        .target(name: "WebPage", exclude: ["Page", "package.json"]),
        .target(
            name: "WebGateway",
            dependencies: [
                "JSON", "Lines", "UnixAddress", "WebPage", logging,
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOWebSocket", package: "swift-nio"),
            ] + nio,
            swiftSettings: settings),
        .systemLibrary(name: "CQREncode", pkgConfig: "libqrencode", providers: [.apt(["libqrencode-dev"])]),
        .executableTarget(
            name: "pixelboop-web",
            dependencies: [
                "CQREncode", "Configuration", "ServiceCommand", "Systemd", "WebGateway", "Wire", argumentParser,
                logging, .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ] + nio,
            swiftSettings: settings),

        // Other surfaces: a library for the programs of all, and a module for each.
        .target(
            name: "Surface", dependencies: ["Configuration", "PixelBoopClient", "ServiceCommand", logging],
            swiftSettings: settings),
        .target(
            name: "Lights",
            dependencies: [
                "Configuration", "Grid", "PixelBoopClient", "ServiceCommand", "Surface", "TerminalGrid", logging,
            ],
            swiftSettings: settings),
        .executableTarget(
            name: "pixelboop-lights",
            dependencies: ["Configuration", "Lights", "ServiceCommand", "Surface", "Wire", argumentParser],
            swiftSettings: settings),
        // Ableton Link, which is GPL: nothing but this one program may contain it.
        .target(
            name: "CLinkSession", cxxSettings: [.define("LINK_PLATFORM_LINUX"), .define("LINK_PLATFORM_UNIX")]),
        .target(
            name: "LinkBridge", dependencies: ["CLinkSession", "Music", "PixelBoopClient", "Wire", logging],
            swiftSettings: settings),
        .executableTarget(
            name: "pixelboop-link",
            dependencies: [
                "Configuration", "LinkBridge", "ServiceCommand", "Wire", argumentParser,
            ],
            exclude: ["LICENSE"], swiftSettings: settings),

        .target(name: "OSC", swiftSettings: settings),
        .target(
            name: "OSCBridge",
            dependencies: ["Configuration", "Grid", "JSON", "OSC", "PixelBoopClient", "Wire", logging] + nio,
            swiftSettings: settings),
        .executableTarget(
            name: "pixelboop-osc",
            dependencies: ["Configuration", "OSCBridge", "ServiceCommand", "Wire", argumentParser, logging],
            swiftSettings: settings),

        .target(name: "PadGrid", dependencies: ["Grid", "Music", "OSC"], swiftSettings: settings),
        .target(name: "JackMidi", dependencies: ["CJack"], swiftSettings: settings),
        .target(
            name: "GridSurface",
            dependencies: [
                "Configuration", "Grid", "JackMidi", "OSC", "PadGrid", "PixelBoopClient", "ServiceCommand", "Surface",
                logging,
            ],
            swiftSettings: settings),
        .executableTarget(
            name: "pixelboop-grid",
            dependencies: ["Configuration", "GridSurface", "ServiceCommand", "Surface", "Wire", argumentParser],
            swiftSettings: settings),

        .target(
            name: "NSMClient",
            dependencies: ["Configuration", "OSC", "PixelBoopClient", "ServiceCommand", logging] + nio,
            swiftSettings: settings),
        .executableTarget(
            name: "pixelboop-nsm",
            dependencies: ["Configuration", "NSMClient", "ServiceCommand", "Wire", argumentParser],
            swiftSettings: settings),

        .systemLibrary(name: "CEpoll"),
        .executableTarget(
            name: "pixelboop-bench",
            dependencies: [
                "CEpoll", "CJack", "DaemonTestSupport", "Engine", "Gestures", "Grid", "JSON", "JackTestSupport",
                "Music", "OfflineAudio", "PatternFormat", "PixelBoopClient", "Rendering", "TestSupport", "Wire",
                argumentParser,
            ] + nio,
            swiftSettings: settings),

        // Tests, one suite a module.
        .target(
            name: "TestSupport", dependencies: ["Grid", "Music"], path: "Tests/TestSupport",
            swiftSettings: settings + optimised),
        .target(
            name: "JackTestSupport", dependencies: ["CJack", "TestSupport", "UnixAddress"],
            path: "Tests/JackTestSupport", swiftSettings: settings),
        .target(
            name: "ProgramTestSupport", dependencies: ["Grid", "TerminalGrid"], path: "Tests/ProgramTestSupport",
            swiftSettings: settings),
        .testTarget(name: "MusicTests", dependencies: ["Music", "TestSupport"], swiftSettings: settings),
        .testTarget(name: "GridTests", dependencies: ["Grid", "Music", "TestSupport"], swiftSettings: settings),
        .testTarget(
            name: "GesturesTests", dependencies: ["Gestures", "Grid", "Music", "TestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "RenderingTests", dependencies: ["Grid", "Music", "Rendering", "TestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "FrameImageTests", dependencies: ["CPNG", "FrameImage", "Grid", "TestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "JackAudioTests",
            dependencies: ["CJack", "Engine", "JackAudio", "JackTestSupport", "Music", "TestSupport"],
            swiftSettings: settings),
        .target(
            name: "DaemonTestSupport",
            dependencies: ["JackTestSupport", "Music", "PixelBoopClient", "TestSupport", "Wire"],
            path: "Tests/DaemonTestSupport", swiftSettings: settings),
        .executableTarget(
            name: "rt-check",
            dependencies: [
                "DaemonTestSupport", "Grid", "JackTestSupport", "Music", "PixelBoopClient", "TestSupport", "Wire",
            ],
            path: "Tests/RealtimeCheck", swiftSettings: settings),
        .executableTarget(
            name: "pixelboop-soak",
            dependencies: [
                "CJack", "DaemonTestSupport", "GatewayTestSupport", "Grid", "JSON", "JackTestSupport",
                "LinkTestSupport", "Music", "PadGrid", "PixelBoopClient", "SurfaceTestSupport", "TestSupport", "Wire",
                argumentParser,
            ],
            path: "Tests/Soak", swiftSettings: settings),
        .testTarget(
            name: "SoakTests", dependencies: ["JackTestSupport", "Music", "Wire", "pixelboop-soak"],
            swiftSettings: settings),
        .testTarget(
            name: "SessionTests",
            dependencies: [
                "Engine", "Gestures", "Grid", "Music", "OfflineAudio", "Rendering", "Session", "TestSupport",
            ],
            swiftSettings: settings),
        .testTarget(name: "JSONTests", dependencies: ["JSON", "TestSupport"], swiftSettings: settings),
        .testTarget(
            name: "PatternFormatTests", dependencies: ["JSON", "Music", "PatternFormat", "TestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "StorageTests",
            dependencies: ["CSndFile", "JSON", "Music", "PatternFormat", "Storage", "TestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "DaemonTestSupport", "Grid", "JSON", "JackTestSupport", "Music", "PixelBoopClient",
                "ProgramTestSupport", "TestSupport", "Wire", "pixelboop", "pixelboopd",
            ],
            swiftSettings: settings),
        .executableTarget(
            name: "link-peer", dependencies: ["LinkBridge"], path: "Tests/LinkPeer", swiftSettings: settings),
        .target(
            name: "LinkTestSupport", dependencies: ["DaemonTestSupport", "JackTestSupport"],
            path: "Tests/LinkTestSupport", swiftSettings: settings),
        .testTarget(
            name: "LinkTests",
            dependencies: [
                "DaemonTestSupport", "JackTestSupport", "LinkTestSupport", "Music", "PatternFormat", "PixelBoopClient",
                "Wire", "link-peer", "pixelboop-link", "pixelboopd",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "TerminalGridTests", dependencies: ["Grid", "ProgramTestSupport", "TerminalGrid", "TestSupport"],
            swiftSettings: settings),
        .target(
            name: "CannedDaemon", dependencies: ["Grid", "JSON", "Wire"] + nio, path: "Tests/CannedDaemon",
            swiftSettings: settings),
        .testTarget(
            name: "PixelBoopClientTests", dependencies: ["CannedDaemon", "Grid", "JSON", "PixelBoopClient", "Wire"],
            swiftSettings: settings),
        .testTarget(
            name: "PixelBoopCLITests",
            dependencies: [
                "CannedDaemon", "Grid", "JSON", "PixelBoopClient", "ProgramTestSupport", "TerminalGrid", "Wire",
                "pixelboop",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "WireTests", dependencies: ["Grid", "JSON", "Music", "PatternFormat", "TestSupport", "Wire"],
            swiftSettings: settings
        ),
        .target(
            name: "ControlTestSupport",
            dependencies: [
                "Control", "Engine", "Grid", "JSON", "Music", "Session", "TestSupport",
                "UnixSocket", "Wire", logging,
            ] + nio,
            path: "Tests/ControlTestSupport", swiftSettings: settings),
        .testTarget(
            name: "ControlTests",
            dependencies: [
                "Control", "ControlTestSupport", "Engine", "Gestures", "Grid", "JSON", "Lines", "Music", "OfflineAudio",
                "PatternFormat", "Session", "TestSupport", "Wire",
            ] + nio,
            swiftSettings: settings),
        .testTarget(
            name: "UnixSocketTests",
            dependencies: [
                "Control", "ControlTestSupport", "JSON", "Music", "PatternFormat", "Session", "TestSupport",
                "UnixSocket", "Wire", .product(name: "NIOCore", package: "swift-nio"),
            ],
            swiftSettings: settings),
        .target(
            name: "GatewayTestSupport", dependencies: ["WebGateway", logging] + nio, path: "Tests/GatewayTestSupport",
            swiftSettings: settings),
        .testTarget(
            name: "WebGatewayTests",
            dependencies: [
                "CannedDaemon", "GatewayTestSupport", "JSON", "Systemd", "TestSupport", "WebGateway", "Wire", logging,
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ] + nio,
            swiftSettings: settings),
        .testTarget(
            name: "WebProgramTests",
            dependencies: [
                "CannedDaemon", "DaemonTestSupport", "GatewayTestSupport", "JSON", "JackTestSupport", "TestSupport",
                "WebGateway", "Wire", "pixelboop-web", .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ] + nio,
            exclude: ["localhost.key", "localhost.pem"], swiftSettings: settings),
        .target(
            name: "SurfaceTestSupport", dependencies: ["DaemonTestSupport", "JackTestSupport", "TestSupport"],
            path: "Tests/SurfaceTestSupport", swiftSettings: settings),
        .executableTarget(
            name: "surface-example",
            dependencies: ["Configuration", "PixelBoopClient", "ServiceCommand", "Surface", argumentParser],
            path: "Tests/SurfaceExample", swiftSettings: settings),
        .testTarget(
            name: "SurfaceTests",
            dependencies: [
                "CannedDaemon", "DaemonTestSupport", "Grid", "JSON", "PixelBoopClient", "ServiceCommand", "Surface",
                "SurfaceTestSupport", "TestSupport", "Wire", "surface-example", logging,
            ],
            swiftSettings: settings),
        .testTarget(
            name: "LightsTests", dependencies: ["Configuration", "Grid", "Lights", "TerminalGrid", "TestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "LightsProgramTests",
            dependencies: [
                "DaemonTestSupport", "Grid", "Lights", "LinkTestSupport", "PixelBoopClient", "ProgramTestSupport",
                "SurfaceTestSupport", "TestSupport", "Wire", "pixelboop-lights", "pixelboopd",
            ],
            swiftSettings: settings),
        .testTarget(name: "OSCTests", dependencies: ["OSC", "TestSupport"], swiftSettings: settings),
        .testTarget(
            name: "OSCBridgeTests",
            dependencies: ["Grid", "JSON", "OSC", "OSCBridge", "PixelBoopClient", "Wire"],
            swiftSettings: settings),
        .testTarget(
            name: "OSCProgramTests",
            dependencies: [
                "DaemonTestSupport", "JSON", "JackTestSupport", "OSC", "PixelBoopClient", "SurfaceTestSupport", "Wire",
                "pixelboop-osc",
                "pixelboopd",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "PadGridTests", dependencies: ["Grid", "Music", "OSC", "PadGrid", "TestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "GridProgramTests",
            dependencies: [
                "DaemonTestSupport", "Grid", "JackTestSupport", "Music", "PadGrid", "PixelBoopClient",
                "SurfaceTestSupport", "TestSupport", "pixelboop-grid", "pixelboopd",
            ],
            swiftSettings: settings),
        .testTarget(name: "NSMClientTests", dependencies: ["NSMClient", "OSC"], swiftSettings: settings),
        .testTarget(
            name: "NSMProgramTests",
            dependencies: [
                "DaemonTestSupport", "JSON", "JackTestSupport", "PixelBoopClient", "SurfaceTestSupport", "TestSupport",
                "Wire", "pixelboop", "pixelboop-nsm", "pixelboopd",
            ],
            swiftSettings: settings),
        .testTarget(name: "LocklessTests", dependencies: ["Lockless", "TestSupport"], swiftSettings: settings),
        .testTarget(
            name: "EngineTests",
            dependencies: ["Engine", "Music", "OfflineAudio", "PatternFormat", "TestSupport"],
            exclude: ["Golden"], swiftSettings: settings),
        .testTarget(
            name: "OfflineAudioTests", dependencies: ["Engine", "Music", "OfflineAudio"],
            swiftSettings: settings),
        .testTarget(
            name: "DaemonKitTests",
            dependencies: ["Control", "DaemonKit", "JSON", "Music", "Storage", "TestSupport", "Wire"],
            swiftSettings: settings),
        .testTarget(name: "TestSupportTests", dependencies: ["TestSupport"], swiftSettings: settings),
        .testTarget(name: "ConfigurationTests", dependencies: ["Configuration"], swiftSettings: settings),
        .testTarget(name: "SystemdTests", dependencies: ["Systemd", "UnixAddress", logging], swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6],
    cxxLanguageStandard: .cxx17
)

// Only scripts/fuzz builds this: libFuzzer brings the `main`.
if Context.environment["PIXELBOOP_FUZZ"] != nil {
    package.targets.append(
        .executableTarget(
            name: "pixelboop-fuzz",
            dependencies: [
                "Configuration", "Control", "Engine", "GatewayTestSupport", "Gestures", "Grid", "JSON", "Music",
                "OSC", "OSCBridge", "OfflineAudio", "PadGrid", "PatternFormat", "Rendering", "Session", "Storage",
                "Wire", logging,
            ] + nio,
            path: "Tests/Fuzz", exclude: ["Corpus"], swiftSettings: settings + [.unsafeFlags(["-parse-as-library"])]))
}

// PIXELBOOP_SUITES="EngineTests JSONTests" keeps these test suites and what they are made of, so that a build for a
// sanitizer, or after a change, compiles nothing else.
if let suites = Context.environment["PIXELBOOP_SUITES"] {
    let targets = Dictionary(uniqueKeysWithValues: package.targets.map { ($0.name, $0) })
    var kept: Set<String> = []
    var unseen = suites.split(separator: " ").map(String.init)
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
