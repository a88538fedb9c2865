import Foundation
import JSON
import TestSupport

/// What `pixelboop doctor`, run every minute, reports while everything plays.
struct DoctorReports: Equatable {
    /// Checks that must always be well. The others depend on the machine, and on a server that comes and goes.
    private static let required: Set = ["daemon", "versions", "configuration", "socket", "saving", "disk"]

    /// How many reports there were.
    private(set) var count = 0
    /// Faults in the required checks, and failures of doctor itself.
    private(set) var faults: [String] = []

    /// Runs doctor on the daemon at a socket.
    mutating func examine(_ socketPath: String) async throws {
        let doctor = try ChildProgram(.product("pixelboop"), ["doctor", "--socket", socketPath, "--json"])
        let (code, output, log) = try await doctor.run()
        add(output, code: code, log: log)
    }

    /// Adds a report in its printed form.
    mutating func add(_ output: String, code: Int32, log: String = "") {
        count += 1
        guard (0...2).contains(code), let report = try? JSONValue(parsing: Array(output.utf8)),
            let checks = report.objectValue?["checks"]?.arrayValue
        else {
            faults.append("doctor ended with \(code) and no report: \(log)")
            return
        }
        for case .object(let check) in checks where check["verdict"]?.stringValue == "fault" {
            guard let name = check["check"]?.stringValue, Self.required.contains(name) else { continue }
            faults.append("\(name): \(check["text"]?.stringValue ?? "")")
        }
    }

    /// Adds what was found to a verdict.
    func judge(_ verdict: inout SoakVerdict) {
        verdict.add(
            "doctor", "\(count) reports, \(faults.count) faults" + faults.prefix(3).map { "; \($0)" }.joined(),
            isGood: count > 0 && faults.isEmpty)
    }
}
