import Foundation
import PixelBoopClient
import TestSupport
import Testing

@testable import NSMClient

struct ProjectFolderTests {
    private let folder: TemporaryDirectory
    private let environment: [String: String]
    private let project: Project

    init() throws {
        folder = try TemporaryDirectory()
        environment = ["HOME": folder.path, "XDG_RUNTIME_DIR": folder.file("run")]
        project = Project(path: folder.file("sessions/nAAAA"), displayName: "song", clientID: "pixelboop.nAAAA")
    }

    private func prepare() throws {
        try ProjectFolder(project: project, environment: environment)
            .prepare(socketPath: SocketPath.session(project.clientID, environment: environment))
    }

    private func permissions(_ name: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: folder.file(name))[.posixPermissions] as? Int
    }

    @Test func `a project's folder and those above it have the usual permissions, that of the sockets is private`()
        throws
    {
        #expect(mkdir(folder.file("usual"), 0o777) == 0)
        try prepare()
        #expect(try permissions("sessions") == permissions("usual"))
        #expect(try permissions("sessions/nAAAA") == permissions("usual"))
        #expect(try permissions("run/pixelboop/sessions") == 0o700)
    }

    /// Where the project's link to the kits leads.
    private var kits: String {
        get throws { try FileManager.default.destinationOfSymbolicLink(atPath: "\(project.path)/kits") }
    }

    @Test func `a new project has a link to the user's kits, wherever the daemon is configured to have them`() throws {
        try configure("data-dir = \"/srv/boop\"")
        try prepare()
        #expect(try kits == "/srv/boop/kits")
    }

    @Test func `a project gets its link once the configuration is right`() throws {
        try configure("data-dri = \"/srv/boop\"")
        try prepare()
        #expect(throws: (any Error).self) { try kits }
        try configure("")
        try prepare()
        #expect(try kits == folder.file(".local/share/pixelboop/kits"))
    }

    private func configure(_ text: String) throws {
        try FileManager.default.createDirectory(
            atPath: folder.file(".config/pixelboop"), withIntermediateDirectories: true)
        try folder.write(text, to: ".config/pixelboop/pixelboopd.toml")
    }
}
