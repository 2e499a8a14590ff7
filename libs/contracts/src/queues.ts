/** The queues; the name of a worker app is the name of its queue, `human-input` is worked by people. */
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
