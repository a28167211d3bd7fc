/** The worst arguments within the limits of what a caller may send, by kind: for the standing attack, and for the benchmark. */

export interface WorstArguments {
  kind: string;
  tool: string;
  make: () => object;
}

export const memberNames = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`member${i}`, i]));
export const deep = (levels: number, inner: unknown): unknown =>
  levels === 0 ? inner : { m: deep(levels - 1, inner) };
export const read = (more: object) => ({ operation: 'getListingsItem', ...more });
export const write = (body: unknown) => ({
  operation: 'putListingsItem',
  parameters: { sku: 'LAMP-OAK-E27' },
  body,
  dryRun: true,
});

export const WORST_ARGUMENTS: readonly WorstArguments[] = [
  {
    kind: '24,000 leaves, 55 deep',
    tool: 'write_operation',
    make: () => write(deep(55, memberNames(24_000))),
  },
  {
    kind: '49,000 values',
    tool: 'write_operation',
    make: () => write({ productType: 'X', attributes: Array(49_000).fill(0) }),
  },
  {
    kind: 'long names, 55 deep',
    tool: 'write_operation',
    make: () =>
      write(
        deep(50, Object.fromEntries(Array.from({ length: 2_000 }, (_, i) => [`${'n'.repeat(190)}${i}`, i]))),
      ),
  },
  {
    kind: 'a text of 4 MB',
    tool: 'write_operation',
    make: () => write({ productType: 'a@b.'.repeat(1_000_000) }),
  },
  {
    kind: 'a value of 4 MB',
    tool: 'read_operation',
    make: () => read({ parameters: { sku: 'x', includedData: ['y'.repeat(4_000_000)] } }),
  },
  {
    kind: 'a dotted path value',
    tool: 'get_catalog_item',
    make: () => ({ asin: '../'.repeat(1_300_000) }),
  },
  {
    kind: 'a text of 4 MB of digits',
    tool: 'write_operation',
    make: () => write({ productType: '1234567890'.repeat(400_000) }),
  },
];
