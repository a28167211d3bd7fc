/**
 * Takes the screenshot of a conversation that the README shows: `tsx scripts/screenshot-conversation.ts`. Tool calls and
 * the question to the person come from the real server; what the assistant says is written here, from their answers. The
 * question is in the file as text too, so that a test can tell when it is another one.
 */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { connect } from '../test/helpers/sessions.ts';
import { launchChromium } from './launch-chromium.ts';

const PICTURE = 'docs/images/conversation.png';
/** The bytes of a PNG's signature and header. */
const SIGNATURE_AND_HEADER_BYTES = 8 + 25;
const SHOP = '3f0c9e52-7a41-4d0b-9c86-5b1e2a7d4f10';

await takePicture(await hold());

/** One part of the conversation, as HTML. */
type Part = string;

async function hold(): Promise<{ parts: Part[]; question: string }> {
  const stateDir = await mkdtemp(join(tmpdir(), 'seller-conversation-'));
  let question = '';
  const session = await connect({
    spawn: true,
    args: ['--sandbox', '--state-dir', stateDir],
    elicit: async ({ message }) => {
      question = message;
      return { action: 'accept' };
    },
  });
  const call = async (name: string, args: Record<string, unknown>) => {
    const { isError, text } = await session.call(name, args);
    if (isError) throw new Error(text);
    return used(name);
  };
  try {
    const parts = [
      messagePart('person', 'What is wrong with my listing LAMP-OAK-E27?'),
      await call('read_operation', {
        operation: 'getListingsItem',
        parameters: { sku: 'LAMP-OAK-E27', includedData: ['summaries', 'issues'] },
      }),
      messagePart(
        'assistant',
        'It is <b>suppressed in the US</b>: nobody can buy it. The main image holds text or a logo; upload one that shows only the product on white.',
        'Fix these too: “wattage” says 900 W, far more than the socket can carry (exempt for 20 more days), a third bullet point is recommended, and an energy efficiency class will be required from January.',
      ),
      messagePart('person', 'Thanks. And close the Pike Street shop on Sundays.'),
      await call('update_supply_source', {
        supplySourceId: SHOP,
        changes: { configuration: { operationalConfiguration: { operatingHoursByDay: { sunday: [] } } } },
      }),
      `<section class="question"><header>seller-commerce asks</header><pre>${asHtml(question)}</pre><footer><span>Decline</span><span class="yes">Accept</span></footer></section>`,
      messagePart(
        'assistant',
        'Done: Pike Street is closed on Sundays now; I read it back to be sure. Orders to ship and pickup orders are still taken on Sundays. Shall I close those too?',
      ),
    ];
    return { parts, question };
  } finally {
    await session.close();
    await rm(stateDir, { recursive: true, force: true });
  }
}

function messagePart(who: 'person' | 'assistant', ...paragraphs: string[]): Part {
  return `<section class="${who}">${paragraphs.map((text) => `<p>${text}</p>`).join('')}</section>`;
}

function used(tool: string): Part {
  return `<section class="tool">✓ used <code>${tool}</code></section>`;
}

function asHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

async function takePicture({ parts, question }: Awaited<ReturnType<typeof hold>>): Promise<void> {
  const browser = await launchChromium();
  const page = await browser.newPage({ viewport: { width: 900, height: 400 }, deviceScaleFactor: 1.5 });
  await page.setContent(`<!doctype html><meta charset="utf-8"><style>
    body { margin: 0; background: transparent; font: 15px/1.5 "DejaVu Sans", "Liberation Sans", sans-serif; color: #23262b }
    main { box-sizing: border-box; width: 820px; padding: 26px 30px; border: 1px solid #e3e0d9; border-radius: 14px; background: #fbfaf7; display: flex; flex-direction: column; gap: 14px }
    p { margin: 0 0 8px } p:last-child { margin: 0 }
    .person { align-self: flex-end; max-width: 70%; padding: 10px 16px; border-radius: 14px; background: #ebe7dd }
    .assistant { max-width: 88% }
    .tool { color: #77736a; font-size: 13px } code { font: 12.5px "DejaVu Sans Mono", monospace }
    .question { border: 1px solid #cfcac0; border-radius: 12px; background: #fff; padding: 14px 18px }
    .question header { font-weight: bold; margin-bottom: 8px }
    .question pre { margin: 0; font: 13px/1.5 "DejaVu Sans Mono", monospace; white-space: pre-wrap; overflow-wrap: anywhere }
    .question footer { display: flex; justify-content: flex-end; gap: 10px; margin-top: 12px }
    .question span { padding: 5px 16px; border: 1px solid #cfcac0; border-radius: 8px } .question .yes { background: #23262b; border-color: #23262b; color: #fff }
  </style><main>${parts.join('')}</main>`);
  const picture = await page.locator('main').screenshot({ omitBackground: true });
  await writeFile(PICTURE, withText(picture, question));
  await browser.close();
}

/** Adds the text as the description of a PNG, in Latin-1 like its `tEXt`. */
function withText(png: Buffer, text: string): Buffer {
  const chunk = Buffer.from(`tEXtDescription\0${text}`, 'latin1');
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(chunk.length - 'tEXt'.length);
  sum.writeUInt32BE(crc32(chunk));
  const [head, rest] = [
    png.subarray(0, SIGNATURE_AND_HEADER_BYTES),
    png.subarray(SIGNATURE_AND_HEADER_BYTES),
  ];
  return Buffer.concat([head, length, chunk, sum, rest]);
}
