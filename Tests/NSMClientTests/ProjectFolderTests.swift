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
}
