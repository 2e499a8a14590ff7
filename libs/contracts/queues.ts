/** The queues. A worker app has the name of its queue; people process `human-input`. */
export const queueNames = [
  'agent-runner',
  'scanner',
  'validator',
  'converter',
  'tools',
  'human-input',
] as const;
export type QueueName = (typeof queueNames)[number];

/** The worker apps, by the names of their queues. */
export const workerNames = queueNames.filter((name) => name !== 'human-input');
