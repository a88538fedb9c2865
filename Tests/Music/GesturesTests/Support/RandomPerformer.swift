import Gestures
import Grid
import Music
import TestSupport

/// Plays on a rig like several people who know the gestures but not what they want.
struct RandomPerformer {
    var generator: SeededGenerator
    var rig: Rig
    private var fingers: [Finger] = []

    private struct Finger {
        let client: Int
        let id: Int
        var x: Double
        var y: Double
    }

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
        rig = Rig()
        for client in 1...3 {
            let resolution = TouchSurface.Resolution(rawValue: pick(["subcell", "subcell", "cell"]))!
            rig.surfaces[ClientID(client)] = TouchSurface(
                resolution: resolution, cellPixels: Double(pick([7, 14, 21, 40])))
        }
    }

    /// One random action of a finger or a program, or a pause.
    mutating func act() {
        switch Int.random(in: 0..<100, using: &generator) {
        case 0..<14: down()
        case 14..<40: move()
        case 40..<50: lift(.up)
        case 50..<52: lift(.cancel)
        case 52..<56: rig.wait(pick([1, 30, 200, 400, 650, 1500]))
        case 56..<72: tap()
        case 72..<82: swing()
        case 82..<90: stroke()
        case 90..<92: pad()
        case 92: disconnect()
        case 93: stray()
        default: program()
        }
        rig.wait(Int.random(in: 0...60, using: &generator))
    }

    /// Cancels all touches.
    mutating func cancelAll() {
        while !fingers.isEmpty { lift(.cancel) }
    }

    /// One finger on the steps that moves around, rests or not, and is cancelled or lost.
    mutating func playAndCancel() {
        let start = (x: Double.random(in: 4..<12, using: &generator), y: Double.random(in: 2..<22, using: &generator))
        rig.send(Touch(id: 9, phase: .down, x: start.x, y: start.y))
        for _ in 0..<Int.random(in: 0...8, using: &generator) {
            rig.wait(pick([0, 20, 100, 400]))
            rig.send(Touch(id: 9, phase: .move, x: start.x + inside(9), y: start.y + inside(6)))
        }
        rig.wait(pick([0, 50, 500]))
        if Bool.random(using: &generator) {
            rig.send(Touch(id: 9, phase: .cancel, x: 0, y: 0))
        } else {
            rig.machine.disconnect(ClientID(1))
        }
    }

    // MARK: Fingers

    private mutating func down() {
        let finger = Finger(
            client: Int.random(in: 1...3, using: &generator), id: Int.random(in: 1...3, using: &generator),
            x: Double.random(in: 0..<44, using: &generator), y: Double.random(in: 0..<24, using: &generator))
        fingers.removeAll { $0.client == finger.client && $0.id == finger.id }
        fingers.append(finger)
        send(finger, .down)
    }

    private mutating func move() {
        guard let index = fingers.indices.randomElement(using: &generator) else { return down() }
        let reach = pick([0.3, 1, 3, 12, 50])
        move(index, to: (fingers[index].x + inside(reach), fingers[index].y + inside(reach)))
    }

    private mutating func move(_ index: Int, to place: (x: Double, y: Double)) {
        (fingers[index].x, fingers[index].y) = place
        send(fingers[index], .move)
    }

    private mutating func lift(_ phase: TouchPhase) {
        guard let index = fingers.indices.randomElement(using: &generator) else { return }
        send(fingers.remove(at: index), phase)
    }

    /// A tap or hold, often near the last one.
    private mutating func tap() {
        down()
        if Bool.random(using: &generator) {
            let last = fingers.removeLast()
            fingers.append(
                Finger(client: last.client, id: last.id, x: 6.5, y: pick([4.5, 5.5, 13.5, 16.5, 20.5, 22.5])))
            send(fingers[fingers.count - 1], .down)
        }
        rig.wait(pick([20, 60, 120, 399, 400, 600]))
        send(fingers.removeLast(), .up)
    }

    /// Back and forth, often enough to clear or not quite.
    private mutating func swing() {
        down()
        let index = fingers.count - 1
        let home = (fingers[index].x, fingers[index].y)
        for turn in 0..<pick([1, 2, 3, 6]) {
            rig.wait(pick([20, 80, 499, 500]))
            move(index, to: (home.0 + (turn % 2 == 0 ? pick([1.5, 4, 9]) : 0), home.1))
        }
        send(fingers.removeLast(), .up)
    }

    /// A straight drag, quick enough for a swipe or not, once or twice.
    private mutating func stroke() {
        let held = pick([20, 20, 20, 420])
        let (dx, dy) = (inside(12), pick([0, 0, inside(5)]))
        down()
        let start = fingers[fingers.count - 1]
        for _ in 0..<pick([1, 2, 2, 3]) {
            send(start, .down)
            rig.wait(held)
            var end = start
            (end.x, end.y) = (start.x + dx, start.y + dy)
            send(end, .move)
            rig.wait(pick([10, 100]))
            send(end, .up)
        }
        fingers.removeLast()
    }

    /// A gesture on the pads: a tap, a double tap, a hold or a chain; sometimes the clock launches what is queued.
    private mutating func pad() {
        var finger = Finger(
            client: Int.random(in: 1...3, using: &generator), id: 3, x: Double(pick([40, 41, 42, 43])) + 0.5,
            y: pick([2.5, 6.5, 10.5, 14.5, 17.5, 19.5, 22.5, 23.5]))
        for _ in 0..<pick([1, 1, 2]) {
            send(finger, .down)
            rig.wait(pick([20, 599, 600]))
            finger.x += pick([0, 0, inside(4)])
            finger.y += pick([0, 0, inside(4)])
            send(finger, .move)
            send(finger, .up)
        }
        guard Bool.random(using: &generator) else { return }
        let slots = rig.launches.fetchQueued()
        rig.change { $0.launch(slots) }
    }

    private mutating func disconnect() {
        let client = Int.random(in: 1...3, using: &generator)
        fingers.removeAll { $0.client == client }
        rig.machine.disconnect(ClientID(client))
    }

    /// What a client with a bug might send.
    private mutating func stray() {
        let coordinates = [-1e300, -0.001, 0, 43.999999, 44, 1e300, .infinity, -.infinity, .nan]
        let phase = pick([TouchPhase.move, .up, .cancel])
        rig.send(
            Touch(
                id: Int.random(in: 1...4, using: &generator), phase: phase, x: pick(coordinates), y: pick(coordinates)),
            by: ClientID(Int.random(in: 1...4, using: &generator)))
    }

    private mutating func send(_ finger: Finger, _ phase: TouchPhase) {
        let isDown = phase == .down
        rig.send(
            Touch(
                id: finger.id, phase: phase, x: isDown ? min(max(finger.x, 0), 43.9) : finger.x,
                y: isDown ? min(max(finger.y, 0), 23.9) : finger.y), by: ClientID(finger.client))
    }

    // MARK: Programs

    private mutating func program() {
        let choice = Int.random(in: 0..<8, using: &generator)
        let (length, root) = (Int.random(in: 8...32, using: &generator), Int.random(in: 0..<12, using: &generator))
        let (step, scale) = (Int.random(in: 0..<32, using: &generator), pick(Scale.allCases))
        if choice == 7 { rig.lenses[pick(Track.allCases)] = pick([nil] + Lens.allCases.map { $0 }) }
        rig.change { document in
            switch choice {
            case 7: break
            case 0: document.set(.length, to: .number(Double(length)))
            case 1: document.set(.root, to: .choice(PitchClass(root)))
            case 2: document.set(.scale, to: .choice(scale))
            case 3: document.apply(.undo)
            case 4: document.apply(.redo)
            case 5:
                var cells = document.pattern.cells
                cells[.rhythm, root, step] = .accent
                document.edit(cells)
            default:
                var pattern = document.pattern
                pattern.length = length
                pattern[.melody, step] = StepNotes([root], .normal)
                document.apply(.replacePattern(pattern))
            }
        }
    }

    // MARK: Chance

    private mutating func pick<Value>(_ values: [Value]) -> Value { values.randomElement(using: &generator)! }

    private mutating func inside(_ reach: Double) -> Double { Double.random(in: -reach...reach, using: &generator) }
}
