/**
 * The `watch` command reports changes of the listings for the system's scheduler; it writes nothing to the
 * service.
 */

import { InputError } from '../../base/errors.ts';
import type { Topic } from '../../data/review/watch-listings.ts';
import { openSession } from '../runtime/open-session.ts';
import type { Outside } from '../runtime/outside.ts';
import { createProgram } from '../runtime/program.ts';
import type { Command, CommandArguments } from './line/command.ts';
import { createResultPrinter } from './line/print-result.ts';

const SOMETHING_NEW = 10;
const NOT_WHOLE = 1;

/** The grace period, in which a rotated refresh token is stored and partial data are removed. */
const GRACE_MS = 3_000;

/** The interval of progress messages for a waiting user. */
const PROGRESS_MS = 5_000;

export const watch = {
  name: 'watch',
  summary: 'Review the listings once and print what is new since the last time; for a scheduler',
  options: {
    once: { type: 'boolean', help: 'Needed: it reviews once and ends; your system repeats it' },
    only: {
      type: 'string',
      help: 'Tell only of these, with commas: suppressed, stock, prices, listings (new or gone), offers (the featured ones: these are read only so, at 20 listings a call some 40 s for 400)',
      placeholder: 'TOPICS',
    },
    marketplaces: {
      type: 'string',
      help: "IDs or countries, with commas (default: the account's)",
      placeholder: 'DE,FR',
    },
    save: {
      type: 'string',
      help: 'What is new as a file too, in the folder of files; day and time are added to its name',
      placeholder: 'NAME',
    },
    json: { type: 'boolean', help: 'Print one JSON object: { account, collected_at, is_new, since, saved }' },
  },
  details: [
    'Exit code 0: nothing new; 10: something new; 1: it failed, or the review is not whole; 2: a wrong option or setting.',
    'The first time there is nothing to compare with. Nothing is ever written to the service.',
    'Two at the same time make one review. docs/watch.md has timers for systemd, launchd and Task Scheduler;',
    'cron has no session, so no keychain.',
  ].join('\n'),
  graceMs: GRACE_MS,
  async run({ values }, io) {
    if (values.once !== true) {
      throw new InputError(
        'watch reviews once and ends: there is no process that stays.',
        'Say --once, and let your system repeat it (docs/watch.md).',
      );
    }
    const only = topicsOf(values.only, (await import('../../data/review/watch-listings.ts')).TOPICS);
    const program = createProgram(io);
    const session = openSession(program);
    try {
      const { watchListings } = await import('../../data/review/watch-listings.ts');
      const { systemClock } = await import('../../base/clock.ts');
      const account = session.accountOf(undefined);
      const [client, { find }, tables, collections] = await Promise.all([
        session.client(),
        program.registry(),
        session.tables(account),
        session.collections(),
      ]);
      const sources = { client, downloads: session.downloads, find, account, clock: systemClock };
      const parts = { tables, collections, sources, redact: session.redactor.redact, signal: io.signal };
      const marketplaces = listOf(values.marketplaces);
      const request = { marketplaces, only };
      const result = await watchListings(
        request,
        { ...parts, onProgress: createProgressPrinter(io) },
        async (watched, lines) => {
          const text = lines.map((line) => `${line}\n`).join('');
          const path = watched.is_new ? await save(values.save, text, session) : undefined;
          const saved = path === undefined ? {} : { saved: path };
          const whole = watched.complete
            ? ''
            : 'The review is not whole: what is new is not known of all of it.\n';
          createResultPrinter(io, values)(
            { ...watched, ...saved },
            `${text}${whole}${path === undefined ? '' : `Saved: ${path}\n`}`,
          );
        },
      );
      if (!result.complete) return NOT_WHOLE;
      return result.is_new ? SOMETHING_NEW : 0;
    } finally {
      await session.close();
      await program.close();
    }
  },
} satisfies Command;

function listOf(given: string | boolean | undefined): string[] | undefined {
  if (typeof given !== 'string') return undefined;
  return given.split(',').map((one) => one.trim());
}

function topicsOf(given: CommandArguments['values'][string], known: readonly Topic[]): Topic[] | undefined {
  return listOf(given)?.map((word) => {
    const topic = known.find((one) => one === word);
    if (topic !== undefined) return topic;
    throw new InputError(
      `--only ${JSON.stringify(word)} is nothing that is watched.`,
      `There are ${known.join(', ')}.`,
    );
  });
}

function createProgressPrinter({ interactive, stderr }: Outside): (progress: { message: string }) => void {
  let next = performance.now() + PROGRESS_MS;
  return ({ message }) => {
    if (!interactive || performance.now() < next) return;
    next = performance.now() + PROGRESS_MS;
    stderr(`${message}\n`);
  };
}

/**
 * Saves the text as a file.
 * @returns its path; undefined when no file was requested
 */
async function save(
  name: CommandArguments['values'][string],
  text: string,
  session: ReturnType<typeof openSession>,
): Promise<string | undefined> {
  if (typeof name !== 'string') return undefined;
  const { localTime } = await import('../../base/text/local-time.ts');
  const at = localTime(Date.now()).slice(0, 'yyyy-mm-dd hh:mm'.length).replace(':', '');
  const [base = name, ending] = name.endsWith('.txt')
    ? [name.slice(0, -'.txt'.length), '.txt']
    : [name, '.txt'];
  async function* content() {
    yield new TextEncoder().encode(text);
  }
  const files = await session.files();
  return (await files.save(`${base} ${at}${ending}`, content(), { personal: false })).path;
}
