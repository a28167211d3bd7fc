/** Finds many sequences of numbers in a longer one in one look at each of its numbers, whatever they begin or end with (Aho and Corasick). */

/** A state that stands in no known sequence: where every search begins. */
export const NOWHERE = 0;

export interface SequenceIndex {
  /** @param number 0 stands in no sequence */
  next(state: number, number: number): number;
  /** The longest of the sequences that end here, by its place among all; -1 where none does. */
  endingAt(state: number): number;
}

/**
 * A tree of the sequences, whose nodes are states. The first child of a node stands right behind it, so that the rest of
 * a sequence needs no more than its numbers; where others go on differently, that is a branch. 12 bytes a node.
 */
interface Tree {
  /** By which a node is come to; the complement of it where a branch begins, which is no child of the node before it. */
  numbers: Int32Array;
  /** Of the longest sequence that ends at a node, 1 + its place. */
  ending: Int32Array;
  nodes: number;
  branches: readonly Branch[];
  branchFrom(node: number, number: number): number;
}

interface Branch {
  from: number;
  first: number;
  /** Of its first node. */
  depth: number;
}

/** In time and memory proportional to the numbers in all sequences. @param sequences of numbers from 1 on, none is empty */
export function buildSequenceIndex(sequences: readonly Int32Array[]): SequenceIndex {
  const { numbers, ending, nodes, branches, branchFrom } = growTree(sequences);
  /** Of a node, the one for the longest end of it that is the beginning of a sequence as well. */
  const shorter = new Int32Array(nodes);
  const next = (state: number, number: number): number => {
    for (let at = state; ; at = shorter[at] ?? NOWHERE) {
      if (numbers[at + 1] === number) return at + 1;
      const branch = branchFrom(at, number);
      if (branch !== NOWHERE || at === NOWHERE) return branch;
    }
  };
  const link = (node: number, from: number): void => {
    const written = numbers[node] ?? 0;
    const target =
      from === NOWHERE ? NOWHERE : next(shorter[from] ?? NOWHERE, written < 0 ? ~written : written);
    shorter[node] = target;
    if (ending[node] === 0) ending[node] = ending[target] ?? 0;
  };
  inDepthOrder(branches, nodes, link);
  return {
    next: (state, number) => (number === 0 ? NOWHERE : next(state, number)),
    endingAt: (state) => (ending[state] ?? 0) - 1,
  };
}

function growTree(sequences: readonly Int32Array[]): Tree {
  const most = sequences.reduce((sum, { length }) => sum + length, 2);
  const numbers = new Int32Array(most);
  const ending = new Int32Array(most);
  const branches: Branch[] = [];
  const { find, add } = createBranchTable(sequences.length, numbers);
  let nodes = 1;
  for (const [place, sequence] of sequences.entries()) {
    let node = NOWHERE;
    let depth = 0;
    for (; depth < sequence.length; depth += 1) {
      const number = sequence[depth] ?? 0;
      const child = numbers[node + 1] === number ? node + 1 : find(node, number);
      if (child === NOWHERE) break;
      node = child;
    }
    if (depth < sequence.length) {
      numbers.set(sequence.subarray(depth), nodes);
      numbers[nodes] = ~(sequence[depth] ?? 0);
      branches.push({ from: node, first: nodes, depth });
      add(node, nodes);
      nodes += sequence.length - depth;
      node = nodes - 1;
    }
    ending[node] = place + 1;
  }
  return {
    // One more, so that every node has one behind it.
    numbers: numbers.slice(0, nodes + 1),
    ending: ending.slice(0, nodes),
    nodes,
    branches,
    branchFrom: find,
  };
}

/** Every node after all that are less deep. */
function inDepthOrder(
  branches: readonly Branch[],
  nodes: number,
  visit: (node: number, from: number) => void,
): void {
  const waiting = branches
    .map(({ from, first, depth }, at) => ({ from, at: first, end: branches[at + 1]?.first ?? nodes, depth }))
    .sort((a, b) => a.depth - b.depth);
  let begun = 0;
  let growing: typeof waiting = [];
  for (let depth = 0; begun < waiting.length || growing.length > 0; depth += 1) {
    for (; waiting[begun]?.depth === depth; begun += 1) growing.push(...waiting.slice(begun, begun + 1));
    for (const branch of growing) {
      visit(branch.at, branch.from);
      branch.from = branch.at;
      branch.at += 1;
    }
    growing = growing.filter(({ at, end }) => at < end);
  }
}

/** Open addresses; where one is looked for first nobody can foretell, so that nobody can make many share one. */
function createBranchTable(most: number, numbers: Int32Array) {
  const size = 2 ** Math.ceil(Math.log2(2 * most + 2));
  const from = new Int32Array(size);
  const first = new Int32Array(size);
  const seed = Math.floor(Math.random() * 2 ** 32);
  const slotOf = (node: number, number: number): number => {
    let mixed = Math.imul(node ^ seed, 0x9e3779b1) + number;
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    let slot = (mixed ^ (mixed >>> 16)) & (size - 1);
    while (first[slot] !== 0 && !(from[slot] === node && numbers[first[slot] ?? 0] === ~number)) {
      slot = (slot + 1) & (size - 1);
    }
    return slot;
  };
  return {
    find: (node: number, number: number): number => first[slotOf(node, number)] ?? NOWHERE,
    add(node: number, child: number): void {
      const slot = slotOf(node, ~(numbers[child] ?? 0));
      from[slot] = node;
      first[slot] = child;
    },
  };
}
