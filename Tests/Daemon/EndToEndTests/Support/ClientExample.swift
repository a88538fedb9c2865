import PixelBoopClient

/// Plays five notes on the daemon at a socket, and returns the steps that were heard.
func playFiveNotes(at socket: String) async throws -> [Int] {
    let client = try await PixelBoopClient.connect(to: socket)
    defer { client.close() }
    try await client.clearPattern()
    for step in 0..<5 {
        try await client.setNote(.melody, step: step, note: [0, 2, 4, 7, 9][step], .normal)
    }
    let events = try await client.subscribe(to: [.step])
    try await client.play()
    var heard: [Int] = []
    for try await case .step(let step) in events {
        heard.append(step.step)
        if heard.count == 5 { break }
    }
    try await client.stop()
    return heard
}
