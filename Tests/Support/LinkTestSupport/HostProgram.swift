import Foundation
import TestSupport

extension ChildProgram {
    /// Starts a program on one of two hosts.
    package convenience init(
        on hosts: TwoHosts, _ host: TwoHosts.Host, _ program: URL, _ arguments: [String] = []
    ) throws {
        try self.init(URL(filePath: "/usr/bin/env"), hosts.command(host, program, arguments))
        try start()
    }
}
