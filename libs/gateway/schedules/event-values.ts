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
import { bucketOf, TriggerBuckets, type ObjectEvent } from './trigger-buckets.js';

/** Pointer to the input file of an event. */
const FILE = '/file';

/** Gives the parameters of a plan the values of the event that starts it. */
@Injectable()
export class EventValues {
  constructor(
    private readonly sessions: SessionRepository,
    private readonly inputs: InputsService,
    private readonly buckets: TriggerBuckets,
  ) {}

  /** Makes the object of an event an input of the session. Repeating it changes nothing. */
  async store(firing: ClaimedFiring, session: string | undefined): Promise<void> {
    if (session !== undefined && isObject(firing)) await this.storeObject(firing, session);
  }

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
    const isStored = typeof event['body'] === 'string' || isObject(firing);
    if (isStored && pointers.some(([, pointer]) => pointer === FILE)) {
      session_id ??= (await this.sessions.create(firing.tenantId, firing.name, derivedId('ses', runId))).id;
      event['file'] = isObject(firing)
        ? await this.storeObject(firing, session_id)
        : await this.storeBody(firing, session_id, `${runId}.json`);
    }
    if (typeof event['body'] === 'string') event['body'] = JSON.parse(event['body']);
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

  /** Stores the body as an input; returns its name. */
  private async storeBody(
    { tenantId, event }: ClaimedFiring,
    session: string,
    filename: string,
  ): Promise<string> {
    const file = Readable.from([Buffer.from((event as { body: string }).body)]);
    await this.inputs.upload({ tenantId, apiKeyId: '' }, session, toAsync([{ filename, file }]));
    return filename;
  }

  /** Stores the object as an input, instead of an earlier version of it; returns its name. */
  private async storeObject(firing: ClaimedFiring, session: string): Promise<string> {
    const { tenantId, scheduleId } = firing;
    const { id, name } = firing.event as ObjectEvent['event'];
    const store = () =>
      this.buckets.read({ ...firing, id: scheduleId }, id, async (file) => {
        const parts = toAsync([{ filename: name, file }]);
        const { files } = await this.inputs.upload({ tenantId, apiKeyId: '' }, session, parts);
        return files[0]?.name ?? name;
      });
    try {
      return await store();
    } catch (error) {
      if (!(error instanceof ProblemError && error.code === 'file_exists')) throw error;
      await this.inputs.remove(tenantId, session, name);
      return store();
    }
  }
}

/** Returns whether a firing is that of a new object of a bucket. */
const isObject = ({ key, source }: ClaimedFiring): boolean =>
  key !== '' && bucketOf({ source }) !== undefined;

async function* toAsync<Item>(items: Item[]): AsyncGenerator<Item> {
  yield* items;
}

/** Parameters have no objects, so these become JSON. */
function asParameter(value: unknown): unknown {
  const isPlain =
    typeof value !== 'object' || (Array.isArray(value) && value.every((item) => typeof item === 'string'));
  return isPlain ? value : JSON.stringify(value);
}
