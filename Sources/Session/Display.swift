import Grid
import Music
import Rendering

/// One drawn frame, numbered: a higher number is a later picture.
public struct NumberedFrame: Sendable {
    /// One counter for all clients, from 1.
    public var sequence: Int
    public var frame: Frame
}

/// The picture of a moment in the two versions that clients may want. One counter numbers both; equal ones share a
/// number.
public struct Pictures: Sendable {
    /// With the tooltip.
    public private(set) var whole: NumberedFrame
    /// Without the tooltip, for clients that show it themselves.
    public private(set) var plain: NumberedFrame

    /// A picture without a tooltip.
    package init(_ frame: NumberedFrame) {
        (whole, plain) = (frame, frame)
    }

    /// Replaces the pictures with newly drawn ones, and numbers those that differ.
    mutating func replace(whole newWhole: Frame, plain newPlain: Frame) {
        var sequence = max(whole.sequence, plain.sequence)
        func number(_ frame: Frame) -> NumberedFrame {
            sequence += 1
            return NumberedFrame(sequence: sequence, frame: frame)
        }
        let (wereShared, areShared) = (whole.sequence == plain.sequence, newWhole == newPlain)
        let isKnown = sequence > 0 && wereShared == areShared
        if isKnown, areShared {
            guard newPlain != plain.frame else { return }
        }
        if areShared {
            plain = number(newPlain)
            whole = plain
        } else {
            if sequence == 0 || newPlain != plain.frame { plain = number(newPlain) }
            if !isKnown || newWhole != whole.frame { whole = number(newWhole) }
        }
    }
}

/// The labels of the cells, numbered: a higher number is later.
public struct NumberedLabels: Equatable, Sendable {
    /// From 1, counted separately from pictures.
    public var sequence = 0
    /// The labels of the cells.
    public var labels = Labels()

    public init(sequence: Int = 0, labels: Labels = Labels()) {
        self.sequence = sequence
        self.labels = labels
    }
}

/// The grid as it was drawn last.
final class Display {
    private var renderer = Renderer()
    private var drawnWhole = Frame()
    private var drawnPlain = Frame()
    private var pictures = Pictures(NumberedFrame(sequence: 0, frame: Frame()))
    private var nextChange: Duration = .zero
    private var labelled = NumberedLabels()
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
    func labels(of scene: Scene) -> NumberedLabels {
        let pattern = scene.document.pattern
        if let old = labelledNotes, old == (pattern.played, pattern.length, scene.lenses) { return labelled }
        labelledNotes = (pattern.played, pattern.length, scene.lenses)
        let labels = Labels(of: scene)
        if labelled.sequence == 0 || labels != labelled.labels {
            labelled = NumberedLabels(sequence: labelled.sequence + 1, labels: labels)
        }
        return labelled
    }
}
