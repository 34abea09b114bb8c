//! Where the parts of a picture are. Objects stand in columns by their distance from the inputs, each beside those that it leads to
//! first, so that a tree looks like one. The lanes between the columns are as wide as the lines that run there need.

use lazuli_engine::witness::{Concrete, Witness};
use lazuli_program::Program;

/// The height of a line of text.
pub const LINE: usize = 18;
pub const MARGIN: usize = 16;
/// Between boxes of one column.
const GAP: usize = 22;
/// Between parallel lines.
const PITCH: usize = 8;
/// The width of the way that curves take from one column to the next.
const CURVE: usize = 56;

#[derive(Clone, Copy)]
pub struct Box {
    pub x: usize,
    pub y: usize,
    pub width: usize,
    pub height: usize,
}

impl Box {
    /// The middle of a field's line.
    pub fn row(&self, row: usize) -> usize {
        self.y + LINE + 4 + row * LINE + LINE / 2 + 2
    }
}

/// A reference as a line.
pub struct Edge {
    /// `None`: an input.
    pub field: Option<String>,
    /// Whether its object was met before.
    pub alias: bool,
    pub from: (usize, usize),
    pub to: (usize, usize),
    pub route: Route,
}

pub enum Route {
    Curve,
    /// Down in a lane, along a track below the boxes, and up in another lane.
    Around {
        down: usize,
        track: usize,
        up: usize,
    },
}

pub struct Layout {
    pub boxes: Vec<Box>,
    pub roots: Vec<(usize, usize)>,
    pub edges: Vec<Edge>,
    pub width: usize,
    pub height: usize,
}

/// The width of a text, nearly.
pub fn text_width(text: &str) -> usize {
    text.chars()
        .map(|c| {
            if "iljtf.,:;|!'()[]rI ".contains(c) {
                4
            } else if c.is_uppercase() || "mwMW".contains(c) {
                9
            } else {
                7
            }
        })
        .sum()
}

/// A reference before it has a place: from an input or the field of an object to an object.
struct Link {
    from: From,
    to: usize,
    first: bool,
}

#[derive(Clone)]
enum From {
    Root(usize),
    Field { object: usize, row: usize, field: String },
}

impl Layout {
    pub fn new(program: &Program, heap: &Witness) -> Layout {
        let (columns, links) = discover(program, heap);
        let mut layout =
            Layout { boxes: sizes(program, heap), roots: Vec::new(), edges: Vec::new(), width: 0, height: 0 };
        layout.stack(&columns, &links, heap.roots.len());
        let last = columns.iter().copied().max().unwrap_or(0);
        let label = heap.roots.iter().map(|(name, value)| root_width(name, *value)).max().unwrap_or(0);
        // Lines that do not lead to the next column leave and enter in lanes.
        let column = |from: &From| match *from {
            From::Root(_) => None,
            From::Field { object, .. } => Some(columns[object]),
        };
        let curves = |link: &Link| column(&link.from).map_or(0, |c| c + 1) == columns[link.to];
        let (mut leaving, mut entering) = (vec![0; last + 2], vec![0; last + 2]);
        for link in links.iter().filter(|link| !curves(link)) {
            // The way before column c has the number c.
            leaving[column(&link.from).map_or(0, |c| c + 1)] += 1;
            entering[columns[link.to]] += 1;
        }
        // The ways and the columns, from left to right.
        let way = |c: usize| CURVE + (leaving[c] + entering[c]) * PITCH;
        let mut x = MARGIN + label;
        let mut starts = Vec::new();
        for c in 0..=last {
            x += way(c);
            starts.push(x);
            x += widest(&layout.boxes, &columns, c);
        }
        for (number, b) in layout.boxes.iter_mut().enumerate() {
            b.x = starts[columns[number]];
        }
        let end = if leaving[last + 1] > 0 { x + 12 + leaving[last + 1] * PITCH } else { x };
        layout.width = end + MARGIN;
        layout.place_roots(heap.roots.len(), &links);
        layout.route(&columns, &links, MARGIN + label + 4, &starts);
        layout
    }

