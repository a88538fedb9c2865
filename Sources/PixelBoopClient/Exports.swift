// A program that imports this library gets the values that its calls take and return.
@_exported import Grid
@_exported import JSON
@_exported import Music
@_exported import Wire
