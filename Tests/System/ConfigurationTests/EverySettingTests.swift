import Testing

@testable import Configuration

struct EverySettingTests {
    private let home: Home

    init() throws { home = try Home() }

    @Test(arguments: ConfiguredProgram.all.flatMap { program in program.rows.map { (program, $0.name) } })
    func `every setting can be set by flag, by environment and in the file`(program: ConfiguredProgram, name: String)
        throws
    {
        let row = try #require(program.rows.first { $0.name == name })
        let word = try #require(ConfiguredProgram.words[program.name]?[name])
        var others = ConfiguredProgram.needed[program.name] ?? [:]
        others[name] = nil
        let byFlag = try program.load(home.sources(flags: others.merging([name: word]) { $1 }))
        let text = try #require(byFlag[name]?.text)
        #expect(text.filter { !"\"[] ".contains($0) } == word.filter { !"[]".contains($0) })
        let isOff = row.shape == .onOff && word == "false"
        #expect(byFlag[name]?.origin.description == (isOff ? "--no-\(name)" : "--\(name)"))

        let variable = row.variable(program.prefix)
        let byVariable = try program.load(home.sources(flags: others, environment: [variable: word]))
        #expect(byVariable.mapValues(\.text) == byFlag.mapValues(\.text))
        #expect(byVariable[name]?.origin == .variable(variable))

        let file = try home.write("\(name) = \(text)", to: "x.toml")
        let byFile = try program.load(home.sources(file: file, flags: others))
        #expect(byFile.mapValues(\.text) == byFlag.mapValues(\.text))
        #expect(byFile[name]?.origin == .file(file, line: 1))

        #expect(
            try program.load(home.sources(flags: ConfiguredProgram.needed[program.name] ?? [:]))[name]?.text != text)
    }

    @Test(arguments: ConfiguredProgram.all)
    func `the check prints a file with the same settings`(program: ConfiguredProgram) throws {
        let sources = home.sources(flags: try #require(ConfiguredProgram.words[program.name]))
        let file = try home.write(program.report(sources), to: "x.toml")
        #expect(
            try program.load(home.sources(file: file)).mapValues(\.text) == program.load(sources).mapValues(\.text))
    }

    @Test(arguments: ConfiguredProgram.all)
    func `the example file names every setting, with its default where there is one`(program: ConfiguredProgram) throws
    {
        let lines = program.example.split(separator: "\n")
        #expect(lines.allSatisfy { $0.hasPrefix("# ") && $0.count <= 120 })
        let values = lines.compactMap { $0.wholeMatch(of: /# ([a-z-]+) = .*/) }
        #expect(values.map { String($0.1) } == program.rows.map(\.name))
        let text = values.map { $0.0.dropFirst(2).replacing("\"audio\"", with: "\"root\"") }.joined(separator: "\n")
        let environment = ["HOME": "/home/ada", "XDG_RUNTIME_DIR": "/run/user/1000"]
        let example = try program.load(
            home.sources(file: try home.write(text, to: "x.toml"), environment: environment))
        let defaults = try program.load(
            home.sources(flags: ConfiguredProgram.needed[program.name] ?? [:], environment: environment))
        for (name, standard) in defaults where standard.origin == .standard && standard.text != nil {
            #expect(example[name]?.text == standard.text)
        }
        #expect(example.values.allSatisfy { $0.text != nil })
    }

    @Test(arguments: [
        ("pixelboopd", "socket", "The control socket. Default: $XDG_RUNTIME_DIR/pixelboop/control.sock."),
        ("pixelboopd", "max-clients", "Clients that may be connected at once, 1 to 65536. Default: 1024."),
        (
            "pixelboopd", "connect",
            "Connect the main ports to the first playback ports on the very first start. Default: on."
        ),
        ("pixelboopd", "takes-size", "MiB that they may take on the disk, 1 to 1048576. Default: 1024."),
        ("pixelboop-link", "quantum", "Join on a multiple of this many beats, 1 to 64. Default: 4."),
        (
            "pixelboop-web", "lan",
            "Listen on all addresses, for tablets in the room; prints the address and a QR code. From elsewhere the token "
                + "is needed."
        ),
        (
            "pixelboop-osc", "listen",
            "An address to listen on instead, by UDP and by TCP, like 192.168.1.2:9044; may be given several times. "
                + "Default: 127.0.0.1:9044."
        ),
        (
            "pixelboop-lights", "layout",
            "How rows are wired: rows or serpentine. Rows begin on the same side; in a serpentine each begins where the "
                + "one before ended. Default: rows."
        ),
    ])
    func `the help names a setting's purpose, its allowed values and its default`(
        program: String, name: String, help: String
    ) {
        let rows = ConfiguredProgram.all.first { $0.name == program }?.rows
        #expect(rows?.first { $0.name == name }?.help == help)
    }

    @Test func `the socket has the same variable for all programs, unless it is a session's`() {
        for program in ConfiguredProgram.all {
            let isSession = program.name == "pixelboop-nsm"
            let variable = program.rows[0].variable(program.prefix)
            #expect(variable == (isSession ? "PIXELBOOP_NSM_SOCKET" : "PIXELBOOP_SOCKET"), "\(program)")
        }
    }
}
