/** Prompt find_operation: from a goal to the operation that serves it. */

import { completable } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { completeOperation } from '../completions.ts';
import { definePrompt } from '../define-prompt.ts';

export const findOperation = definePrompt({
  name: 'find_operation',
  title: 'Find the right operation',
  description: 'Finds the operation for what you want to do, and shows how to call it.',
  arguments: ({ session }) =>
    z.object({
      goal: completable(z.string().min(1).describe('What you want, or part of a name'), (typed) =>
        completeOperation(typed, session),
      ),
    }),
  text: ({ goal }) =>
    [
      `I want to: ${goal}`,
      'Find the operation for it with list_known_operations (search with a few words), read describe_operation of the best one, and tell me what it does, what it needs from me, and whether it changes anything. Do not call it yet.',
    ].join('\n'),
});
