import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { z } from 'zod';
import { answerSchema, decisionRequestSchema, questionNames } from './decisions.js';
import { advanceJobSchema, taskJobSchema } from '#contracts/queues.js';
import { findRunKind, runKindNames } from './registry.js';
import { tasks, type TaskName } from './tasks.js';

/**
 * Payloads that releases wrote into the queue and the database, one file each. They never change: later releases find
 * them in waiting jobs and parked runs.
 */
interface Payloads {
  jobs: { advance: unknown[]; task: unknown[] };
  run_inputs: Record<string, unknown[]>;
  tasks: Record<TaskName, { input: unknown[]; output: unknown[] }>;
}

const FOLDER = join(import.meta.dirname, '../../test/fixtures/payloads');
const releases = readdirSync(FOLDER).map((name): [string, Payloads] => [
  name,
  JSON.parse(readFileSync(join(FOLDER, name), 'utf8')) as Payloads,
]);
const newest = releases.map(([, payloads]) => payloads).at(-1)!;

/** Parses each payload, and checks that no field is lost. */
function expectRead(schema: z.ZodType, payloads: unknown[]): void {
  expect(payloads.length).toBeGreaterThan(0);
  for (const payload of payloads) expect(schema.parse(payload)).toMatchObject(payload as object);
}

describe.each(releases)('X4 this release reads payloads recorded in %s', (_name, payloads) => {
  it('jobs', () => {
    expectRead(advanceJobSchema, payloads.jobs.advance);
    expectRead(taskJobSchema, payloads.jobs.task);
  });

  it.each(Object.keys(payloads.run_inputs))('inputs of runs of kind %s', (kind) =>
    expectRead(findRunKind(kind)!.inputs, payloads.run_inputs[kind]!),
  );

  it.each(Object.keys(payloads.tasks) as TaskName[])('task %s: input and result', (name) => {
    expectRead(tasks[name].input, payloads.tasks[name].input);
    expectRead(tasks[name].output, payloads.tasks[name].output);
  });

  it('X3 decisions with their answers', () => {
    const { input, output } = payloads.tasks.human_input;
    input.forEach((request, index) => {
      const schema = answerSchema(decisionRequestSchema.parse(request));
      expect(schema.safeParse(output[index]).error).toBeUndefined();
    });
  });
});

describe('the recorded payloads', () => {
  it('cover every task and every decision type: record one when you add it', () => {
    expect(Object.keys(newest.tasks).sort()).toEqual(Object.keys(tasks).sort());
    expect(Object.keys(newest.run_inputs).sort()).toEqual(runKindNames().sort());
    const kinds = newest.tasks.human_input.input.map(
      (input) => decisionRequestSchema.parse(input).decision_type,
    );
    expect(new Set(kinds)).toEqual(new Set(questionNames()));
  });
});
