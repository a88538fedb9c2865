// Storing changes and snapshots, also where there is little room.
extension SessionKeeper {
    /// Stores the oldest changes, as many as fit into one transaction; without any, a step of the snapshot that is needed.
    mutating func write() throws(StorageFailure) {
        guard let database else { return }
        guard !backlog.isEmpty else { return needsSnapshot ? try writeSnapshot() : () }
        // Short ones, so that the log takes little of the room.
        var limit = isTight ? Backlog.pieceLimit / 4 : Backlog.pieceLimit
        var remedies: [Remedy] = [.checkpoint, .abandonedSnapshot]
        while true {
            let rows = backlog.piece(upTo: limit)
            do throws(StorageFailure) {
                try database.add(rows)
                return try note(rows)
            } catch {
                guard error.isLackOfSpace else { throw close(after: error) }
                isTight = true
                if !remedies.isEmpty {
                    try makeRoom(by: remedies.removeFirst())
                } else if rows.count > 1 {
                    limit = rows.reduce(0) { $0 + $1.content.count } / 2
                } else {
                    throw error
                }
            }
        }
    }

    private mutating func note(_ rows: [ChangeRow]) throws(StorageFailure) {
        guard let last = rows.last else { return }
        bytesSinceSnapshot += rows.reduce(0) { $0 + $1.content.count }
        mark = SessionMark(number: last.number, checksum: last.checksum)
        backlog.remove(through: last.number)
        // The log's room is used again by the next changes.
        if isTight { try checkpoint() }
        if backlog.isEmpty { isTight = false }
    }

    /// What makes room for changes on a full disk.
    private enum Remedy {
        case checkpoint
        case abandonedSnapshot
    }

    private mutating func makeRoom(by remedy: Remedy) throws(StorageFailure) {
        if remedy == .abandonedSnapshot {
            guard progress != nil else { return }
            try abandonSnapshot()
        }
        try checkpoint()
    }

    /// Copies the log into the database.
    ///
    /// - Returns: Whether there was room.
    @discardableResult
    mutating func checkpoint() throws(StorageFailure) -> Bool {
        do throws(StorageFailure) {
            try database?.checkpoint()
            return true
        } catch {
            guard error.isLackOfSpace else { throw close(after: error) }
            return false
        }
    }

    // MARK: Snapshots

    /// Begins a snapshot, writes a piece of it, or makes it valid.
    mutating func writeSnapshot() throws(StorageFailure) {
        guard let database, backlog.isEmpty else { return }
        if progress == nil { beginSnapshot() }
        guard let progress else { return }
        do throws(StorageFailure) {
            if let piece = progress.nextPiece {
                try database.add(piece)
                self.progress?.notePiece()
            } else {
                try database.add(progress.row, keepingPrevious: !isAfterGap)
                finish(progress)
            }
        } catch {
            guard error.isLackOfSpace else { throw close(after: error) }
            try abandonSnapshot()
            if needsSnapshot { throw error }
        }
    }

    private mutating func beginSnapshot() {
        let snapshot = SnapshotProgress(document, number: number)
        let room = (folder.freeSpace ?? .max / 2) + (database?.freeSpace ?? 0)
        // Twice, in the log and in the database; the rest is for changes.
        guard needsSnapshot || room >= 2 * snapshot.size + 65_536 else { return postponeSnapshot() }
        progress = snapshot
        bytesInProgress = bytesSinceSnapshot
    }

    private mutating func finish(_ snapshot: SnapshotProgress) {
        progress = nil
        snapshotNumber = snapshot.row.number
        bytesSinceSnapshot -= bytesInProgress
        postponedTo = 0
        // No earlier snapshot remains: another one is made soon.
        if isAfterGap { bytesSinceSnapshot += limits.snapshot }
        (needsSnapshot, isAfterGap) = (false, false)
        if mark.map({ $0.number < snapshot.row.number }) ?? true {
            mark = SessionMark(number: snapshot.row.number, checksum: snapshot.row.checksum)
        }
    }

    private mutating func abandonSnapshot() throws(StorageFailure) {
        progress = nil
        postponeSnapshot()
        do throws(StorageFailure) {
            try database?.abandonSnapshot()
        } catch {
            guard error.isLackOfSpace else { throw close(after: error) }
        }
    }

    private mutating func postponeSnapshot() {
        postponedTo = bytesSinceSnapshot + max(4096, snapshotLimit / 4)
    }
}
