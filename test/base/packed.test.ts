import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mapped, Packed, PackedMap } from '../../src/base/packed.ts';

const packedOf = <Value>(values: Iterable<Value>, plainParts = 0) => {
  const packed = new Packed<Value>(plainParts);
  for (const value of values) packed.push(value);
  return packed;
};
const numbers = (length: number) => Array.from({ length }, (_, at) => at);

describe('Packed', () => {
  it('gives back what was put in, in its order and by its place, also between the parts', () => {
    const values = fc.array(fc.anything({ withMap: true, withSet: true, withDate: false }), { maxLength: 5 });
    fc.assert(
      fc.property(values, fc.nat(600), fc.nat(8), (some, more, plain) => {
        const all: unknown[] = [...some, ...numbers(more), ...some];
        const packed = packedOf(all, plain);
        expect(packed.length).toBe(all.length);
        expect([...packed]).toEqual(all);
        for (const at of [0, 49, 50, 99, 100, all.length - 1]) expect(packed.at(at)).toEqual(all[at]);
        expect([packed.at(all.length), packed.at(-1)]).toEqual([undefined, undefined]);
      }),
      { numRuns: 60 },
    );
  });

  it('keeps what is the same object within one value', () => {
    const shared = { price: 5 };
    const packed = packedOf(numbers(300).map(() => ({ one: shared, other: shared })));
    const first = packed.at(0);
    expect(first?.one).toBe(first?.other);
  });

  it('goes through a list that is asked by place at the same time', () => {
    const packed = packedOf(numbers(2_000));
    for (const value of packed) expect(packed.at((value * 701) % 2_000)).toBe((value * 701) % 2_000);
  });
});

it('a packed part takes no more room than it needs', () => {
  const program = `
    import { Packed } from ${JSON.stringify(new URL('../../src/base/packed.ts', import.meta.url).href)};
    const packed = new Packed(0);
    for (let at = 0; at < 50_000; at += 1) packed.push({ at });
    // What was let go is swept beside this thread, in its own time.
    const swept = () => process.memoryUsage().arrayBuffers + 0 * packed.length;
    for (let turn = 0; turn < 100 && swept() > 2_000_000; turn += 1) {
      gc();
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    console.log(swept());
  `;
  const args = ['--expose-gc', '--import', 'tsx', '--input-type=module', '--eval', program];
  const bytes = Number(execFileSync(process.execPath, args, { encoding: 'utf8' }));
  // As they come out of compressing, 16 KB for each of a thousand.
  expect(bytes).toBeLessThan(2_000_000);
}, 60_000);

describe('PackedMap', () => {
  it('has what was set last, by its key', () => {
    const map = new PackedMap<{ at: number }>();
    for (const at of numbers(1_000)) map.set(`key ${at % 700}`, { at });
    expect([map.size, [...map.keys()].length]).toEqual([700, 700]);
    expect([map.get('key 5'), map.get('key 699'), map.get('no key')]).toEqual([
      { at: 705 },
      { at: 699 },
      undefined,
    ]);
    expect([map.has('key 5'), map.has('no key')]).toEqual([true, false]);
  });
});

it('mapped gives each as it is made, lists and packed lists alike', () => {
  for (const list of [numbers(600), packedOf(numbers(600))]) {
    const twice = mapped(list, (value, at) => value + at);
    expect([twice.length, twice.at(299), twice.at(600)]).toEqual([600, 598, undefined]);
    expect([...twice]).toEqual(numbers(600).map((value) => 2 * value));
  }
});
