import Music
import TestSupport
import Testing

/// What waits on each track, before and after launches by the clock.
@Suite struct LaunchQueueTests {
    private var playing = PlayingSlots()
    private var queue = LaunchQueue()

    private mutating func accept(_ request: LaunchRequest) { queue.accept(request, playing: playing) }

    /// The clock carries out the next launches of some tracks.
    private mutating func launch(_ tracks: [Track] = Track.allCases) {
        for track in tracks {
            guard let next = queue[track].next else { continue }
            playing.play(Slot(track, next.index))
            queue.launched(on: track)
        }
    }

    @Test mutating func `a slot waits for the next point, or for the next step`() {
        accept(.launch(.track(.melody), 2, .queued))
        #expect(queue[.melody].next == .init(index: 2, moment: .point))
        accept(.launch(.track(.melody), 4, .now))
        #expect(queue[.melody].next == .init(index: 4, moment: .step))
        #expect(queue[.bass].next == nil)
        launch([.melody])
        #expect(queue == LaunchQueue())
    }

    @Test mutating func `a chain repeats, and may repeat links`() {
        accept(.chain(.track(.chords), [1, 1, 0]))
        #expect(queue.queued(.track(.chords)) == 1)
        var heard: [Int] = []
        var moments: [TrackLaunches.Next.Moment] = []
        for _ in 0..<7 {
            moments += queue[.chords].next.map { [$0.moment] } ?? []
            launch([.chords])
            heard.append(playing[.chords].index)
        }
        #expect(heard == [1, 1, 0, 1, 1, 0, 1])
        #expect(moments == [.point] + Array(repeating: .link, count: 6))
        #expect(queue.chain(.track(.chords)) == [1, 1, 0])
    }

    @Test mutating func `a chain of one slot is a launch, and none is longer than 16`() {
        accept(.chain(.track(.melody), [3, 3]))
        #expect(queue.chain(.track(.melody)).isEmpty && queue.queued(.track(.melody)) == 3)
        accept(.chain(.track(.melody), (0..<20).map { $0 % 3 }))
        #expect(queue.chain(.track(.melody)).count == 16)
    }

