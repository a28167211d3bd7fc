/** Finds many sequences of numbers in a longer one in one look at each of its numbers, whatever they begin or end with (Aho and Corasick). */

/** A state that stands in no known sequence: where every search begins. */
export const NOWHERE = 0;

export interface SequenceIndex {
  /** @param number 0 stands in no sequence */
  next(state: number, number: number): number;
  /** The longest of the sequences that end here, by its place among all; -1 where none does. */
  endingAt(state: number): number;
}

/** One behind the other: numbers from 1 on, and where each sequence ends. None is empty. */
export interface Sequences {
  numbers: Int32Array;
  ends: Int32Array;
}

/** In time and memory proportional to the numbers in all sequences. */
export function buildSequenceIndex(sequences: Sequences): SequenceIndex {
  const { nodes, numbers, ending, branches } = growTree(sequences);
  /** Of a node, the one for the longest end of it that is the beginning of a sequence as well. */
  const shorter = new Int32Array(nodes);
  const next = (state: number, number: number): number => {
    for (let at = state; ; at = shorter[at] ?? NOWHERE) {
      if (numbers[at + 1] === number) return at + 1;
      const child = branches.find(at, number);
      if (child !== NOWHERE || at === NOWHERE) return child;
    }
  };
  const link = (node: number, from: number): void => {
    if (from === NOWHERE) return;
    const written = numbers[node] ?? 0;
    const target = next(shorter[from] ?? NOWHERE, written < 0 ? ~written : written);
    shorter[node] = target;
    if (ending[node] === 0) ending[node] = ending[target] ?? 0;
  };
  byDepth(branches, nodes, link);
  return {
    next: (state, number) => (number === 0 ? NOWHERE : next(state, number)),
    endingAt: (state) => (ending[state] ?? 0) - 1,
  };
}

/**
 * A tree of the sequences, whose nodes are states. The first child of a node stands right behind it, so that the rest of
 * a sequence needs no more than its numbers; where others go on differently, that is a branch. 12 bytes a node.
 */
function growTree({ numbers: given, ends }: Sequences) {
  /**
   * By which a node is come to; the complement of it where a branch begins, which is no child of the node before it. One
   * before the first node and one behind the last.
   */
  const numbers = new Int32Array(given.length + 2);
  /** Of the longest sequence that ends at a node, 1 + its place. */
  const ending = new Int32Array(given.length + 1);
  const branches = createBranches(ends.length, numbers);
  let nodes = 1;
  let start = 0;
  for (const [place, end] of ends.entries()) {
    let node = NOWHERE;
    let at = start;
    for (; at < end; at += 1) {
      const number = given[at] ?? 0;
      const child = numbers[node + 1] === number ? node + 1 : branches.find(node, number);
      if (child === NOWHERE) break;
      node = child;
    }
    if (at < end) {
      numbers.set(given.subarray(at, end), nodes);
      numbers[nodes] = ~(given[at] ?? 0);
      branches.add(node, nodes, at - start);
      nodes += end - at;
      node = nodes - 1;
    }
    ending[node] = place + 1;
    start = end;
  }
  return { nodes, numbers, ending: ending.slice(0, nodes), branches };
}

/** With open addresses; where one is looked for first nobody can foretell, so that nobody can make many meet. */
function createBranches(most: number, numbers: Int32Array) {
  /** How each begins: at which node, its own first node, and how deep that is. */
  const [from, first, depth] = [new Int32Array(most), new Int32Array(most), new Int32Array(most)];
  let count = 0;
  /** 1 + the place of a branch. */
  const slots = new Int32Array(2 ** Math.ceil(Math.log2(2 * most + 2)));
  const seed = Math.floor(Math.random() * 2 ** 32);
  const slotOf = (node: number, number: number): number => {
    let mixed = Math.imul(node ^ seed, 0x9e3779b1) + number;
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    for (let slot = mixed ^ (mixed >>> 16); ; slot += 1) {
      slot &= slots.length - 1;
      const branch = (slots[slot] ?? 0) - 1;
      if (branch < 0 || (from[branch] === node && numbers[first[branch] ?? 0] === ~number)) return slot;
    }
  };
  return {
    from,
    first,
    depth,
    count: () => count,
    /** The node to which a number leads; `NOWHERE` if there is no such branch. */
    find(node: number, number: number): number {
      const branch = (slots[slotOf(node, number)] ?? 0) - 1;
      return branch < 0 ? NOWHERE : (first[branch] ?? NOWHERE);
    },
    add(node: number, child: number, at: number) {
      [from[count], first[count], depth[count]] = [node, child, at];
      count += 1;
      slots[slotOf(node, ~(numbers[child] ?? 0))] = count;
    },
  };
}

/** Every node after all that are less deep, with the one that it is a child of. */
function byDepth(
  branches: ReturnType<typeof createBranches>,
  nodes: number,
  visit: (node: number, from: number) => void,
): void {
  const { from, first, depth } = branches;
  const count = branches.count();
  const inOrder = Int32Array.from({ length: count }, (_, branch) => branch).sort(
    (a, b) => (depth[a] ?? 0) - (depth[b] ?? 0),
  );
  const endOf = (branch: number) => (branch + 1 < count ? (first[branch + 1] ?? 0) : nodes);
  /** Those that go on to this depth. */
  const growing: number[] = [];
  let begun = 0;
  for (let level = 0; begun < count || growing.length > 0; level += 1) {
    for (; begun < count && depth[inOrder[begun] ?? 0] === level; begun += 1) {
      growing.push(inOrder[begun] ?? 0);
    }
    let left = 0;
    for (const branch of growing) {
      const node = (first[branch] ?? 0) + level - (depth[branch] ?? 0);
      visit(node, level === depth[branch] ? (from[branch] ?? NOWHERE) : node - 1);
      if (node + 1 >= endOf(branch)) continue;
      growing[left] = branch;
      left += 1;
    }
    growing.length = left;
  }
}
