/** The page for a yes as a browser's requests see it: its rows, how it stands, what is taken out, yes and no. */

import * as z from 'zod';
import { type RawRequest, type ServedTestPage, send, servedAt } from './served-page.ts';

const rowsSchema = z.array(
  z.looseObject({
    key: z.string(),
    name: z.string(),
    change: z.string(),
    odd: z.string(),
    lately: z.string(),
    size: z.number().optional(),
  }),
);
const stateSchema = z.looseObject({
  standing: z.string(),
  out: z.string(),
  ends: z.array(z.tuple([z.number(), z.string(), z.string()])),
  isOver: z.boolean(),
  text: z.string().optional(),
});

export type PageState = z.output<typeof stateSchema>;

/** Places as the page sends them. */
export function bits(places: Iterable<number>, total: number): string {
  const bytes = Buffer.alloc(Math.ceil(total / 8));
  for (const at of places) bytes[at >> 3] = (bytes[at >> 3] ?? 0) | (1 << (at & 7));
  return bytes.toString('base64');
}

export function openApprovalPage(url: string) {
  const page: ServedTestPage = servedAt(url);
  const headers = () => ({
    'content-type': 'application/json',
    origin: `http://${page.host}`,
    'sec-fetch-site': 'same-origin',
  });
  /** A request of the page's own script, or one that only claims to be. */
  const ask = async (name: string, body?: unknown, more: RawRequest = {}) => {
    const { path, cookie } = page.room ?? { path: '', cookie: '' };
    return send(page, {
      path: `${path}${name}`,
      method: body === undefined ? 'GET' : 'POST',
      headers: { cookie, ...(body === undefined ? {} : headers()) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...more,
    });
  };
  return {
    page,
    ask,
    /** Through its door. */
    enter: () => send(page),
    async rows() {
      return rowsSchema.parse(JSON.parse((await ask('rows')).body));
    },
    async state(): Promise<PageState> {
      return stateSchema.parse(JSON.parse((await ask('state')).body));
    },
    takeOut: (places: Iterable<number>, total: number) => ask('out', { out: bits(places, total) }),
    yes: (kept: Iterable<number>, total: number) => ask('yes', { kept: bits(kept, total) }),
    no: () => ask('no', {}),
  };
}

export const all = (total: number, but: ReadonlySet<number> = new Set()): number[] =>
  Array.from({ length: total }, (_, at) => at).filter((at) => !but.has(at));

/** Approves every row of the page. */
export async function approveAll(url: string): Promise<void> {
  const page = openApprovalPage(url);
  await page.enter();
  const { length } = await page.rows();
  await page.yes(all(length), length);
}