    /// The heights: every object in the middle beside those that it leads to first.
    fn stack(&mut self, columns: &[usize], links: &[Link], roots: usize) {
        let objects = self.boxes.len();
        let mut below: Vec<Vec<usize>> = vec![Vec::new(); objects];
        let mut top: Vec<usize> = Vec::new();
        for link in links.iter().filter(|link| link.first) {
            match link.from {
                From::Root(_) => top.push(link.to),
                From::Field { object, .. } => below[object].push(link.to),
            }
        }
        let mut order: Vec<usize> = (0..objects).collect();
        order.sort_by_key(|object| columns[*object]);
        let mut space: Vec<usize> = self.boxes.iter().map(|b| b.height + GAP).collect();
        for &object in order.iter().rev() {
            space[object] = space[object].max(below[object].iter().map(|child| space[*child]).sum());
        }
        let mut start = vec![MARGIN; objects];
        let mut y = MARGIN;
        for object in top {
            start[object] = y;
            y += space[object];
        }
        for &object in &order {
            let inner: usize = below[object].iter().map(|child| space[*child]).sum();
            let mut y = start[object] + (space[object] - inner) / 2;
            for &child in &below[object] {
                start[child] = y;
                y += space[child];
            }
        }
        for (object, b) in self.boxes.iter_mut().enumerate() {
            // On a grid: lines that leave are between lines that enter.
            b.y = (start[object] + (space[object] - b.height - GAP) / 2) / 6 * 6;
        }
        let bottom = self.boxes.iter().map(|b| b.y + b.height).max().unwrap_or(MARGIN);
        self.height = bottom.max(MARGIN + roots * (LINE + 6)) + MARGIN;
    }

    /// Draws the lines; those of the inputs begin at `begin`.
    fn route(&mut self, columns: &[usize], links: &[Link], begin: usize, starts: &[usize]) {
        let ports = self.ports(columns, links);
        let mut lanes_out = vec![0; starts.len() + 2];
        let mut lanes_in = vec![0; starts.len() + 2];
        let mut tracks: Vec<(usize, usize, usize)> = Vec::new();
        for (link, port) in links.iter().zip(ports) {
            let target = self.boxes[link.to];
            let to = (target.x, port);
            let (field, from, before) = match &link.from {
                From::Root(root) => (None, (begin, self.roots[*root].1), 0),
                From::Field { object, row, field } => {
                    let b = self.boxes[*object];
                    (Some(field.clone()), (b.x + b.width, b.row(*row)), columns[*object] + 1)
                }
            };
            let entered = columns[link.to];
            let route = match before == entered {
                true => Route::Curve,
                false => {
                    let column_end = if before == 0 { from.0 } else { self.column_end(columns, before - 1) };
                    let down = column_end + 12 + lanes_out[before] * PITCH;
                    let up = starts[entered] - 16 - lanes_in[entered] * PITCH;
                    lanes_out[before] += 1;
                    lanes_in[entered] += 1;
                    let (low, high) = (down.min(up), down.max(up));
                    let track = self.track(&tracks, low, high, from.1.max(port));
                    tracks.push((low, high, track));
                    self.height = self.height.max(track + MARGIN);
                    Route::Around { down, track, up }
                }
            };
            self.edges.push(Edge { field, alias: !link.first, from, to, route });
        }
    }

    fn column_end(&self, columns: &[usize], column: usize) -> usize {
        let ends = self.boxes.iter().zip(columns).filter(|(_, c)| **c == column).map(|(b, _)| b.x + b.width);
        ends.max().unwrap_or(0)
    }

    /// The labels of the inputs, each beside its object where there is room.
    fn place_roots(&mut self, number: usize, links: &[Link]) {
        let mut y = MARGIN + 5;
        for root in 0..number {
            let link = links.iter().find(|link| matches!(link.from, From::Root(r) if r == root));
            y = y.max(link.map_or(0, |link| self.boxes[link.to].y + 11));
            self.roots.push((MARGIN, y));
            y += LINE + 6;
        }
        self.height = self.height.max(y);
    }

