/**
 * The effects of operations that the HTTP method does not determine, reviewed by hand in reviewed.yaml with
 * the reason.
 */

import { reviewed } from './generated/reviewed.ts';
import type { Method, Operation, OperationEffect } from './operation.ts';

/** The reviewed facts of one operation; reviewed.yaml explains each member. */
export interface Reviewed {
  read?: string;
  request?: string;
  delete?: string;
  token?: 'restricted';
  personalData?: readonly string[];
  roleMembers?: Readonly<Record<string, readonly string[]>>;
  scope?: string;
  rest?: { after: number; list: string; token: string; call: string };
}

export const REVIEWED_EFFECTS = ['read', 'request', 'delete'] as const;

/** Returns the reviewed effect; otherwise the effect follows from the method. */
export function effectOf(id: string, method: Method): OperationEffect {
  if (method === 'GET') return 'read';
  const found = REVIEWED_EFFECTS.find((effect) => reviewed[id]?.[effect] !== undefined);
  return found ?? (method === 'DELETE' ? 'delete' : 'write');
}

/** Returns the effect of one call; a write whose parameters only request a preview is a request. */
export function effectOfCall(
  { effect, previewMode }: Pick<Operation, 'effect' | 'previewMode'>,
  parameters: Readonly<Record<string, unknown>>,
): OperationEffect {
  if (effect !== 'write' || previewMode === undefined) return effect;
  const { parameter, value } = previewMode;
  const given = Object.hasOwn(parameters, parameter) ? parameters[parameter] : undefined;
  return given === value ? 'request' : 'write';
}
