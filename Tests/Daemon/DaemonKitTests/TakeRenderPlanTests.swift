import Control
import Export
import JSON
import Media
import Testing
import Wire

@testable import DaemonKit
@testable import Takes

struct TakeRenderPlanTests {
    /// A take of 10 s.
    private func take(frames: Int64 = 441_000, rate: Int = 44_100) -> KeptTake {
        KeptTake(
            number: 12, format: 1,
            head: TakeHead(engineVersion: 1, architecture: "x86_64", sampleRate: rate, began: 0, pattern: ""),
            progress: TakeProgress(frames: frames), isStarred: false, isCurrent: false, size: 100)
    }

    struct Chosen: Sendable {
        var call: RenderCall
        var ending: String
        var isFloat: Bool
    }

    @Test(arguments: [
        Chosen(call: RenderCall(take: 12), ending: "flac", isFloat: false),
        Chosen(call: RenderCall(take: 12, format: .float), ending: "wav", isFloat: true),
        Chosen(call: RenderCall(take: 12, format: .pcm24), ending: "wav", isFloat: false),
        Chosen(call: RenderCall(take: 12, stems: true), ending: "wav", isFloat: true),
        Chosen(call: RenderCall(take: 12, path: "/a.wav"), ending: "wav", isFloat: true),
        Chosen(call: RenderCall(take: 12, path: "/a.WAV", format: .pcm24), ending: "wav", isFloat: false),
        Chosen(call: RenderCall(take: 12, path: "/a.flac"), ending: "flac", isFloat: false),
        Chosen(call: RenderCall(take: 12, path: "/a.flac", format: .flac), ending: "flac", isFloat: false),
    ])
    func `the format follows from what is asked for, and else from the path`(chosen: Chosen) throws {
        let plan = try TakeRenderPlan(chosen.call, of: take())
        #expect(plan.ending == chosen.ending)
        #expect((plan.options.sampleFormat == .float32) == chosen.isFloat)
        #expect(plan.options.hasStems == (chosen.call.stems == true))
    }

    @Test(arguments: [
        (RenderCall(take: 12, path: "/a.mp3"), #"path: expected a name that ends in .wav or .flac, got "/a.mp3""#),
        (
            RenderCall(take: 12, path: "/a.flac", stems: true),
            #"path: expected a name that ends in .wav, as stems are WAV files, got "/a.flac""#
        ),
        (
            RenderCall(take: 12, path: "/a.wav", format: .pcm24, stems: true),
            #"format: expected float, as stems are, got "pcm24""#
        ),
        (RenderCall(take: 12, format: .flac, stems: true), #"format: expected float, as stems are, got "flac""#),
        (
            RenderCall(take: 12, path: "/a.wav", format: .flac),
            #"format: expected float or pcm24 for a .wav file, got "flac""#
        ),
        (
            RenderCall(take: 12, path: "/a.flac", format: .float),
            #"format: expected flac for a .flac file, got "float""#
        ),
        (RenderCall(take: 12, from: 10), "from: expected less than the take's 10 seconds, got 10"),
        (RenderCall(take: 12, from: 4, to: 4), "to: expected more than 4, where the part begins, got 4"),
        (RenderCall(take: 12, to: 0), "to: expected more than 0, where the part begins, got 0"),
    ])
    func `what contradicts itself, or lies outside the take, is refused with what is allowed`(
        call: RenderCall, message: String
    ) {
        let error = #expect(throws: ServiceError.self) { try TakeRenderPlan(call, of: take()) }
        guard case .invalid(let error) = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(error.description == message)
    }

    @Test func `a take in which nothing has sounded is refused`() {
        let error = ServiceError.invalid(
            FieldError(field: "take", problem: .invalid("nothing has sounded in take 12 yet")))
        #expect(throws: error) { try TakeRenderPlan(RenderCall(take: 12), of: take(frames: 0)) }
    }

    @Test(arguments: [.min, -1, 0, 7999, 192_001, .max])
    func `a rate that no engine plays is that of a damaged take`(rate: Int) {
        #expect(throws: ServiceError.storage("take 12 is damaged: it has \(rate) frames a second")) {
            try TakeRenderPlan(RenderCall(take: 12), of: take(rate: rate))
        }
    }

    @Test func `the longest take that a damaged database can have is only large`() throws {
        let plan = try TakeRenderPlan(
            RenderCall(take: 12, stems: true, rate: 192_000), of: take(frames: KeptTake.longest, rate: 8000))
        #expect(plan.size > 1 << 50)
    }

    @Test func `the length is that of the part, at the rate of the render`() throws {
        #expect(try TakeRenderPlan(RenderCall(take: 12), of: take()).frameCount == 441_000)
        #expect(try TakeRenderPlan(RenderCall(take: 12, rate: 48_000), of: take()).frameCount == 480_000)
        #expect(try TakeRenderPlan(RenderCall(take: 12, from: 2, to: 5), of: take()).frameCount == 132_300)
        #expect(try TakeRenderPlan(RenderCall(take: 12, from: 9, to: 50), of: take()).frameCount == 44_100)
        #expect(try TakeRenderPlan(RenderCall(take: 12, rate: 8000), of: take()).rate == 8000)
    }

    @Test func `seven files of floats are at most that large`() throws {
        let plan = try TakeRenderPlan(RenderCall(take: 12, stems: true), of: take())
        #expect(plan.size == 7 * (441_000 * 8 + 65_536))
        let compressed = try TakeRenderPlan(RenderCall(take: 12), of: take())
        #expect(compressed.size > 441_000 * 6 && compressed.size < 441_000 * 7)
    }
}
