package pose;

/**
 * A circular linked list that keeps removed nodes in a cache, after NodeCachingLinkedList of Apache Commons Collections.
 *
 * <p>This is the variant of Table 1's POSE columns; lazy/NodeCachingLinkedList.java is that of its lazy columns. The entry is
 * {@code add}.
 */
public class NodeCachingLinkedList {
    static class LinkedListNode {
        LinkedListNode previous;
        LinkedListNode next;
        Object value;
    }

    LinkedListNode header;
    int size;
    LinkedListNode firstCachedNode;
    int cacheSize;

    void add(Object value) {
        addNodeBefore(header, value);
    }

    private void addNodeBefore(LinkedListNode node, Object value) {
        addNode(createNode(value), node);
    }

    /** A node from the cache where there is one. */
    private LinkedListNode createNode(Object value) {
        LinkedListNode cached = nodeFromCache();
        LinkedListNode node = cached == null ? new LinkedListNode() : cached;
        node.value = value;
        return node;
    }

    private LinkedListNode nodeFromCache() {
        if (cacheSize == 0) {
            return null;
        }
        LinkedListNode cached = firstCachedNode;
        firstCachedNode = cached.next;
        cached.next = null;
        cacheSize = cacheSize - 1;
        return cached;
    }

    private void addNode(LinkedListNode node, LinkedListNode before) {
        node.next = before;
        node.previous = before.previous;
        before.previous.next = node;
        before.previous = node;
        size = size + 1;
    }
}
