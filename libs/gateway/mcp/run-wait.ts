import { timeLimit } from '#contracts/wait.js';
import type { RunEvent } from '#catalogue/events.js';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { RunsService } from '../runs/runs.service.js';
import type { McpCall } from './mcp-tool.js';

/** Longest time in seconds that a call waits for a run. */
const MAX_WAIT_SECONDS = 300;

/** Argument of tools that wait for a run. */
export const waitSeconds = z
  .number()
  .int()
  .min(0)
  .max(MAX_WAIT_SECONDS)
  .default(20)
  .describe(
    'seconds to wait for the end of the run or a decision; after that the run continues, see get_run',
  );

/** Waits for runs on behalf of clients that cannot follow events (P12). */
@Injectable()
export class RunWait {
  constructor(private readonly runs: RunsService) {}

  /** Waits until the run ends or needs a person, or the time is over; reports the run's events to the client. */
  async settle({ caller: { tenantId }, signal, report }: McpCall, runId: string, seconds: number) {
    // Read the event number before the state, so that no event between the two is missed.
    const { eventSeq } = await this.runs.require(tenantId, runId);
    if (seconds === 0 || (await this.waitsForSomebody(tenantId, runId))) return;
    const until = timeLimit(seconds * 1_000, signal);
    for await (const event of this.runs.follow(runId, eventSeq, until)) {
      if (event.type !== 'token') await report(event.seq, describeEvent(event));
      if (event.type === 'decision_required' && (await this.waitsForSomebody(tenantId, runId))) return;
    }
  }

  private async waitsForSomebody(tenantId: string, runId: string): Promise<boolean> {
    return (await this.runs.read(tenantId, runId)).open_decisions.length > 0;
  }
}

/** Describes an event briefly: type and subject. */
function describeEvent({ type, data }: RunEvent): string {
  const subject = data['task_id'] ?? data['node'] ?? data['status'];
  const what = type.replaceAll('_', ' ');
  const progress =
    type === 'task_progress' ? ` (${String(data['progress'])} of ${String(data['total'] ?? '?')})` : '';
  return typeof subject === 'string' ? `${what}: ${subject}${progress}` : what;
}
