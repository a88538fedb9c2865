import Grid
import Music
import Rendering

/// One version of something of which clients get the newest.
public struct Numbered<Value> {
    /// Higher for later versions.
    public var number: Int
    public var value: Value

    public init(number: Int, value: Value) {
        self.number = number
        self.value = value
    }
}

extension Numbered: Sendable where Value: Sendable {}

/// The picture of a moment in the two versions that clients may want. One counter numbers both; equal ones share a
/// number.
public struct Pictures: Sendable {
    /// With the tooltip.
    public private(set) var whole: Numbered<Frame>
    /// Without the tooltip, for clients that show it themselves.
    public private(set) var plain: Numbered<Frame>

    /// A picture without a tooltip.
    package init(_ frame: Numbered<Frame>) {
        (whole, plain) = (frame, frame)
    }

    /// Replaces the pictures with newly drawn ones, and numbers those that differ.
    mutating func replace(whole newWhole: Frame, plain newPlain: Frame) {
        var last = max(whole.number, plain.number)
        func next(_ frame: Frame) -> Numbered<Frame> {
            last += 1
            return Numbered(number: last, value: frame)
        }
        let (wereShared, areShared) = (whole.number == plain.number, newWhole == newPlain)
        let isKnown = last > 0 && wereShared == areShared
        if isKnown, areShared {
            guard newPlain != plain.value else { return }
        }
        if areShared {
            plain = next(newPlain)
            whole = plain
        } else {
            if last == 0 || newPlain != plain.value { plain = next(newPlain) }
            if !isKnown || newWhole != whole.value { whole = next(newWhole) }
        }
    }
}

/// The grid as it was drawn last.
final class Display {
    private var renderer = Renderer()
    private var drawnWhole = Frame()
    private var drawnPlain = Frame()
    private var pictures = Pictures(Numbered(number: 0, value: Frame()))
    private var nextChange: Duration = .zero
    private var labelled = Numbered(number: 0, value: Labels())
    /// What the labels depend on.
    private var labelledNotes: (notes: [SlotNotes], length: Int, lenses: OpenLenses)?
    private let outbox: Outbox

    init(_ outbox: Outbox) {
        self.outbox = outbox
    }

    /// When to redraw: at once (a time in the past) if something has changed, else when the picture changes by itself.
    var nextRedraw: Duration { outbox.needsRedraw ? .zero : nextChange }

    /// The current pictures, redrawn only when something changed.
    func pictures(of scene: @autoclosure () -> Scene, at now: Duration) -> Pictures {
        guard outbox.needsRedraw || now >= nextChange else { return pictures }
        outbox.sceneDrawn()
        nextChange = renderer.draw(scene(), at: now, into: &drawnWhole, withoutTooltip: &drawnPlain)
        pictures.replace(whole: drawnWhole, plain: drawnPlain)
        return pictures
    }

    /// The current labels of the cells, recomputed only when notes or lenses changed.
    func labels(of scene: Scene) -> Numbered<Labels> {
        let pattern = scene.document.pattern
        if let old = labelledNotes, old == (pattern.played, pattern.length, scene.lenses) { return labelled }
        labelledNotes = (pattern.played, pattern.length, scene.lenses)
        let labels = Labels(of: scene)
        if labelled.number == 0 || labels != labelled.value {
            labelled = Numbered(number: labelled.number + 1, value: labels)
        }
        return labelled
    }
}
