/**
 * The types of notifications: their payload versions, and the kind of destination that each of them reaches.
 */

import { endingOf, formatEnding, formatEndingSentence } from './endings.ts';
import { endings } from './generated/endings.ts';
import { notificationTypes } from './generated/notification-types.ts';
import { own } from './schema-parts.ts';

export interface NotificationType {
  /** The values of payloadVersion; absent when no schema names one. */
  versions?: readonly string[];
  /** The kind of destination that its subscription needs. */
  reaches: 'SQS' | 'EventBridge';
}

/** The operation that takes a notification type in its path. */
export const SUBSCRIBES = 'notifications/createSubscription';

// The two workflows are described on Amazon's pages set-up-notifications-with-amazon-sqs,
// set-up-notifications-with-amazon-eventbridge.
const FIRST: readonly (readonly [NotificationType['reaches'], string])[] = [
  [
    'SQS',
    'createDestination with resourceSpecification.sqs.arn of a standard queue (no FIFO), whose policy lets the AWS account 437568002678 do sqs:SendMessage and sqs:GetQueueAttributes',
  ],
  [
    'EventBridge',
    'createDestination with resourceSpecification.eventBridge (accountId, region), then in AWS the partner event source associated with an event bus',
  ],
];

/** Returns lines on which types reach which destination, the prerequisites, and the ended types. */
export function notificationLines(): string[] {
  const all = Object.entries(notificationTypes);
  const ended = Object.entries(endings).filter(([name]) => isNotificationName(name));
  return [
    'notificationType (payloadVersion), by the destination that it reaches, and what has to exist before:',
    ...FIRST.flatMap(([kind, before]) => [
      `  ${kind}: ${all
        .filter(([, { reaches }]) => reaches === kind)
        .map(([name, { versions }]) => (versions === undefined ? name : `${name} (${versions.join(', ')})`))
        .join(', ')}`,
      `    before: ${before}`,
    ]),
    ...ended.map(([name, ending]) => `  ${name.replace('@', ', payload ')}: ${formatEnding(ending)}`),
    '  destinationId: the id that createDestination gave, or one of getDestinations.',
  ];
}

const isNotificationName = (name: string) =>
  own(notificationTypes, name.split('@', 1)[0] ?? '') !== undefined;

/**
 * Warns about a subscription; nothing is refused, because Amazon adds types.
 * @param now milliseconds since the epoch
 */
export function subscriptionWarnings(type: unknown, version: unknown, now: number): string[] {
  if (typeof type !== 'string') return [];
  for (const name of [type, `${type}@${version}`]) {
    const ending = endingOf(name);
    if (ending !== undefined) return [formatEndingSentence(name.replace('@', ' with payload '), ending, now)];
  }
  const { versions } = own(notificationTypes, type) ?? {};
  if (versions === undefined || version === undefined || versions.includes(String(version))) return [];
  return [`${type} is known here with payloadVersion ${versions.join(' or ')}.`];
}
