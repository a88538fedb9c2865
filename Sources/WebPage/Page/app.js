// The page's beginning: wires the other modules together.
