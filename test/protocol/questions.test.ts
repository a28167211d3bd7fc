import { describe, expect, it } from 'vitest';
import { AskPerson, createPerson } from '../../src/protocol/questions.ts';
import { APPROVAL_KEY, type ClientUser } from '../../src/render/client-user.ts';
import { type CallThroughOptions, callThrough } from '../helpers/server-context.ts';

const redact = (text: string) => text.replaceAll('canary', '***');

/** Returns what a tool learns of the user, and what the client got in the end. */
async function ask(use: (person: ClientUser) => string, options: CallThroughOptions) {
  const result = await callThrough(async (ctx, connected) => {
    try {
      return { content: [{ type: 'text', text: use(createPerson(ctx, connected, redact)) }] };
    } catch (error) {
      if (error instanceof AskPerson) return error.result;
      throw error;
    }
  }, options);
  const [first] = result.content;
  return first?.type === 'text' ? first.text : '';
}

describe('what a client declares', () => {
  it.each([
    ['nothing', {}, false, false],
    ['elicitation without a mode, as before modes had names', { elicitation: {} }, true, false],
    ['forms', { elicitation: { form: {} } }, true, false],
    ['addresses', { elicitation: { url: {} } }, false, true],
    ['both', { elicitation: { form: {}, url: {} } }, true, true],
  ])('%s', async (_case, capabilities, canConfirm, canOpenPage) => {
    const text = await ask((person) => `${person.canConfirm} ${person.canOpenPage}`, { capabilities });
    expect(text).toBe(`${canConfirm} ${canOpenPage}`);
  });
});

describe('asking', () => {
  it.each(['accept', 'decline', 'cancel'] as const)('%s comes back with the state', async (action) => {
    const messages: unknown[] = [];
    const text = await ask(
      (person) => {
        const answer = person.answer('confirm');
        return answer === undefined
          ? person.confirm('confirm', 'Close on Sundays?', 'state-1')
          : `${answer.action} ${answer.state}`;
      },
      {
        capabilities: { elicitation: { form: {} } },
        elicit: ({ message }) => {
          messages.push(message);
          return action;
        },
      },
    );
    expect(text).toBe(`${action} state-1`);
    expect(messages).toEqual(['Close on Sundays?']);
  });

  it('opens an address, with no form to type a secret into', async () => {
    const shown: Record<string, unknown>[] = [];
    const text = await ask(
      (person) =>
        person.answer('page')?.action ??
        person.openPage('page', 'Enter them there.', 'http://127.0.0.1:9/x', 's'),
      {
        capabilities: { elicitation: { url: {} } },
        elicit: (params) => {
          shown.push(params);
          return 'accept';
        },
      },
    );
    expect(text).toBe('accept');
    expect(shown).toMatchObject([{ mode: 'url', url: 'http://127.0.0.1:9/x', message: 'Enter them there.' }]);
    expect(shown[0]).not.toHaveProperty('requestedSchema');
  });

  it('no secret is shown to the person, with either kind of question', async () => {
    const shown: unknown[] = [];
    const options: CallThroughOptions = {
      capabilities: { elicitation: { form: {}, url: {} } },
      elicit: ({ message }) => {
        shown.push(message);
        return 'accept';
      },
    };
    await ask((person) => person.answer('a')?.action ?? person.confirm('a', 'Send canary?', 's'), options);
    await ask(
      (person) =>
        person.answer('a')?.action ?? person.openPage('a', 'For canary.', 'http://127.0.0.1:9/x', 's'),
      options,
    );
    expect(shown).toEqual(['Send ***?', 'For ***.']);
  });

  it.each([
    ['an approval', APPROVAL_KEY, 'failed'],
    ['a page', 'page', 'accept'],
  ])('accepting %s (%s) without a form counts as %s', async (_what, key, action) => {
    const text = await ask(
      (person) =>
        person.answer(key)?.action ??
        (key === APPROVAL_KEY
          ? person.confirm(key, 'Close on Sundays?', 's')
          : person.openPage(key, 'Enter them there.', 'http://127.0.0.1:9/x', 's')),
      {
        capabilities: { elicitation: { form: {}, url: {} } },
        elicit: () => 'accept without a form',
      },
    );
    expect(text).toBe(action);
  });

  it('an answer to another question is none', async () => {
    expect(await ask((person) => String(person.answer('other')), {})).toBe('undefined');
  });
});
