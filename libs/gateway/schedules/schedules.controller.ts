import { firingSchema, scheduleSchema, syncResultSchema } from '#catalogue/schedule-schemas.js';
import type { Schedule, ScheduleFiring } from '#db/repositories/schedules.js';
import { Controller } from '@nestjs/common';
import type { z } from 'zod';
import { KeepingAnswer, keepView, Route, type EndpointRequest, type KeepAnswer } from '../http/route.js';
import { view } from '../http/view.js';
import { SchedulesService } from './schedules.service.js';

@Controller()
export class SchedulesController {
  constructor(private readonly schedules: SchedulesService) {}

  @Route('createSchedule')
  async create(
    { tenantId, body }: EndpointRequest<'createSchedule'>,
    @KeepingAnswer() keepAnswer: KeepAnswer,
  ) {
    return scheduleView(await this.schedules.create(tenantId, body, keepView(keepAnswer, scheduleView)));
  }

  @Route('previewSchedule')
  async preview({ body }: EndpointRequest<'previewSchedule'>) {
    return { times: isoTimes(await this.schedules.preview(body)) };
  }

  @Route('listSchedules')
  async list({ tenantId }: EndpointRequest<'listSchedules'>) {
    return { items: (await this.schedules.list(tenantId)).map(scheduleView) };
  }

  @Route('getSchedule')
  async get({ tenantId, params: { schedule_id: id } }: EndpointRequest<'getSchedule'>) {
    const schedule = await this.schedules.require(tenantId, id);
    const firings = await this.schedules.lastFirings(tenantId, id);
    return {
      ...scheduleView(schedule),
      next_times: isoTimes(this.schedules.nextTimes(schedule)),
      firings: firings.map(firingView),
    };
  }

  @Route('changeSchedule')
  async change({ tenantId, params: { schedule_id: id }, body }: EndpointRequest<'changeSchedule'>) {
    return scheduleView(await this.schedules.change(tenantId, id, body));
  }

  @Route('deleteSchedule')
  remove({ tenantId, params: { schedule_id: id } }: EndpointRequest<'deleteSchedule'>) {
    return this.schedules.remove(tenantId, id);
  }

  @Route('fireSchedule')
  async fire(
    { tenantId, params: { schedule_id: id } }: EndpointRequest<'fireSchedule'>,
    @KeepingAnswer() keepAnswer: KeepAnswer,
  ) {
    return firingView(await this.schedules.fire(tenantId, id, keepView(keepAnswer, firingView)));
  }

  @Route('syncCollection')
  async sync(
    { tenantId, params: { collection_id: id }, body }: EndpointRequest<'syncCollection'>,
    @KeepingAnswer() keepAnswer: KeepAnswer,
  ) {
    return startedView(await this.schedules.sync(tenantId, id, body, keepView(keepAnswer, startedView)));
  }
}

export const isoTimes = (times: Date[]): string[] => times.map((time) => time.toISOString());

export const scheduleView = (row: Schedule) => view(scheduleSchema, row, startFields(row));

function startFields({ start }: Schedule) {
  const { run = null, saved_plan = null, sync = null } = start as Record<string, never>;
  return { start: run, saved_plan, sync };
}

const startedView = (row: ScheduleFiring) => ({ ...firingView(row), schedule_id: row.scheduleId });

function firingView(row: ScheduleFiring): z.infer<typeof firingSchema> {
  const problem = row.problem as { code: string; message: string; phrase?: never } | null;
  return view(firingSchema, row, {
    run_id: row.startedRunId,
    problem: problem && { code: problem.code, detail: problem.message, phrase: problem.phrase ?? null },
    result: row.result === null ? null : syncResultSchema.parse(row.result),
  });
}
