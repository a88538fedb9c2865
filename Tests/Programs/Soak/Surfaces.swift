import Foundation
import Grid
import LinkTestSupport
import PixelBoopClient
import TestSupport

/// The programs for other surfaces, which run beside the daemon, and what they are connected to.
final class Surfaces: Sendable {
    /// Whether each surface shows the right picture.
    typealias Findings = [String: Bool]

    /// The gateway's port on this machine.
    let webPort: Int
    let door: WebDoor
    let launchpad: Launchpad
    /// Nil if network namespaces may not be created.
    let link: SoakLinkSession?
    /// The port that accepts OSC.
    let oscPort: Int
    private let lights: LightsReceiver
    private let listening: Task<Void, Never>
    private let programs: [(name: String, process: ChildProgram)]

    /// Starts all of them; returns when they serve.
    init(at stage: SoakStage) async throws {
        let socket = ["--socket", stage.socketPath]
        let lights = try LightsReceiver()
        self.lights = lights
        listening = Task { await lights.listen() }
        programs = [
            (
                "pixelboop-web",
                try stage.start(
                    "pixelboop-web", socket + ["--token-file", stage.path("token"), "--listen", "127.0.0.1:0"])
            ),
            ("pixelboop-osc", try stage.start("pixelboop-osc", socket + ["--listen", "127.0.0.1:0"])),
            (
                "pixelboop-lights",
                try stage.start(
                    "pixelboop-lights", socket + ["--ddp", "127.0.0.1:\(lights.port)", "--gamma", "1"])
            ),
            (
                "pixelboop-grid",
                try stage.start("pixelboop-grid", socket + ["--jack-server", stage.jackServer])
            ),
        ]
        webPort = try await stage.port(of: "pixelboop-web")
        door = try WebDoor(at: stage.path("web.sock"), toGatewayAt: webPort)
        oscPort = try await stage.port(of: "pixelboop-osc")
        launchpad = Launchpad(jackServer: stage.jackServer)
        try await launchpad.plugIn()
        link = Need.networkNamespaces.isMet ? try await SoakLinkSession(socketPath: stage.socketPath) : nil
    }

    /// Compares them with the picture of a daemon at rest.
    func compare(with client: PixelBoopClient) async throws -> Findings {
        var findings = try await [
            "lights": agree(client) { await self.lights.picture == LightsReceiver.channels(of: $0) },
            "Launchpad": agree(client) { try await self.launchpad.shows($0) },
        ]
        if let link { findings["Link"] = try await link.isWhole() }
        return findings
    }

    /// Whether a surface shows the picture, now or within some seconds: pictures take a while to arrive.
    private func agree(
        _ client: PixelBoopClient, _ condition: (Frame) async throws -> Bool
    ) async throws -> Bool {
        for _ in 0..<100 {
            if try await condition(client.frame().frame) { return true }
            try await Task.sleep(for: .milliseconds(100))
        }
        return false
    }

    /// - Returns: The programs that did not end normally, with their exit status.
    func end() async -> [String: Int32] {
        listening.cancel()
        launchpad.unplug()
        await link?.end()
        var statuses: [String: Int32] = [:]
        for (name, process) in programs { statuses[name] = await process.end() }
        return statuses.filter { $0.value != 0 }
    }
}
