//! The nodes of a tree over cells while it is built.

use treeproof_search::{Node, Split};

use super::position;

/// The slot of a child: its parent's place, and true for the left side.
pub(super) type ChildSlot = (u32, bool);

/// The nodes of a tree that is being built; children stand behind their parents.
#[derive(Default)]
pub(super) struct NodeList(pub(super) Vec<Node>);

impl NodeList {
    /// The place of the next node.
    pub(super) fn next_place(&self) -> u32 {
        position(self.0.len())
    }

    /// Adds a node to a slot, or the root. Returns its place.
    pub(super) fn add(&mut self, slot: Option<ChildSlot>, node: Node) -> u32 {
        let place = self.next_place();
        if let Some((parent, is_left)) = slot {
            let Node::Split(parent) = &mut self.0[parent as usize] else { unreachable!("leaves have no children") };
            *(if is_left { &mut parent.left } else { &mut parent.right }) = place;
        }
        self.0.push(node);
        place
    }

    /// Adds a split, whose children follow. Returns its place.
    pub(super) fn add_split(&mut self, slot: Option<ChildSlot>, axis: u32, cut: u32, special_left: Vec<u32>) -> u32 {
        self.add(slot, Node::Split(Split { axis, cut, special_left, left: 0, right: 0 }))
    }
}
