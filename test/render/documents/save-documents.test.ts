/** Documents of an answer are told in its order, however long each takes: a label that is told as another's goes to another buyer. */

import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, inject, it } from 'vitest';
import type { FoundDocument } from '../../../src/render/documents/find-documents.ts';
import { isSaved, saveDocuments } from '../../../src/render/documents/save-documents.ts';
import { openFilesFolder } from '../../../src/store/files/files-folder.ts';

const LABELS: FoundDocument[] = ['first', 'second', 'third'].map((name) => ({
  from: 'address',
  at: name,
  subject: 'label',
  address: `https://documents.example/${name}`,
  guess: undefined,
  isShown: false,
}));

it('the first to end is not told as the first of the answer', async () => {
  const folder = await mkdtemp(join(inject('scratch'), 'save-documents-'));
  const files = openFilesFolder({ find: async () => join(folder, 'files') });
  const ended: string[] = [];
  const outcomes = await saveDocuments({
    documents: LABELS,
    name: 'label.txt',
    personal: true,
    files: async () => files,
    downloads: async () => ({
      async download(address, file) {
        // The last one comes first.
        while (ended.length < 2 - LABELS.findIndex((label) => address.endsWith(label.at)))
          await setImmediate();
        await writeFile(file, address);
        return { bytes: address.length, charset: undefined };
      },
      close: async () => undefined,
    }),
    scratch: () => mkdtemp(join(folder, 'scratch-')),
    givenBy: 'https://service.example',
    givenAt: 0,
    signal: new AbortController().signal,
    leftMs: 60_000,
    tell: (message) => ended.push(message),
  });
  expect(outcomes.map(({ document }) => document.at)).toEqual(['first', 'second', 'third']);
  const names = outcomes.map((outcome) => (isSaved(outcome) ? outcome.file.name : ''));
  expect(names).toEqual(['label-1.txt', 'label-2.txt', 'label-3.txt']);
});
