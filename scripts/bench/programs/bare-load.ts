/** Does as any script would: fetches a packed report into a file and loads every value as text into SQLite. Prints the milliseconds. */

import { createReadStream, createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import sqlite from 'node-sqlite3-wasm';

const [address = '', folder = ''] = process.argv.slice(2);
const started = performance.now();
const packed = `${folder}/report.gz`;

const { body } = await fetch(address);
if (body !== null) await pipeline(Readable.from(body), createWriteStream(packed));
const database = new sqlite.Database(`${folder}/bare.db`);
database.exec('PRAGMA synchronous = OFF; BEGIN');
let insert: ReturnType<typeof database.prepare> | undefined;
let carry = '';
const text = createReadStream(packed).pipe(createGunzip()).setEncoding('utf8');
for await (const piece of text) {
  const lines = `${carry}${piece}`.split('\r\n');
  carry = lines.pop() ?? '';
  for (const line of lines) load(line.split('\t'));
}
insert?.finalize();
database.exec('COMMIT');
database.close();
process.stdout.write(`${Math.round(performance.now() - started)}\n`);

function load(fields: string[]): void {
  if (insert !== undefined) return void insert.run(fields);
  database.exec(`CREATE TABLE report (${fields.map((name) => `"${name}" TEXT`).join(', ')})`);
  insert = database.prepare(`INSERT INTO report VALUES (${fields.map(() => '?').join(', ')})`);
}
