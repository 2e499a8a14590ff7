import { scheduledPlanSchema, type ScheduledPlan } from '#catalogue/schedule-schemas.js';
import { ProblemError } from '#contracts/errors.js';
import { derivedId } from '#contracts/ids.js';
import { valueAt } from '#contracts/json-pointer.js';
import { phrase } from '#contracts/phrases/phrase.js';
import type { ClaimedFiring } from '#db/repositories/schedules.js';
import { SessionRepository } from '#db/repositories/sessions.js';
import { Injectable } from '@nestjs/common';
import { Readable } from 'node:stream';
import { InputsService } from '../sessions/inputs.service.js';

/** Pointer to the input file of an event. */
const FILE = '/file';

/** Gives the parameters of a plan the values of the event that starts it. */
@Injectable()
export class EventValues {
  constructor(
    private readonly sessions: SessionRepository,
    private readonly inputs: InputsService,
  ) {}

  /**
   * Returns the request with the values of its `event_parameters`. A file of the event becomes an input of the session;
   * without a given session, of a new one. Repeating it changes nothing.
   *
   * @throws ProblemError `invalid_request` for a value that no parameter can have; those of an upload
   */
  async fill(firing: ClaimedFiring, plan: ScheduledPlan, runId: string): Promise<ScheduledPlan> {
    const pointers = Object.entries(plan.event_parameters ?? {});
    const event = { ...(firing.event as Record<string, unknown> | null) };
    let { session_id } = plan;
    if (typeof event['body'] === 'string') {
      if (pointers.some(([, pointer]) => pointer === FILE))
        session_id = await this.storeBody(firing, event, session_id, runId);
      event['body'] = JSON.parse(event['body']);
    }
    const values = pointers.flatMap(([name, pointer]) => {
      const value = valueAt(event, pointer);
      return value === undefined || value === null ? [] : [[name, asParameter(value)]];
    });
    const parameters = { ...plan.parameters, ...Object.fromEntries(values) };
    const filled = scheduledPlanSchema.safeParse({ ...plan, parameters, session_id });
    if (filled.success) return filled.data;
    const names = pointers.map(([name]) => name).join(', ');
    throw new ProblemError('invalid_request', phrase('invalid_request.event_values', { names }));
  }

  /** Stores the body as an input, names it in the event, and returns the session. */
  private async storeBody(
    { tenantId, name }: ClaimedFiring,
    event: Record<string, unknown>,
    given: string | undefined,
    runId: string,
  ): Promise<string> {
    const session = given ?? (await this.sessions.create(tenantId, name, derivedId('ses', runId))).id;
    const filename = `${runId}.json`;
    const file = Readable.from([Buffer.from(event['body'] as string)]);
    await this.inputs.upload({ tenantId, apiKeyId: '' }, session, toAsync([{ filename, file }]));
    event['file'] = filename;
    return session;
  }
}

async function* toAsync<Item>(items: Item[]): AsyncGenerator<Item> {
  yield* items;
}

/** Parameters have no objects, so these become JSON. */
function asParameter(value: unknown): unknown {
  const isPlain =
    typeof value !== 'object' || (Array.isArray(value) && value.every((item) => typeof item === 'string'));
  return isPlain ? value : JSON.stringify(value);
}
