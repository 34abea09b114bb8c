package pose.lazy;

/**
 * A circular linked list that keeps removed nodes in a cache, after NodeCachingLinkedList of Apache Commons Collections.
 *
 * <p>The variant of Table 1's lazy columns, which were measured with JBSE on Java bytecode. It differs from
 * ../NodeCachingLinkedList.java in this: the value is resolved first, because {@code add} loads it to pass it on before
 * {@code addLast} loads the header.
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

    boolean add(Object value) {
        addLast(value);
        return true;
    }

    private void addLast(Object value) {
        addNodeBefore(header, value);
    }

    private void addNodeBefore(LinkedListNode node, Object value) {
        addNode(createNode(value), node);
    }

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
