import Configuration
import Foundation
import TestSupport
import Testing

@testable import Lights

struct LightsSettingsTests {
    private static let words: [LightsKey: String] = [
        .socket: "/a/b.sock", .ddp: "10.0.0.1,wall:1", .artnet: "10.0.0.2", .sacn: "multicast,10.0.0.3",
        .crop: "4,2,35,20", .scale: "22x12", .layout: "serpentine", .origin: "bottom-right", .rotate: "270",
        .gamma: "1.5", .brightness: "0.25", .picturesPerSecond: "25", .universe: "17", .start: "4",
        .preview: "true", .identifierFile: "/c", .logLevel: "error",
    ]

    private func load(
        _ flags: [LightsKey: String], file: String? = nil, environment: [String: String] = [:]
    ) throws(ConfigurationError) -> LightsSettings {
        let sources = ConfigurationSources<LightsKey>(
            flags: ConfigurationFlags(file: file, values: flags),
            environment: ["HOME": "/home/ada", "XDG_RUNTIME_DIR": "/run/user/7"].merging(environment) { $1 },
            workingDirectory: "/somewhere")
        return try LoadedConfiguration<LightsSettings>(sources).configuration
    }

    private func complaint(_ flags: [LightsKey: String]) -> String? {
        do throws(ConfigurationError) {
            _ = try load(flags)
            return nil
        } catch {
            return error.description
        }
    }

    @Test(arguments: LightsKey.allCases)
    func `every key can be set by flag, by environment and in the file`(key: LightsKey) throws {
        let others: [LightsKey: String] = key == .ddp ? [:] : [.ddp: "10.0.0.9"]
        let word = try #require(Self.words[key])
        let byFlag = try load(others.merging([key: word]) { $1 })
        let value = try #require(byFlag.value(of: key))
        let folder = try TemporaryDirectory()
        try folder.write("\(key.name) = \(value)\n", to: "lights.toml")
        #expect(try load(others, environment: [key.variable: word]) == byFlag)
        #expect(try load(others, file: folder.file("lights.toml")) == byFlag)
    }

    @Test(arguments: [
        (LightsKey.ddp, "a b"), (.artnet, "multicast:0"), (.sacn, "10.0.0.1,"), (.crop, "0,0,45,1"), (.scale, "22"),
        (.layout, "zigzag"), (.origin, "middle"), (.rotate, "45"), (.gamma, "0.5"), (.gamma, "nan"),
        (.brightness, "1.1"),
        (.picturesPerSecond, "0"), (.universe, "64000"), (.start, "513"), (.start, "0"),
    ])
    func `what is not allowed is refused, with what is`(key: LightsKey, word: String) {
        let flags = [LightsKey.ddp: "10.0.0.9"].merging([key: word]) { $1 }
        let expected = "--\(key.name): \(key.name) must be \(key.expectation)"
        // A comma too many is no host too many.
        if word != "10.0.0.1," { #expect(complaint(flags) == expected) } else { #expect(complaint(flags) == nil) }
    }

    @Test func `lights without controllers are refused`() {
        #expect(complaint([:]) == "there is nothing to send to: ddp, artnet, sacn or preview must be set")
        #expect(complaint([.preview: "true"]) == nil)
    }

    @Test(
        arguments: [
            ([.artnet: "a", .universe: "32761"], nil), ([.sacn: "a", .universe: "63993"], nil),
            (
                [.artnet: "a", .universe: "32762"],
                "--universe: Art-Net has universes 0 to 32767, of which this wall needs 7"
            ),
            ([.sacn: "a", .universe: "0"], "--universe: sACN has universes 1 to 63999, of which this wall needs 7"),
            (
                [.sacn: "a", .universe: "63994"],
                "--universe: sACN has universes 1 to 63999, of which this wall needs 7"
            ),
        ] as [([LightsKey: String], String?)])
    func `a wall's universes are those that its protocol has`(flags: [LightsKey: String], refusal: String?) {
        #expect(complaint(flags) == refusal)
    }
}
