import ArgumentParser

struct Doctor: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Find out why there is no sound, and how to fix it.",
        discussion: """
            Looks at the daemon, its rights, JACK or PipeWire, ports, xruns, the socket, the page's gateway, disk and \
            versions, with and without a running daemon: a report to paste where you ask for help.

            Exit codes: 0 all is well, 1 something is wrong, 2 nothing is known to be wrong, but something could not be \
            checked.
            """)

    @OptionGroup var daemon: DaemonOptions

    func run() async throws {
        let report = Report(await Examination.gather(daemon.connection))
        try daemon.output.print(report.json, report.inWords)
        guard report.status == .done else { throw Failure(report.status, "") }
    }
}
