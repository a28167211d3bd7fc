/**
 * Metrics for the operator: calls, waits and exchanges with the service. No user is named, and no label is
 * unlimited.
 */

import prometheus from '@platformatic/prom-client';
import { AppError, InputError } from '../../base/errors.ts';
import type { Wait } from '../../call/api-request.ts';
import type { Transport } from '../../call/transport/transport.ts';
import type { Tool } from '../../protocol/define-tool.ts';
import { AskPerson } from '../../protocol/questions.ts';
import type { RefusalReason } from '../listen/refuse-request.ts';

export interface Metrics {
  /** Counts each call of the tool, with its time and its waits. */
  watchTool(tool: Tool): Tool;
  /** Counts each exchange with the service and with its identity provider. */
  watchTransport(transport: Transport): Transport;
  answered(status: number): void;
  refused(reason: RefusalReason): void;
  /** Returns the metrics in the Prometheus format. */
  text(): Promise<string>;
  contentType: string;
}

/** Values that are read when the metrics are read. */
export interface Gauges {
  connections(): number;
  running(): number;
  subscriptions(): number;
  /** The earliest end of a client secret, in milliseconds since the epoch; undefined when unknown. */
  firstSecretEnd(): number | undefined;
}

/** The histogram buckets in seconds, from cached results to the longest call. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 60];

export function createMetrics(gauges: Gauges): Metrics {
  const registry = new prometheus.Registry();
  const registers = [registry];
  prometheus.collectDefaultMetrics({ register: registry });
  const counter = <Label extends string>(name: string, help: string, labelNames: readonly Label[]) =>
    new prometheus.Counter({ name: `seller_${name}`, help, labelNames, registers });
  const calls = counter('tool_calls_total', 'Calls of tools, by what came of them', ['tool', 'outcome']);
  const waits = counter('waits_total', 'Waits of calls, by what they waited for', ['reason']);
  const waited = counter('wait_seconds_total', 'How long calls were to wait', ['reason']);
  const exchanges = counter('service_requests_total', 'Requests to the service', ['operation', 'outcome']);
  const answers = counter('http_answers_total', 'Answers to clients, by their status', ['status']);
  const refusals = counter('http_refusals_total', 'Requests that were turned away', ['reason']);
  const times = new prometheus.Histogram({
    name: 'seller_tool_call_seconds',
    help: 'How long calls of tools took',
    labelNames: ['tool'],
    buckets: BUCKETS,
    registers,
  });
  for (const [name, help, read] of [
    ['connections', 'Connections that are open', gauges.connections],
    ['running_requests', 'Requests that have no whole answer yet', gauges.running],
    ['subscriptions', 'Streams that clients listen to', gauges.subscriptions],
  ] as const)
    new prometheus.Gauge({
      name: `seller_${name}`,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });

  new prometheus.Gauge({
    name: 'seller_first_secret_end_seconds',
    help: 'When the first client secret of an account ends, in seconds since the epoch; nothing where it is not known',
    registers,
    collect() {
      const end = gauges.firstSecretEnd();
      if (end === undefined) this.reset();
      else this.set(Math.floor(end / 1000));
    },
  });

  const onWait = ({ reason, ms }: Wait) => {
    waits.inc({ reason });
    waited.inc({ reason }, ms / 1000);
  };

  return {
    watchTool: (tool) => ({
      ...tool,
      async invoke(args, ctx) {
        const end = times.startTimer({ tool: tool.name });
        const { onProgress } = ctx.call;
        const call = {
          ...ctx.call,
          onProgress: (progress: Parameters<typeof onProgress>[0]) => {
            onWait(progress);
            onProgress(progress);
          },
        };
        try {
          const answer = await tool.invoke(args, { ...ctx, call });
          calls.inc({ tool: tool.name, outcome: answer.isError === true ? 'failed' : 'done' });
          return answer;
        } catch (error) {
          calls.inc({ tool: tool.name, outcome: outcomeOf(error) });
          throw error;
        } finally {
          end();
        }
      },
    }),
    watchTransport: (transport) => ({
      ...transport,
      async send(request) {
        const operation = request.operation.id;
        try {
          const answer = await transport.send(request);
          exchanges.inc({ operation, outcome: classOf(answer.status) });
          return answer;
        } catch (error) {
          exchanges.inc({ operation, outcome: 'no answer' });
          throw error;
        }
      },
    }),
    answered: (status) => answers.inc({ status }),
    refused: (reason) => refusals.inc({ reason }),
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}

/** The error classes are few, so the label stays limited. */
function outcomeOf(error: unknown): string {
  if (error instanceof AskPerson) return 'asked';
  if (error instanceof InputError) return 'wrong arguments';
  return error instanceof AppError ? error.name : 'unexpected';
}

function classOf(status: number): string {
  return status === 429 ? '429' : `${Math.floor(status / 100)}xx`;
}
