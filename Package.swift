// swift-tools-version: 6.2
import PackageDescription

// CI builds with warnings as errors; a newer compiler's new warning must not break a user's build.
let strict: [SwiftSetting] =
    Context.environment["CI"] == nil && Context.environment["PIXELBOOP_STRICT"] == nil
    ? [] : [.treatAllWarnings(as: .error)]

let package = Package(
    name: "pixelboop",
    dependencies: [],
    targets: [
        .target(name: "Music", swiftSettings: strict),
        .target(name: "Grid", dependencies: ["Music"], swiftSettings: strict),
        .target(name: "Gestures", dependencies: ["Grid", "Music"], swiftSettings: strict),
        .target(name: "Rendering", dependencies: ["Gestures", "Grid", "Music"], swiftSettings: strict),
        .target(name: "Engine", swiftSettings: strict + [.strictMemorySafety()]),
        .target(
            name: "Session", dependencies: ["Engine", "Gestures", "Grid", "Music", "Rendering"], swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)
