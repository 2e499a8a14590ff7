import type { historyEntrySchema } from '#contracts/api/history-schemas.js';
import type { ApiClient, RunView } from '#testing/api-client.js';
import { exampleFiles, MISSING_IMAGE } from '#testing/examples.js';
import { randomUUID } from 'node:crypto';
import type { z } from 'zod';

/** Answers to the question about the picture that the example lacks. */
export const SKIP = { user_decisions: { [MISSING_IMAGE]: 'skip' } };
export const USE_DASHBOARD = { user_decisions: { [MISSING_IMAGE]: 'use:dashboard.png' } };

export type Entry = z.infer<typeof historyEntrySchema>;

/** The whole history of a run, page by page. */
export async function readHistory(tenant: ApiClient, runId: string, limit = 100): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const after = cursor === '' ? '' : `&cursor=${cursor}`;
    const { status, json } = await tenant.get(`/api/agents/runs/${runId}/history?limit=${limit}${after}`);
    expect(status).toBe(200);
    entries.push(...(json.items as Entry[]));
    cursor = json.next_cursor as string | null;
  }
  return entries;
}

/** A run that waits for a person; each has a different source, so that no answer is remembered. */
export async function pausedRun(tenant: ApiClient): Promise<RunView> {
  const files = exampleFiles('incident');
  const own = `${Buffer.from(files['01-timeline.md']!).toString()}\nNo. ${randomUUID()}\n`;
  const run = await tenant.startRun(await tenant.sessionWith({ ...files, '01-timeline.md': own }));
  await tenant.decision(run.id);
  return run;
}

/** A run that has written its manuscript. */
export async function writtenRun(tenant: ApiClient): Promise<RunView> {
  const sessionId = await tenant.sessionWith(exampleFiles('handover'));
  const run = await tenant.startRun(sessionId);
  return tenant.completed(run.id);
}

/** Creates a run on first use, and returns the same one afterwards, for tests that do not change its session. */
export function once(make: () => Promise<RunView>): () => Promise<RunView> {
  let made: Promise<RunView> | undefined;
  return () => (made ??= make());
}

/** Forks a run's session at a checkpoint. */
export async function forkRun(tenant: ApiClient, of: RunView, checkpoint_id: string, title?: string) {
  const made = await tenant.post(`/api/sessions/${of.session_id}/fork`, {
    run_id: of.id,
    checkpoint_id,
    title,
  });
  expect([made.status, made.json.code]).toEqual([201, undefined]);
  return made.json as {
    session: { id: string; forked_from: string; title: string };
    run: RunView;
  };
}

/** The names in a list of a session. */
export const namesOf = async (tenant: ApiClient, id: string, list: string) =>
  ((await tenant.get(`/api/sessions/${id}/${list}`)).json.items as { name: string }[]).map(
    ({ name }) => name,
  );
