import Glibc
import Testing

@testable import Configuration

struct ProblemTests {
    private let home: Home

    init() throws { home = try Home() }

    private static let badClientName =
        "client-name must be a name of 1 to 32 bytes without colons and control characters"
    private static let badServerName =
        "jack-server must be a name of 1 to 64 bytes without slashes and control characters"

    @Test(arguments: [
        ("\n\nmax-client = 3", "file:3: unknown key max-client; did you mean max-clients?"),
        ("log_level = \"info\"", "file:1: unknown key log_level; did you mean log-level?"),
        ("# socket\n[jack]\nserver = \"x\"", "file:2: unknown key jack; did you mean jack-server?"),
        ("adition = \"never\"", "file:1: unknown key adition; did you mean audition?"),
        ("group = \"audio\"", "file:1: unknown key group; did you mean socket-group?"),
        (
            "zzz = 1",
            "file:1: unknown key zzz; the keys are socket, socket-group, max-clients, driver, rate, period, jack-server, "
                + "client-name, connect, "
                + "state-dir, data-dir, takes-keep, takes-size, audition, sync and log-level"
        ),
    ])
    func `an unknown key is reported with its line and the key probably meant`(text: String, complaint: String) throws {
        #expect(try home.complaints(about: text) == [complaint])
    }

    @Test(arguments: [
        ("max-clients = 0", "max-clients must be an integer from 1 to 65536"),
        ("max-clients = 65537", "max-clients must be an integer from 1 to 65536"),
        ("max-clients = \"8\"", "max-clients must be an integer from 1 to 65536"),
        ("max-clients = 1.5", "max-clients must be an integer from 1 to 65536"),
        ("connect = \"yes\"", "connect must be true or false"),
        ("connect = 1", "connect must be true or false"),
        ("audition = \"sometimes\"", "audition must be \"stopped\", \"always\" or \"never\""),
        (
            "sync = \"link\"",
            "sync must be \"internal\", \"jack\", \"midi\", \"timeline\" or \"auto\""
        ),
        (
            "log-level = \"loud\"",
            "log-level must be \"trace\", \"debug\", \"info\", \"notice\", \"warning\", \"error\" or \"critical\""
        ),
        ("state-dir = \"relative\"", "state-dir must be an absolute path"),
        ("state-dir = \"\"", "state-dir must be an absolute path"),
        ("data-dir = []", "data-dir must be an absolute path"),
        ("client-name = \"a:b\"", badClientName),
        ("client-name = \"a\\nb\"", badClientName),
        ("client-name = \"a\\u009Bb\"", badClientName),
        ("client-name = \"\"", badClientName),
        ("client-name = \"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\"", badClientName),
        ("jack-server = \"a/b\"", badServerName),
        ("jack-server = \"a\\tb\"", badServerName),
        ("jack-server = \"\(String(repeating: "s", count: 65))\"", badServerName),
        ("socket-group = \"no such group\"", "socket-group must be the name of a group on this machine"),
    ])
    func `a bad value is reported with its line and the allowed values`(line: String, complaint: String) throws {
        #expect(try home.complaints(about: "\n\(line)") == ["file:2: \(complaint)"])
    }

