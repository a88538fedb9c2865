import JSON

/// The results of all checks, in words and as JSON.
struct Report {
    let findings: [(check: Check, verdict: Verdict)]

    init(_ examination: Examination, checks: [Check] = Check.all) {
        findings = checks.map { ($0, $0.look(examination)) }
    }

    /// 0 all is well; 1 something is wrong; 2 nothing is known to be wrong, but something could not be checked.
    var status: ExitStatus {
        let verdicts = findings.map(\.verdict.word)
        return verdicts.contains("fault") ? .refused : verdicts.contains("unknown") ? .usage : .done
    }

    var inWords: String {
        let width = findings.map(\.check.name.count).max() ?? 0
        return findings.map { check, verdict in
            let line = "\(verdict.sign) \(check.name.padded(to: width))  \(verdict.text)"
            return verdict.remedy.map { "\(line)\n  \("".padded(to: width))  -> \($0)" } ?? line
        }.joined(separator: "\n")
    }

    /// `{"status": 1, "checks": [{"check": "server", "verdict": "fault", "text": "...", "remedy": "..."}]}`
    var json: JSONValue {
        let checks = findings.map { check, verdict -> JSONValue in
            var object: JSONObject = [
                "check": .string(check.name), "verdict": .string(verdict.word), "text": .string(verdict.text),
            ]
            if let remedy = verdict.remedy { object["remedy"] = .string(remedy) }
            return .object(object)
        }
        return ["status": .integer(Int(status.rawValue)), "checks": .array(checks)]
    }
}

extension Verdict {
    var word: String {
        switch self {
        case .well: "well"
        case .fault: "fault"
        case .unknown: "unknown"
        case .none: "none"
        }
    }

    var text: String {
        switch self {
        case .well(let text), .fault(let text, _), .unknown(let text), .none(let text): text
        }
    }

    var remedy: String? { if case .fault(_, let remedy) = self { remedy } else { nil } }

    /// The mark at the beginning of its line, padded to the same width as the others.
    fileprivate var sign: String {
        switch self {
        case .well: "ok   "
        case .fault: "FAULT"
        case .unknown: "?    "
        case .none: "-    "
        }
    }
}