    /// Where each link enters its object: on its left side, one below the other.
    fn ports(&self, columns: &[usize], links: &[Link]) -> Vec<usize> {
        let height = |link: &Link| match link.from {
            From::Root(root) => self.roots[root].1,
            From::Field { object, row, .. } => self.boxes[object].row(row),
        };
        let forward = |link: &Link| match link.from {
            From::Root(_) => columns[link.to] == 0,
            From::Field { object, .. } => columns[object] + 1 == columns[link.to],
        };
        let mut ports = vec![0; links.len()];
        for (object, b) in self.boxes.iter().enumerate() {
            let mut into: Vec<usize> = (0..links.len()).filter(|l| links[*l].to == object).collect();
            // Curves above, by where they come from; what comes from below underneath, the innermost lane first.
            into.sort_by_key(|l| (!forward(&links[*l]), if forward(&links[*l]) { height(&links[*l]) } else { *l }));
            let room = b.height.saturating_sub(22);
            let step = (room / into.len().max(1)).clamp(3, 12);
            for (place, link) in into.into_iter().enumerate() {
                ports[link] = b.y + 11 + (place * step).min(room);
            }
        }
        ports
    }

    /// The highest track below the boxes in its way that keeps its distance from the others.
    fn track(&self, tracks: &[(usize, usize, usize)], low: usize, high: usize, above: usize) -> usize {
        let in_the_way = self.boxes.iter().filter(|b| b.x < high && b.x + b.width > low).map(|b| b.y + b.height);
        let mut y = in_the_way.max().unwrap_or(0).max(above) + 14;
        while tracks.iter().any(|(l, h, t)| l.max(&low) <= h.min(&high) && t.abs_diff(y) < PITCH) {
            y += PITCH;
        }
        y
    }
}

/// The boxes, which have no place yet.
fn sizes(program: &Program, heap: &Witness) -> Vec<Box> {
    let each = heap.objects.iter().map(|object| {
        let title = text_width(&super::title(program, object)) + 40;
        let parts = object.parts(program);
        let widths = parts.iter().map(|(name, value)| {
            let value = super::shown(*value).map_or(14, |value| text_width(&value));
            text_width(name) + value + 34
        });
        let width = widths.max().unwrap_or(0).max(title).max(84);
        let rows = parts.len();
        Box { x: 0, y: 0, width, height: (LINE + 4) + rows * LINE + if rows > 0 { 6 } else { 2 } }
    });
    each.collect()
}

fn widest(boxes: &[Box], columns: &[usize], column: usize) -> usize {
    boxes.iter().zip(columns).filter(|(_, c)| **c == column).map(|(b, _)| b.width).max().unwrap_or(0)
}

fn root_width(name: &str, value: Concrete) -> usize {
    text_width(name) + 4 + super::shown(value).map_or(0, |value| text_width(&value) + 16)
}

/// The columns of the objects, breadth first, and all references in that order.
fn discover(program: &Program, heap: &Witness) -> (Vec<usize>, Vec<Link>) {
    let mut columns: Vec<Option<usize>> = vec![None; heap.objects.len()];
    let mut queue: Vec<usize> = Vec::new();
    let mut links = Vec::new();
    let mut enter = |from: From, column: usize, value: Concrete, queue: &mut Vec<usize>| {
        let Concrete::Object(to) = value else { return };
        let first = columns[to].is_none();
        if first {
            columns[to] = Some(column);
            queue.push(to);
        }
        links.push(Link { from, to, first });
    };
    for (root, (_, value)) in heap.roots.iter().enumerate() {
        enter(From::Root(root), 0, *value, &mut queue);
    }
    let mut at = vec![0; heap.objects.len()];
    let mut next = 0;
    while next < queue.len() {
        let object = queue[next];
        for (row, (field, value)) in heap.objects[object].parts(program).into_iter().enumerate() {
            let before = queue.len();
            enter(From::Field { object, row, field }, at[object] + 1, value, &mut queue);
            if queue.len() > before {
                at[queue[before]] = at[object] + 1;
            }
        }
        next += 1;
    }
    (columns.into_iter().map(|column| column.unwrap_or(0)).collect(), links)
}
