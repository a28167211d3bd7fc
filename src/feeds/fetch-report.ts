/** A processing report as text: its address asked for, fetched, unpacked and decoded. */

import * as z from 'zod';
import { TextReader } from '../documents/charset.ts';
import { DOCUMENT_LIMITS } from '../documents/limits.ts';
import { Unpacker } from '../documents/unpack.ts';
import { NetworkError } from '../errors.ts';
import { ask, type FeedParts } from './feed-parts.ts';
import { MOST_REPORT_BYTES } from './limits.ts';

/** Addresses that are asked for in all: one ends after five minutes. */
const MOST_ADDRESSES = 3;

const addressSchema = z.looseObject({ url: z.string().min(1) });

/** @throws the client's errors, those of `Downloads.download` and of unpacking */
export async function fetchReportText(id: string, file: string, parts: FeedParts): Promise<string> {
  const { charset } = await fetch(id, file, parts);
  const unpacker = new Unpacker(file, { ...DOCUMENT_LIMITS, unpackedBytes: MOST_REPORT_BYTES });
  const reader = new TextReader(charset);
  let text = '';
  for await (const piece of unpacker.pieces()) text += reader.decode(piece);
  return text + reader.end();
}

async function fetch(id: string, file: string, parts: FeedParts): Promise<{ charset: string | undefined }> {
  const { downloads, clock, givenBy, signal, operations } = parts;
  for (let attempt = 1; ; attempt++) {
    const answer = await ask(parts, operations.getFeedDocument, { parameters: { feedDocumentId: id } });
    const address = addressSchema.safeParse(answer.body);
    if (!address.success) throw noAddress();
    const givenAt = clock.wallClock();
    try {
      return await downloads.download(address.data.url, file, { givenBy, givenAt, signal });
    } catch (error) {
      const hasEnded = error instanceof NetworkError && error.code === 'ADDRESS_EXPIRED';
      if (!hasEnded || attempt >= MOST_ADDRESSES) throw error;
    }
  }
}

function noAddress(): NetworkError {
  return new NetworkError(
    'NO_ADDRESS',
    'not-sent',
    'getFeedDocument answered without an address of the processing report.',
    'Call again in a minute.',
  );
}
