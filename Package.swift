// swift-tools-version: 6.2
import PackageDescription

// CI builds with warnings as errors; a newer compiler's new warning must not break a user's build.
let isStrict = Context.environment["CI"] != nil || Context.environment["PIXELBOOP_STRICT"] != nil
let settings: [SwiftSetting] = isStrict ? [.treatAllWarnings(as: .error)] : []
// The real-time modules mark every unsafe expression.
let realtime = settings + [.strictMemorySafety()]

let package = Package(
    name: "pixelboop",
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/LebJe/TOMLKit", from: "0.6.0"),
    ],
    targets: [
        // Plain values and pure functions.
        .target(name: "Music", swiftSettings: settings),
        .target(name: "Grid", dependencies: ["Music"], swiftSettings: settings),
        .target(name: "Gestures", dependencies: ["Grid", "Music"], swiftSettings: settings),
        .target(name: "Rendering", dependencies: ["Gestures", "Grid", "Music"], swiftSettings: settings),

        // Real time.
        .target(name: "Lockless", swiftSettings: realtime),
        .target(name: "Engine", dependencies: ["Lockless"], swiftSettings: realtime),
        .target(name: "OfflineAudio", dependencies: ["Engine"], swiftSettings: settings),
        .systemLibrary(name: "CJack", pkgConfig: "jack", providers: [.apt(["libjack-jackd2-dev"])]),
        .target(
            name: "JackAudio",
            dependencies: ["CJack", "Engine", .product(name: "Logging", package: "swift-log")],
            swiftSettings: settings),

        // State, formats and files.
        .target(
            name: "Session", dependencies: ["Engine", "Gestures", "Grid", "Music", "Rendering"],
            swiftSettings: settings),
        .target(name: "JSON", swiftSettings: settings),
        .target(name: "PatternFormat", dependencies: ["Grid", "JSON", "Music"], swiftSettings: settings),
        .target(name: "Wire", dependencies: ["Grid", "JSON", "Music", "PatternFormat"], swiftSettings: settings),
        .systemLibrary(name: "CPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"])]),
        .target(name: "FrameImage", dependencies: ["CPNG", "Grid"], swiftSettings: settings),

        // Tests, one suite a module.
        .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: settings),
        .testTarget(
            name: "SessionTests", dependencies: ["Engine", "Gestures", "Grid", "Music", "Rendering", "Session"],
            swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
