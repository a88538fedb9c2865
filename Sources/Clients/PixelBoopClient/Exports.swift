// Programs that import this library also get the types of its parameters and results.
@_exported import Grid
@_exported import Instrument
@_exported import JSON
@_exported import Music
@_exported import Wire
