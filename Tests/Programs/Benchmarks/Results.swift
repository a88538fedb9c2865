import Foundation
import JSON

/// A file outside the repository that every benchmark's figures are appended to, one line of JSON each, so that today's
/// run can be compared with earlier ones.
enum Results {
    /// A figure or a word of a result.
    enum Value {
        case number(Double)
        case text(String)

        fileprivate var json: JSONValue {
            switch self {
            // JSON has no infinity; four digits are more than any figure is worth.
            case .number(let number): number.isFinite ? .number(rounded(number)) : .string("\(number)")
            case .text(let text): .string(text)
            }
        }

        private func rounded(_ number: Double) -> Double {
            Double(String(format: "%.4g", number)) ?? number
        }
    }

    /// Appends the figures of a benchmark, with the time, the machine and its load average.
    ///
    /// A file that cannot be written causes a warning, but does not fail the benchmark.
    static func record(benchmark: String, _ values: [String: Value]) {
        var line: JSONObject = [
            "time": .string(Date().ISO8601Format()), "benchmark": .string(benchmark), "machine": .string(machine),
            "loadAverage": .number(loadAverage),
        ]
        for (name, value) in values.sorted(by: { $0.key < $1.key }) { line[name] = value.json }
        do {
            try append(JSONValue.object(line).text + "\n", to: file)
        } catch {
            FileHandle.standardError.write(Data("the result was not recorded in \(file.path): \(error)\n".utf8))
        }
    }

    /// `PIXELBOOP_BENCH_RESULTS`, or `pixelboop/bench.jsonl` in the user's state directory.
    private static var file: URL {
        let environment = ProcessInfo.processInfo.environment
        if let path = environment["PIXELBOOP_BENCH_RESULTS"], !path.isEmpty { return URL(filePath: path) }
        let state = environment["XDG_STATE_HOME"].flatMap { $0.isEmpty ? nil : URL(filePath: $0) }
        let home = FileManager.default.homeDirectoryForCurrentUser
        return (state ?? home.appending(path: ".local/state")).appending(path: "pixelboop/bench.jsonl")
    }

    private static func append(_ line: String, to file: URL) throws {
        let folder = file.deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // A single write in append mode: lines of concurrent benchmarks do not mix.
        let descriptor = open(file.path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        try handle.write(contentsOf: Data(line.utf8))
    }

    /// The number and name of the processors.
    private static var machine: String {
        let information = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
        let line = information.split(separator: "\n").first { $0.hasPrefix("model name") }
        let name = line?.split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) }
        return "\(ProcessInfo.processInfo.processorCount) x \(name ?? "unknown")"
    }

    /// The load average of the last minute.
    private static var loadAverage: Double {
        var average = 0.0
        return getloadavg(&average, 1) == 1 ? average : 0
    }
}

extension Results.Value: ExpressibleByFloatLiteral, ExpressibleByStringLiteral {
    init(floatLiteral value: Double) { self = .number(value) }
    init(stringLiteral value: String) { self = .text(value) }
}
