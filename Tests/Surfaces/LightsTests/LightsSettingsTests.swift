import Configuration
import Testing

@testable import Lights

struct LightsSettingsTests {
    private func load(_ flags: [String: String]) throws(ConfigurationError) -> LightsSettings {
        let sources = ConfigurationSources(
            flags: ConfigurationFlags(values: flags),
            environment: ["HOME": "/home/ada", "XDG_RUNTIME_DIR": "/run/user/7"], workingDirectory: "/somewhere")
        return try LoadedConfiguration<LightsTable>(sources).settings
    }

    private func complaint(_ flags: [String: String]) -> String? {
        do throws(ConfigurationError) {
            _ = try load(flags)
            return nil
        } catch {
            return error.description
        }
    }

    @Test(arguments: [
        ("ddp", "a b"), ("artnet", "multicast:0"), ("sacn", "10.0.0.1,"), ("crop", "0,0,45,1"), ("scale", "22"),
        ("layout", "zigzag"), ("origin", "middle"), ("rotate", "45"), ("gamma", "0.5"), ("gamma", "nan"),
        ("brightness", "1.1"),
        ("fps", "0"), ("universe", "64000"), ("start", "513"), ("start", "0"),
        ("interface", "eth 0"), ("interface", "sixteen-bytes-01"), ("interface", "a/b"), ("interface", ".."),
    ])
    func `invalid values are refused, with what is allowed`(name: String, word: String) {
        let flags = ["ddp": "10.0.0.9"].merging([name: word]) { $1 }
        let row = LightsTable.rows.first { $0.name == name }
        let expected = "--\(name): \(name) must be \(row?.expectation ?? "a setting")"
        // A trailing comma adds no host.
        if word != "10.0.0.1," { #expect(complaint(flags) == expected) } else { #expect(complaint(flags) == nil) }
    }

    @Test func `an interface is a name, and none is set at first`() throws {
        #expect(try load(["sacn": "multicast"]).interface == nil)
        #expect(try load(["sacn": "multicast", "interface": "enp0s31f6"]).interface == InterfaceName("enp0s31f6"))
    }

    @Test func `lights without controllers are refused`() {
        #expect(complaint([:]) == "there is nothing to send to: ddp, artnet, sacn or preview must be set")
        #expect(complaint(["preview": "true"]) == nil)
    }

    @Test(
        arguments: [
            (["artnet": "a", "universe": "32761"], nil), (["sacn": "a", "universe": "63993"], nil),
            (
                ["artnet": "a", "universe": "32762"],
                "--universe: Art-Net has universes 0 to 32767, of which this wall needs 7"
            ),
            (["sacn": "a", "universe": "0"], "--universe: sACN has universes 1 to 63999, of which this wall needs 7"),
            (
                ["sacn": "a", "universe": "63994"],
                "--universe: sACN has universes 1 to 63999, of which this wall needs 7"
            ),
        ] as [([String: String], String?)])
    func `a wall's universes must exist in its protocol`(flags: [String: String], refusal: String?) {
        #expect(complaint(flags) == refusal)
    }
}
