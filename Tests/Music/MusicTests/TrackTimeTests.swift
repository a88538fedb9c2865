import Music
import Testing

@Suite struct TrackTimeTests {
    @Test("A track's count is the last that has started", arguments: Speed.allCases)
    func count(_ speed: Speed) {
        let (n, d) = speed.ratio
        for origin in Int64(-3)...3 {
            let time = TrackTime(length: nil, speed: speed, whole: Loop(length: 12, origin: origin))
            for songStep in Int64(-70)...70 {
                let greatest = (Int64(-400)...400).last { $0 * Int64(d) <= (songStep - origin) * Int64(n) }
                #expect(time.count(at: songStep) - time.start(ofPass: 0) == greatest)
            }
        }
    }

    @Test("A count starts in its sixteenth, at the part that the speed gives", arguments: Speed.allCases)
    func position(_ speed: Speed) {
        let (n, d) = speed.ratio
        let time = TrackTime(length: nil, speed: speed, whole: Loop(length: 16, origin: 5))
        for number in Int64(-100)...100 {
            let count = time.start(ofPass: 0) + number
            let place = time.place(of: count)
            #expect((0..<1).contains(place.part))
            #expect((place.part * Double(n)).rounded() == Double(number * Int64(d) - (place.songStep - 5) * Int64(n)))
            #expect(time.count(at: place.songStep) <= count && time.count(at: place.songStep + 1) >= count)
        }
    }

    @Test("A place is exactly the same from whichever step it is reached", arguments: Speed.allCases)
    func movedPlaces(_ speed: Speed) {
        let time = TrackTime(length: nil, speed: speed, whole: Loop(length: 16, origin: 5))
        for count in Int64(-100)...100 {
            #expect(time.place(of: count, moved: 200, of: 200) == time.place(of: count + 1))
            // 25 % and the last sixth, -25 % and a third.
            #expect(time.place(of: count, moved: 650, of: 600) == time.place(of: count + 1, moved: 25, of: 300))
            #expect(time.place(of: count, moved: 300, of: 600) == time.place(of: count, moved: 4, of: 8))
        }
    }

    @Test("Steps cycle through the length and passes count the cycles, also before the origin", arguments: 1...32)
    func stepsAndPasses(_ length: Int) {
        let time = TrackTime(length: length, speed: .threeHalves, whole: Loop(length: 16))
        var (step, pass) = (0, Int64(-4))
        for count in Int64(-4 * length)...Int64(4 * length) {
            #expect(time.step(of: count) == step && time.pass(of: count) == pass)
            step += 1
            if step == length { (step, pass) = (0, pass + 1) }
        }
    }

    @Test("A slot with its own length counts from the song's start, one without from the whole's step 0")
    func origins() {
        let whole = Loop(length: 24, origin: 7)
        let own = TrackTime(length: 12, speed: .normal, whole: whole)
        let follows = TrackTime(length: nil, speed: .normal, whole: whole)
        #expect(own.length == 12 && own.start(ofPass: 0) == 0 && follows.start(ofPass: 0) == 7)
        for songStep in Int64(-60)...60 {
            let count = follows.count(at: songStep)
            #expect(count == songStep)
            #expect(follows.step(of: count) == whole.step(at: songStep))
            #expect(follows.pass(of: count) == whole.pass(at: songStep))
        }
    }
}
