import ArgumentParser
import Instrument
import JSON
import PixelBoopClient
import Wire

struct ShowLink: DaemonCommand {
    static let configuration = CommandConfiguration(
        commandName: "link",
        abstract: "Show peers and tempo of the Ableton Link session that pixelboop-link has joined.")

    @OptionGroup var daemon: DaemonOptions

    func answer(from client: PixelBoopClient) async throws -> Answer {
        let state = try await client.state().state
        let sync = state.sync
        guard let holder = sync.holder else {
            // The timeline follows the sound: without sound it cannot be held.
            guard state.audio.status == .running else {
                throw Failure(.refused, "pixelboop-link needs sound, and there is none: run pixelboop doctor")
            }
            let unit = ServiceUnit(name: "pixelboop-link", isSystem: daemon.connection.isSystem)
            throw Failure(.refused, "pixelboop-link is not running: \(unit.systemctl("start"))")
        }
        guard let peers = sync.peers, let bpm = sync.holderBpm else {
            throw Failure(.refused, "\(holder) holds the timeline, not pixelboop-link")
        }
        let isFollowed = sync.following == .timeline
        return Answer(
            ["peers": .integer(peers), "bpm": .number(bpm), "followed": .bool(isFollowed)],
            "\(peers) \(peers == 1 ? "peer" : "peers"), \(bpm.inWords) BPM, "
                + (isFollowed ? "followed" : "not followed: pixelboop sync auto follows it"))
    }
}
