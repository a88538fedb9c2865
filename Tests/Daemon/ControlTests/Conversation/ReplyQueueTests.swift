import Testing

@testable import Control

struct ReplyQueueTests {
    private func taken(_ queue: inout ReplyQueue) -> [String] {
        var replies: [String] = []
        while let reply = queue.next() { replies.append(String(decoding: reply.bytes, as: UTF8.self)) }
        return replies
    }

    @Test func `an answer leaves at once if none is before it`() {
        var queue = ReplyQueue()
        queue.fill(queue.open(), with: Array("a".utf8))
        #expect(taken(&queue) == ["a\n"])
    }

    @Test func `early answers wait for those before them`() {
        var queue = ReplyQueue()
        let (first, second, third) = (queue.open(), queue.open(), queue.open())
        queue.fill(third, with: Array("ccc".utf8))
        queue.fill(second, with: Array("bb".utf8))
        #expect(taken(&queue) == [])
        #expect(queue.heldBytes == 5)
        queue.fill(first, with: Array("a".utf8))
        #expect(taken(&queue) == ["a\n", "bb\n", "ccc\n"])
        #expect(queue.heldBytes == 0)
    }

    @Test func `a batch is answered as one array, once all answers are ready`() {
        var queue = ReplyQueue()
        let tickets = queue.openBatch(of: 3)
        let after = queue.open()
        queue.fill(after, with: Array("z".utf8))
        queue.fill(tickets[2], with: Array("3".utf8))
        queue.fill(tickets[0], with: Array("1".utf8))
        #expect(taken(&queue) == [])
        queue.fill(tickets[1], with: Array("2".utf8))
        #expect(taken(&queue) == ["[1,2,3]\n", "z\n"])
    }

    @Test func `a batch of one is still answered as an array`() {
        var queue = ReplyQueue()
        queue.fill(queue.openBatch(of: 1)[0], with: Array("1".utf8))
        #expect(taken(&queue) == ["[1]\n"])
    }

    @Test func `lines are numbered in the order of the requests`() {
        var queue = ReplyQueue()
        for expected in 0..<100 {
            let ticket = queue.open()
            #expect(ticket.line == expected)
            queue.fill(ticket, with: [])
            #expect(queue.next()?.line == expected)
        }
    }
}
