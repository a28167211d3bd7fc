/** Failures on demand: the next calls fail in the way that a test asks for. */

import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Answer } from './answer.ts';
import type { Fault } from './sandbox.ts';

export type Faults = ReturnType<typeof createFaults>;

export function createFaults() {
  const queue: { fault: Fault; left: number }[] = [];
  return {
    next(fault: Fault): void {
      queue.push({ fault, left: fault.times ?? 1 });
    },
    clear(): void {
      queue.length = 0;
    },
    /** How many calls will still meet one. */
    left: (): number => queue.reduce((sum, { left }) => sum + left, 0),
    /** The fault that this call meets, first asked first. */
    take(operation: string | undefined): Fault | undefined {
      const at = queue.findIndex(
        ({ fault }) => fault.operation === undefined || fault.operation === operation,
      );
      const entry = queue[at];
      if (entry === undefined) return undefined;
      entry.left -= 1;
      if (entry.left <= 0) queue.splice(at, 1);
      return entry.fault;
    },
  };
}

/** Node ends a socket that can still be written before it resets it: whether the end is seen first would be chance. */
export function resetAtOnce(socket: Socket): void {
  socket.destroySoon = () => void socket.destroy();
  socket.resetAndDestroy();
}

const ASKED_FOR = { errors: [{ code: 'InternalFailure', message: 'A failure that was asked for.' }] };

/** The answer a fault prescribes; `cut` when it took the connection; undefined when the call goes on. */
export function applyFault(fault: Fault, response: ServerResponse): Answer | 'cut' | undefined {
  const socket = response.socket;
  if (fault.reset) {
    if (socket) resetAtOnce(socket);
    return 'cut';
  }
  if (fault.raw !== undefined) {
    socket?.end(fault.raw);
    return 'cut';
  }
  if (fault.status === undefined) return undefined;
  const { status, body = ASKED_FOR, headers = {} } = fault;
  return { status, headers, ...(typeof body === 'string' ? { text: body } : { body }) };
}
