import Grid
import Instrument
import JSON
import Testing
import Wire

@testable import PixelBoopClient
@testable import pixelboop

/// Events as lines of JSON.
struct EventWriterTests {
    @Test func `pictures come whole at first, then as diffs against the one before`() {
        var writer = EventWriter()
        let first = KeyFrame(sequence: 4, frame: Frame())
        var changed = first.frame
        changed[1, 1] = .white
        #expect(writer.json(of: .frame(first)) == ["method": "frame", "params": .object(first.json)])
        #expect(
            writer.json(of: .frame(KeyFrame(sequence: 9, frame: changed)))
                == ["method": "frame", "params": ["seq": 9, "base": 4, "cells": [45, 0xffffff]]])
    }

    @Test func `states come whole at first, then as merge patches`() throws {
        var writer = EventWriter()
        let first = JSONValue.object(InstrumentState().json)
        #expect(writer.json(of: .state(try StateSnapshot(first))) == ["method": "state", "params": first])
        let second = first.applying(["bpm": 90, "transport": ["step": 3]])
        #expect(
            writer.json(of: .state(try StateSnapshot(second)))
                == ["method": "state", "params": ["bpm": 90, "transport": ["step": 3]]])
    }

    @Test func `one-time events are written as they came`() {
        var writer = EventWriter()
        #expect(
            writer.json(of: .step(StepEvent(step: 1, frame: 2, usecs: 3)))
                == ["method": "step", "params": ["step": 1, "frame": 2, "usecs": 3]])
        #expect(
            writer.json(of: .tooltip(TooltipEvent(text: "ERASE", row: 4, milliseconds: 1200)))
                == ["method": "tooltip", "params": ["text": "ERASE", "row": 4, "ms": 1200]])
        #expect(writer.json(of: .bye(Bye(reason: "end"))) == ["method": "bye", "params": ["reason": "end"]])
    }
}
