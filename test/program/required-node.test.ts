/** An old Node is told in one line what to install; the program's own never is. */

import { expect, it } from 'vitest';
import { refusalOfNode } from '../../src/program/required-node.ts';

it.each(['20.20.2', '22.23.3', '24.9.0', '9.0.0'])('%s is refused in one line', (version) => {
  expect(refusalOfNode(version, '/usr/bin/node')?.split('\n')).toEqual([
    expect.stringContaining(`this is Node ${version} (/usr/bin/node)`),
  ]);
});

it.each(['24.10.0', '24.22.3', '26.0.0', '100.0.0', process.versions.node])('%s is taken', (version) => {
  expect(refusalOfNode(version, '/usr/bin/node')).toBeUndefined();
});
