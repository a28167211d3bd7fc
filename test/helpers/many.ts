/** Lists of writes in tests: a session that says yes by question or by code, and remembers what it was asked. */

import type { Outside } from './outside-service.ts';
import { type CallOutcome, CLIENT_KINDS, connect, MAIN_KINDS, type Session } from './sessions.ts';

/** SDK v1 and v2 by question, and by code where nobody can be asked. */
export const WAYS = [...MAIN_KINDS, 'code'] as const;
export type Way = (typeof WAYS)[number];

export interface Agreeing {
  session: Session;
  /** The questions that were asked, or shown with a code, so far. */
  questions: string[];
  /** Calls and says yes. */
  agree(tool: string, args: object): Promise<CallOutcome>;
  /** Called with each question before it is answered. */
  meanwhile: { work: (() => Promise<unknown>) | undefined };
}

export async function openAgreeing(
  way: Way,
  outside: Outside,
  args: readonly string[] = [],
  spawn = false,
): Promise<Agreeing> {
  const questions: string[] = [];
  const meanwhile: Agreeing['meanwhile'] = { work: undefined };
  const kind = CLIENT_KINDS.find((one) => one === way);
  const session = await connect({
    ...(kind === undefined ? {} : { kind }),
    spawn,
    args: [...outside.args, ...(way === 'code' ? ['--writes=code'] : []), ...args],
    env: outside.env,
    elicit: async ({ message }) => {
      questions.push(message);
      await meanwhile.work?.();
      return { action: 'accept' };
    },
  });
  return {
    session,
    questions,
    meanwhile,
    async agree(tool, given) {
      const first = await session.call(tool, { ...given });
      const { confirmation_code: confirmationCode } = first.structured;
      if (way !== 'code' || confirmationCode === undefined) return first;
      questions.push(first.text.split('\n').slice(1).join('\n'));
      await meanwhile.work?.();
      return session.call(tool, { ...given, confirmationCode });
    },
  };
}
