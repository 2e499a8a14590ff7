import { z } from 'zod';

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

/** Payloads of queue jobs: IDs only, with a version, so that jobs of older releases can be parsed. */
export const advanceJobSchema = z.object({ v: z.literal(1), run_id: z.string(), epoch: z.number().int() });
export type AdvanceJob = z.infer<typeof advanceJobSchema>;

export const taskJobSchema = z.object({
  v: z.literal(1),
  run_id: z.string(),
  task_id: z.string(),
  /** Absent in jobs of older releases. */
  tenant_id: z.string().optional(),
});
