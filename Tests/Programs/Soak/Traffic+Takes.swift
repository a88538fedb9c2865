import PixelBoopClient
import TestSupport
import Wire

/// What clients do with takes while others play.
extension Traffic {
    /// Seconds that are rendered at most, and how far from a take's beginning they may be: a render plays all before it, too.
    private static let longestRender = 20.0
    private static let farthestRender = 60.0
    /// Of longer takes no MIDI file is made, which would play all of them.
    private static let longestExport = 200.0
    /// How many takes the deleting client leaves.
    private static let keptTakes = 6

    /// Lists, stars, deletes and exports takes, renders them in the background, and vanishes now and then in the middle of a
    /// render, until cancelled.
    static func useTakes(at path: String, exportingTo file: String?, seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        while !Task.isCancelled {
            let client = try await PixelBoopClient.connect(to: path)
            defer { client.close() }
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                try await Task.sleep(for: .milliseconds(Int.random(in: 200...3000, using: &random)))
                guard let take = try await client.takes().takes.randomElement(using: &random) else { continue }
                do {
                    try await use(take, client, exportingTo: file, using: &random)
                } catch ClientError.refused(let refusal) where refusal.code != .internalError {
                    // Another client has deleted it, or renders in the background.
                }
            }
            if Bool.random(using: &random), let take = try await client.takes().takes.last {
                _ = try? await client.beginRender(RenderCall(take: take.number))
                try await Task.sleep(for: .milliseconds(Int.random(in: 0...500, using: &random)))
            }
        }
    }

    private static func use(
        _ take: ListedTake, _ client: PixelBoopClient, exportingTo file: String?, using random: inout SeededGenerator
    ) async throws {
        switch Int.random(in: 0..<8, using: &random) {
        case 0: try await client.starTake(take.number, Bool.random(using: &random))
        case 1: try await deleteOldest(client)
        case 2 where take.seconds < longestExport: _ = try await client.takeMIDI(take.number)
        case 2, 3: try await cancelRender(of: take, client, using: &random)
        case 4:
            guard let file else { return }
            let part = part(of: take, using: &random)
            _ = try await client.renderTake(
                take.number, to: file, stems: true, rate: 44_100, from: part.lowerBound, until: part.upperBound)
        default: try await fetch(take, client, using: &random)
        }
    }

    private static func part(of take: ListedTake, using random: inout SeededGenerator) -> ClosedRange<Double> {
        let start = Double.random(in: 0...min(take.seconds, farthestRender), using: &random)
        return start...start + .random(in: 1...longestRender, using: &random)
    }

    /// Deletes the oldest take that is not starred, if there are many.
    private static func deleteOldest(_ client: PixelBoopClient) async throws {
        let takes = try await client.takes().takes
        guard takes.count > keptTakes, let last = takes.last(where: { !$0.isStarred && !$0.isCurrent }) else { return }
        try await client.deleteTake(last.number)
    }

    private static func cancelRender(
        of take: ListedTake, _ client: PixelBoopClient, using random: inout SeededGenerator
    ) async throws {
        let render = try await client.beginRender(RenderCall(take: take.number, stems: true))
        try await Task.sleep(for: .milliseconds(Int.random(in: 0...300, using: &random)))
        try await client.cancelRender(render)
    }

    /// Renders a part in the background, and fetches it.
    private static func fetch(
        _ take: ListedTake, _ client: PixelBoopClient, using random: inout SeededGenerator
    ) async throws {
        let news = try await client.subscribe(to: [.take])
        defer { news.cancel() }
        let part = part(of: take, using: &random)
        let render = try await client.beginRender(
            RenderCall(take: take.number, from: part.lowerBound, to: part.upperBound))
        waiting: for try await case .take(let event) in news {
            switch event {
            case .done(render: render, _, files: _): break waiting
            case .failed(render: render, _): return
            default: continue
            }
        }
        var file: [UInt8] = []
        while true {
            let (bytes, isEnd) = try await client.renderedData(render, from: file.count)
            file += bytes
            if isEnd { break }
        }
        guard file.starts(with: Array("fLaC".utf8)) else {
            throw SoakStage.Failure(description: "what was rendered of take \(take.number) is no FLAC")
        }
    }
}