    @Test func `a socket path may be as long as the system allows, and no longer`() throws {
        let longest = "/" + String(repeating: "s", count: 106)
        #expect(try home.load("socket = \"\(longest)\"").socketPath == longest)
        #expect(
            try home.complaints(about: "socket = \"\(longest)s\"") == [
                "file:1: socket must be an absolute path of at most 107 bytes"
            ])
    }

    @Test func `all problems are reported at once, from every source`() throws {
        let file = try home.write("conect = false\nmax-clients = -1")
        let error = #expect(throws: ConfigurationError.self) {
            try LoadedConfiguration<DaemonTable>(
                home.sources(flags: ["log-level": "loud"], environment: ["PIXELBOOP_CONNECT": "maybe"]))
        }
        #expect(
            error?.problems.map(\.origin) == [
                .file(file, line: 1), .file(file, line: 2), .variable("PIXELBOOP_CONNECT"), .flag("--log-level"),
            ])
    }

    @Test(arguments: [
        ("a = 1\nsocket = \"", 2), ("socket = /run/x", 1), ("socket = \"a\"\n\nsocket = \"b\"", 3), ("= 3", 1),
        ("\n[#a]", 2), ("[ = ]", 1), ("[[\u{e9}]]", 1), ("[", 1), ("[\n]", 1), ("[[ ", 1), ("[]", 1), ("[a.]", 1),
        ("max-clients = 3\n\0connect = 7", 2), ("connect =  1979-05-27T-te", 1), ("\nconnect = [\n 12:0", 3),
        ("socket = \"\"\"\n[#\n\\\"\"\"\"\"\"\n[#", 4), ("socket = '\\'\n[#", 2), ("socket = \"\\\\\"\n[#", 2),
        ("\nsocket = \"/run/a\\u0000b\"", 2), ("socket = \"\"\"\n\\U00000000\"\"\"", 2),
    ])
    func `invalid TOML is reported with its line`(text: String, line: Int) throws {
        let complaint = try #require(try home.complaints(about: text).first)
        #expect(complaint.hasPrefix("file:\(line): "))
    }

    @Test(arguments: [
        "socket = \"/run/[#1:2-3]\" # [#1:2", "socket = '[#'", "socket = \"\"\"\n[#1:2\"\"\"",
        "socket = '''\n[# 1-2\n'''", "[ \"#\" ]", "[['#']]", "connect = [[1,\n[2]]]", "connect = -1e-5",
        "socket = \"\\\\u0000\"", "socket = '\\u0000'", "socket = \"\\u00010\"",
    ])
    func `what the parser refuses by itself is left to it`(text: String) {
        #expect(TOMLPrecheck(in: text).first == nil)
    }

    @Test func `in a file with lines of DOS, too, a bad value is reported with its line`() throws {
        let complaints = try home.complaints(about: "# a comment\r\n\r\nmax-clients = 0\r\n")
        #expect(complaints.count == 1 && complaints.first?.hasPrefix("file:3: max-clients ") == true)
    }

    @Test func `a key is found on its line whatever surrounds it`() {
        let lines = KeyLines(
            """
            # connect = 1
            socket = \"\"\"
            connect = 2
            \"\"\"
              "log-level" = '''a
            audition = 3''' # x
            \tconnect=true
            max-clients.x = 1
            [table.sub]
            """)
        #expect(lines["socket"] == 2)
        #expect(lines["log-level"] == 5)
        #expect(lines["connect"] == 7)
        #expect(lines["max-clients"] == 8)
        #expect(lines["table"] == 9)
        #expect(lines["audition"] == nil)
    }

    @Test func `a file that is named must exist`() throws {
        let error = #expect(throws: ConfigurationError.self) {
            try LoadedConfiguration<DaemonTable>(home.sources(file: "/nowhere/x.toml"))
        }
        #expect(error?.description == "/nowhere/x.toml: cannot be read: No such file or directory")
    }

    @Test func `a file that is a directory, too long or not text is refused`() throws {
        #expect(throws: ConfigurationError.self) {
            try LoadedConfiguration<DaemonTable>(home.sources(file: home.path))
        }
        #expect(
            try home.complaints(about: String(repeating: "# x\n", count: 300_000)) == [
                "file: is longer than 1048576 bytes"
            ])
        let error = #expect(throws: ConfigurationError.self) {
            try ConfigurationFile("f", content: Array("connect = true\n".utf8) + [0xff])
        }
        #expect(error?.description == "f:2: is not UTF-8")
    }

    @Test func `only regular files are read, and others never waited for`() throws {
        let fifo = "\(home.path)/fifo.toml"
        mkfifo(fifo, 0o600)
        for path in [fifo, "/dev/zero", home.path] {
            let error = #expect(throws: ConfigurationError.self) {
                try LoadedConfiguration<DaemonTable>(home.sources(file: path))
            }
            #expect(error?.description == "\(path): is not a regular file")
        }
    }

    @Test func `if the user's directories are unknown, paths must be set`() throws {
        let error = #expect(throws: ConfigurationError.self) {
            try LoadedConfiguration<DaemonTable>(
                ConfigurationSources(flags: ConfigurationFlags(), environment: [:]))
        }
        #expect(
            error?.problems.map(\.description) == [
                "XDG_RUNTIME_DIR: is not set, so socket must be set", "HOME: is not set, so state-dir must be set",
                "HOME: is not set, so data-dir must be set",
            ])
        let flags = ConfigurationFlags(values: [
            "socket": "/s", "state-dir": "/t", "data-dir": "/l",
        ])
        #expect(throws: Never.self) {
            try LoadedConfiguration<DaemonTable>(ConfigurationSources(flags: flags, environment: [:]))
        }
    }
}
