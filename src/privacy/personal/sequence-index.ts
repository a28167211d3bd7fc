/** Finds many number sequences in a longer one in a single pass, even if they overlap (Aho-Corasick). */

/** The root state, where every search begins. */
export const ROOT_STATE = 0;

export interface SequenceIndex {
  /** @param number 0 is in no sequence */
  next(state: number, number: number): number;
  /** Returns the index of the longest sequence that ends here; -1 if none does. */
  endingAt(state: number): number;
}

/** All sequences concatenated: numbers from 1 on, and the end of each sequence. None is empty. */
export interface Sequences {
  numbers: Int32Array;
  ends: Int32Array;
}

/** Takes time and memory proportional to the numbers in all sequences. */
export function buildSequenceIndex(sequences: Sequences): SequenceIndex {
  const { nodes, numbers, ending, branches } = growTree(sequences);
  /** The suffix links: for each node, the node of its longest suffix that also begins a sequence. */
  const shorter = new Int32Array(nodes);
  const next = (state: number, number: number): number => {
    for (let at = state; ; at = shorter[at] ?? ROOT_STATE) {
      if (numbers[at + 1] === number) return at + 1;
      const child = branches.find(at, number);
      if (child !== ROOT_STATE || at === ROOT_STATE) return child;
    }
  };
  const link = (node: number, from: number): void => {
    if (from === ROOT_STATE) return;
    const written = numbers[node] ?? 0;
    const target = next(shorter[from] ?? ROOT_STATE, written < 0 ? ~written : written);
    shorter[node] = target;
    if (ending[node] === 0) ending[node] = ending[target] ?? 0;
  };
  visitNodes(branches, nodes, link);
  return {
    next: (state, number) => (number === 0 ? ROOT_STATE : next(state, number)),
    endingAt: (state) => (ending[state] ?? 0) - 1,
  };
}

/**
 * Builds a trie of the sequences, whose nodes are states. The first child of a node directly follows it, so
 * that the rest of a sequence needs only its numbers. Other children are branches. A node takes 12 bytes.
 */
function growTree({ numbers: given, ends }: Sequences) {
  /**
   * The number that leads to each node; its complement if the node begins a branch and is no child of the
   * node before it. One spare entry is at either end.
   */
  const numbers = new Int32Array(given.length + 2);
  /** 1 + the index of the longest sequence that ends at each node. */
  const ending = new Int32Array(given.length + 1);
  const branches = createBranches(ends.length, numbers);
  let nodes = 1;
  let start = 0;
  for (const [index, end] of ends.entries()) {
    let node = ROOT_STATE;
    let at = start;
    for (; at < end; at += 1) {
      const number = given[at] ?? 0;
      const child = numbers[node + 1] === number ? node + 1 : branches.find(node, number);
      if (child === ROOT_STATE) break;
      node = child;
    }
    if (at < end) {
      numbers.set(given.subarray(at, end), nodes);
      numbers[nodes] = ~(given[at] ?? 0);
      branches.add(node, nodes, at - start);
      nodes += end - at;
      node = nodes - 1;
    }
    ending[node] = index + 1;
    start = end;
  }
  return { nodes, numbers, ending: ending.slice(0, nodes), branches };
}

/**
 * Stores branches in a hash table with open addressing. Its random seed prevents inputs crafted to collide.
 */
function createBranches(maxBranches: number, numbers: Int32Array) {
  /** The parent node of each branch, its own first node, and the depth of that node. */
  const [from, first, depth] = [
    new Int32Array(maxBranches),
    new Int32Array(maxBranches),
    new Int32Array(maxBranches),
  ];
  let count = 0;
  /** 1 + the index of a branch. */
  const slots = new Int32Array(2 ** Math.ceil(Math.log2(2 * maxBranches + 2)));
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
    /** Returns the node to which a number leads; `NOWHERE` if there is no such branch. */
    find(node: number, number: number): number {
      const branch = (slots[slotOf(node, number)] ?? 0) - 1;
      return branch < 0 ? ROOT_STATE : (first[branch] ?? ROOT_STATE);
    },
    add(node: number, child: number, at: number) {
      [from[count], first[count], depth[count]] = [node, child, at];
      count += 1;
      slots[slotOf(node, ~(numbers[child] ?? 0))] = count;
    },
  };
}

/** Visits every node after all less deep ones, with its parent. */
function visitNodes(
  branches: ReturnType<typeof createBranches>,
  nodes: number,
  visit: (node: number, from: number) => void,
): void {
  const { from, first, depth } = branches;
  const count = branches.count();
  const ordered = Int32Array.from({ length: count }, (_, branch) => branch).sort(
    (a, b) => (depth[a] ?? 0) - (depth[b] ?? 0),
  );
  const endOf = (branch: number) => (branch + 1 < count ? (first[branch + 1] ?? 0) : nodes);
  /** The branches that reach this depth. */
  const growing: number[] = [];
  let started = 0;
  for (let level = 0; started < count || growing.length > 0; level += 1) {
    for (; started < count && depth[ordered[started] ?? 0] === level; started += 1) {
      growing.push(ordered[started] ?? 0);
    }
    let left = 0;
    for (const branch of growing) {
      const node = (first[branch] ?? 0) + level - (depth[branch] ?? 0);
      visit(node, level === depth[branch] ? (from[branch] ?? ROOT_STATE) : node - 1);
      if (node + 1 >= endOf(branch)) continue;
      growing[left] = branch;
      left += 1;
    }
    growing.length = left;
  }
}
