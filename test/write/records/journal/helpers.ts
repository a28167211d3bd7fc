/** Provides temporary folders, a journal in one, and processes that write, for the journal's tests. */

import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { onTestFinished } from 'vitest';
import { createSingleKey } from '../../../../src/privacy/sealed/keychain-keys.ts';
import { createSealer } from '../../../../src/privacy/sealed/sealer.ts';
import { createJournal, type Journal, readJournal } from '../../../../src/write/records/journal/journal.ts';
import { openStateStore } from '../../../../src/write/state-store.ts';

export async function createFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'journal-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export interface JournalForTest {
  journal: Journal;
  /** One second passes with each record. */
  clock: { now: number };
}

/** Reads a folder's journal as another process does. */
export async function readEntries(folder: string, query: Parameters<typeof readJournal>[1] = {}) {
  const store = openStateStore(folder);
  return readJournal(store, query).finally(store.close);
}

type JournalOptions = Parameters<typeof createJournal>[0];

/** A journal with ids w-1, w-2 ... whose first record is of 2026-11-20T12:00:01Z. */
export function openJournal(folder: string, more: Partial<JournalOptions> = {}): JournalForTest {
  const clock = { now: Date.UTC(2026, 10, 20, 12) };
  let count = 0;
  const sealer = createSealer(createSingleKey());
  const journal = createJournal({
    store: openStateStore(folder),
    now: () => (clock.now += 1_000),
    randomId: () => `w-${++count}`,
    digest: () => 'hash-of-body',
    keepDays: 30,
    sealer: async () => sealer,
    redact: (value) => value,
    redactText: (text) => text,
    ...more,
  });
  return { journal, clock };
}

/** Bundles the writer once, so that a process starts in the time of a bare Node. */
export async function buildWriter(folder: string): Promise<string> {
  const outfile = join(folder, 'writer.mjs');
  await build({
    entryPoints: [fileURLToPath(new URL('./writer-process.ts', import.meta.url))],
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'silent',
    outfile,
  });
  return outfile;
}

export interface Writer {
  child: ChildProcessByStdio<null, Readable, null>;
  /** Resolves with all it said, once it is gone. */
  ended: Promise<string[]>;
  /** Resolves when it has recorded its first outcome, or is gone. */
  started: Promise<void>;
}

export function startWriter(command: readonly string[]): Writer {
  const [file = '', ...args] = command;
  const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.setEncoding('utf8');
  const ended = new Promise<string[]>((resolve) => {
    child.on('close', () => resolve(text.split('\n').slice(0, -1)));
  });
  const started = new Promise<void>((resolve) => {
    child.on('close', () => resolve());
    child.stdout.on('data', (chunk: string) => {
      text += chunk;
      if (text.includes('ended')) resolve();
    });
  });
  return { child, ended, started };
}