    @Test mutating func `the tracks of a scene's chain advance together, even if some play its first slot`() {
        playing.play(Slot(.melody, 4))
        accept(.chain(.scenes, [4, 5]))
        #expect(
            Track.allCases.map { queue[$0].next } == Array(repeating: .init(index: 4, moment: .point), count: 4))
        launch()
        #expect(Track.allCases.map { queue[$0].next } == Array(repeating: .init(index: 5, moment: .link), count: 4))
        #expect(queue.queued(.scenes) == nil && queue.chain(.scenes) == [4, 5])
    }

    @Test mutating func `a scene is queued until all of its slots play`() {
        accept(.launch(.scenes, 2, .queued))
        #expect(queue.queued(.scenes) == 2)
        launch([.melody, .bass, .chords])
        #expect(queue.queued(.scenes) == 2)
        launch([.rhythm])
        #expect(queue == LaunchQueue())
    }

    @Test mutating func `a track that is launched by itself leaves the scene; the others continue`() {
        accept(.chain(.scenes, [2, 3]))
        accept(.launch(.track(.bass), 7, .queued))
        #expect(queue.queued(.scenes) == nil && queue.chain(.scenes).isEmpty)
        #expect(queue[.bass].next?.index == 7)
        #expect(queue.chain(.track(.melody)) == [2, 3] && queue.chain(.track(.bass)).isEmpty)
    }

    @Test mutating func `a cancelled track leaves the scene, a cancelled scene ends everything`() {
        accept(.launch(.scenes, 2, .queued))
        accept(.cancel(.track(.rhythm)))
        #expect(queue.queued(.scenes) == nil && queue[.rhythm].next == nil && queue[.melody].next?.index == 2)
        accept(.cancel(.scenes))
        #expect(queue == LaunchQueue())
    }

    @Test mutating func `when the clock stops, queued slots are taken at once; chains keep their place`() {
        accept(.chain(.track(.melody), [3, 6]))
        accept(.launch(.track(.bass), 1, .queued))
        #expect(queue.fetchQueued() == [Slot(.melody, 3), Slot(.bass, 1)])
        #expect(queue[.melody].next == .init(index: 6, moment: .link))
        #expect(queue.fetchQueued().isEmpty)
        #expect(queue[.bass].next == nil)
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    mutating func `after any requests, each track launches what a simple list predicts`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        // What each track plays from now on: the queued slot, then its chain over and over.
        var model = Track.allCases.map { _ in (queued: [Int](), chain: [Int]()) }
        for _ in 0..<2000 {
            let bank = SlotBank.all.randomElement(using: &random)!
            let index = Int.random(in: 0..<Slot.count, using: &random)
            switch Int.random(in: 0..<8, using: &random) {
            case 0..<3:
                accept(.launch(bank, index, Bool.random(using: &random) ? .queued : .now))
                for track in bank.tracks {
                    model[track.rawValue] = (playing[track].index == index ? [] : [index], [])
                }
            case 3:
                let links = (0..<Int.random(in: 2...5, using: &random)).map { ($0 + index) % Slot.count }
                accept(.chain(bank, links))
                let begins = bank.tracks.allSatisfy { playing[$0].index == index }
                for track in bank.tracks {
                    model[track.rawValue] = begins ? ([], Array(links[1...] + links[..<1])) : ([index], links)
                    if !begins { model[track.rawValue].chain = Array(links[1...] + links[..<1]) }
                }
            case 4:
                accept(.cancel(bank))
                for track in bank.tracks { model[track.rawValue] = ([], []) }
            default:
                let track = Track.allCases.randomElement(using: &random)!
                launch([track])
                let line = model[track.rawValue]
                if let queued = line.queued.first {
                    model[track.rawValue].queued = []
                    #expect(playing[track].index == queued)
                } else if let link = line.chain.first {
                    model[track.rawValue].chain = Array(line.chain[1...] + [link])
                    #expect(playing[track].index == link)
                }
            }
            for track in Track.allCases {
                let line = model[track.rawValue]
                #expect(queue.queued(.track(track)) == line.queued.first)
                let coming = line.queued + line.chain + line.chain
                #expect(queue[track].coming(coming.count + 1) == coming + line.chain.prefix(1))
            }
            if let scene = queue.queued(.scenes), queue.chain(.scenes).isEmpty {
                #expect(Track.allCases.allSatisfy { [playing[$0].index, queue[$0].next?.index].contains(scene) })
            }
        }
    }
}

/// What waits on one track: a rule that the session and the process callback share.
@Suite struct TrackLaunchesTests {
    private let chain = TrackLaunches([2, 5, 5, 1])

    @Test(arguments: 0..<12)
    func `many launches at once leave what they leave one by one`(count: Int) {
        for launches in [TrackLaunches(), TrackLaunches([3], .now), chain, TrackLaunches([2, 5, 1], isPlaying: true)] {
            var (atOnce, oneByOne) = (launches, launches)
            atOnce.advance(by: Int64(count))
            for _ in 0..<count { oneByOne.advance() }
            #expect(atOnce == oneByOne)
        }
    }

    @Test func `a chain is known after more links than anybody lives to hear`() {
        var launches = chain
        launches.advance(by: 1 << 62)
        #expect(launches.coming(4) == [2, 5, 5, 1])
        #expect(launches.queued == nil && launches.chain == [2, 5, 5, 1])
    }

    @Test(arguments: LaunchQuantum.allCases)
    func `only what is queued waits for the chosen quantum`(quantum: LaunchQuantum) {
        let queued = TrackLaunches([3]).next
        #expect(queued?.quantum(quantum) == quantum)
        #expect(TrackLaunches([3], .now).next?.quantum(quantum) == .step)
        #expect(TrackLaunches([3, 4], isPlaying: true).next?.quantum(quantum) == .loop)
    }
}

extension TrackLaunches {
    /// The next launches, at most so many.
    fileprivate func coming(_ count: Int) -> [Int] {
        var launches = self
        return (0..<count).compactMap { _ in
            defer { launches.advance() }
            return launches.next?.index
        }
    }
}
