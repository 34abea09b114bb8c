//! The subjects of "Symbolic execution of programs with heap inputs" (document 002), as we wrote them, with the document's bounds and
//! the rows of its Table 2.

/// One program with its targets.
pub struct Subject {
    /// The document's name for it.
    pub number: &'static str,
    /// The file below `programs/hex/subjects`, without its ending; the invariants are beside it.
    pub file: &'static str,
    /// The targets, as `Class.method`.
    pub entries: &'static [&'static str],
    /// The document's bound on the size of the list or tree.
    pub size: u32,
    /// The class of its nodes, and how many of them an input may have: headers are nodes too.
    pub node: &'static str,
    pub nodes: u32,
    /// How many a completion may have: the least number that refuses no valid state.
    pub completion: u32,
    /// Whether the nodes form a tree, about which MSO over trees can speak.
    pub tree: bool,
    /// The subject in Java: its sources below `programs/java/hex`, and the package of its classes.
    pub java: Option<(&'static str, &'static str)>,
    /// Table 2 of the document, if it has rows there: Lazy, HEX, PrEP, ConsP, Alloy.
    pub published: Option<[Published; 5]>,
}

/// A row of Table 2.
#[derive(Clone, Copy)]
pub struct Published {
    /// `None`: it did not end within six hours.
    pub minutes: Option<u32>,
    pub traces: u64,
    pub invalid: u64,
    pub alarms: u64,
    pub false_alarms: u64,
}

const fn row(minutes: Option<u32>, traces: u64, invalid: u64, alarms: u64, false_alarms: u64) -> Published {
    Published { minutes, traces, invalid, alarms, false_alarms }
}

pub const SUBJECTS: [Subject; 7] = [
    Subject {
        number: "P1",
        file: "LinkedList",
        entries: &[
            "LinkedList.length",
            "LinkedList.isEmpty",
            "LinkedList.getFirst",
            "LinkedList.getLast",
            "LinkedList.contains",
            "LinkedList.indexOf",
            "LinkedList.lastIndexOf",
            "LinkedList.get",
            "LinkedList.add",
            "LinkedList.addFirst",
            "LinkedList.addLast",
            "LinkedList.addAt",
            "LinkedList.set",
            "LinkedList.removeFirst",
            "LinkedList.removeLast",
            "LinkedList.removeAt",
            "LinkedList.remove",
            "LinkedList.clear",
        ],
        size: 5,
        node: "Entry",
        nodes: 6,
        completion: 9,
        tree: false,
        java: Some(("linkedlist/LinkedList.java", "hex/linkedlist")),
        published: None,
    },
    Subject {
        number: "P2",
        file: "TreeMap",
        entries: &[
            "TreeMap.length",
            "TreeMap.containsKey",
            "TreeMap.get",
            "TreeMap.containsValue",
            "TreeMap.firstKey",
            "TreeMap.lastKey",
            "TreeMap.put",
            "TreeMap.remove",
            "TreeMap.clear",
        ],
        size: 3,
        node: "Entry",
        nodes: 3,
        completion: 7,
        tree: true,
        java: Some(("treemap/TreeMap.java", "hex/treemap")),
        published: None,
    },
    Subject {
        number: "P3",
        file: "AvlTree",
        entries: &[
            "AvlTree.isEmpty",
            "AvlTree.find",
            "AvlTree.contains",
            "AvlTree.findMin",
            "AvlTree.findMax",
            "AvlTree.insert",
            "AvlTree.makeEmpty",
        ],
        size: 4,
        node: "AvlNode",
        nodes: 4,
        completion: 7,
        tree: true,
        java: Some(("avltree/AvlTree.java", "hex/avltree")),
        published: None,
    },
    Subject {
        number: "P4",
        file: "NodeCachingLinkedList",
        entries: &[
            "NodeCachingLinkedList.length",
            "NodeCachingLinkedList.isEmpty",
            "NodeCachingLinkedList.getFirst",
            "NodeCachingLinkedList.getLast",
            "NodeCachingLinkedList.get",
            "NodeCachingLinkedList.contains",
            "NodeCachingLinkedList.indexOf",
            "NodeCachingLinkedList.add",
            "NodeCachingLinkedList.addFirst",
            "NodeCachingLinkedList.addLast",
            "NodeCachingLinkedList.set",
            "NodeCachingLinkedList.removeFirst",
            "NodeCachingLinkedList.removeLast",
            "NodeCachingLinkedList.removeAt",
            "NodeCachingLinkedList.remove",
        ],
        size: 4,
        node: "Node",
        nodes: 5,
        completion: 8,
        tree: false,
        java: None,
        published: None,
    },
    Subject {
        number: "P5",
        file: "Trajectory",
        entries: &["TrajectorySynthesizer.synthesize"],
        size: 3,
        node: "FixEntry",
        nodes: 5,
        completion: 7,
        tree: false,
        java: Some(("trajectory/TrajectorySynthesizer.java", "hex/trajectory")),
        published: Some([
            row(None, 23_854, 23_675, 12_434, 12_434),
            row(Some(2), 290, 0, 0, 0),
            row(Some(9), 2_250, 1_690, 0, 0),
            row(Some(52), 1_130, 840, 0, 0),
            row(Some(56), 290, 0, 0, 0),
        ]),
    },
    Subject {
        number: "P6",
        file: "ParseTree",
        entries: &["NodeTraversal.traverse"],
        size: 4,
        node: "Node",
        nodes: 4,
        completion: 6,
        tree: false,
        java: Some(("parsetree/Node.java", "hex/parsetree")),
        published: Some([
            row(None, 2_419_860, 2_419_860, 62_260, 62_260),
            row(Some(7), 2_856, 0, 128, 0),
            row(Some(154), 96_256, 90_240, 4_096, 3_840),
            row(Some(41), 6_426, 3_570, 288, 160),
            row(Some(306), 2_856, 0, 128, 0),
        ]),
    },
    Subject {
        number: "P7",
        file: "ParseTree",
        entries: &["RenameLabels.rename"],
        size: 4,
        node: "Node",
        nodes: 4,
        completion: 6,
        tree: false,
        java: Some(("parsetree/Node.java", "hex/parsetree")),
        published: Some([
            row(None, 41_723, 41_717, 14_494, 14_494),
            row(Some(2), 925, 0, 30, 0),
            row(Some(12), 26_960, 25_850, 2_130, 2_100),
            row(Some(251), 25_045, 24_120, 2_100, 2_070),
            row(Some(17), 925, 0, 30, 0),
        ]),
    },
];
