import { firingSchema, scheduleSchema, syncResultSchema } from '#catalogue/schedule-schemas.js';
import type { Schedule, ScheduleFiring } from '#db/repositories/schedules.js';
import { Controller, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import { countByAddress } from '../http/rate-limit.js';
import { KeepingAnswer, keepView, Route, type EndpointRequest, type KeepAnswer } from '../http/route.js';
import { jsonTextOf } from '../http/request-hooks.js';
import { view } from '../http/view.js';
import type { DeliveryHeaders } from '../webhooks/sender.js';
import { SchedulesService, type CreatedSchedule } from './schedules.service.js';

@Controller()
export class SchedulesController {
  constructor(private readonly schedules: SchedulesService) {}

  @Route('createSchedule')
  async create(
    { tenantId, body }: EndpointRequest<'createSchedule'>,
    @KeepingAnswer() keepAnswer: KeepAnswer,
  ) {
    return createdView(await this.schedules.create(tenantId, body, keepView(keepAnswer, createdView)));
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

  @Route('rotateTriggerSecret')
  async rotateSecret({ tenantId, params: { schedule_id: id } }: EndpointRequest<'rotateTriggerSecret'>) {
    return createdView(await this.schedules.rotateSecret(tenantId, id));
  }

  @Route('deliverEvent')
  async deliver(
    { params: { schedule_id: id }, raw: request }: EndpointRequest<'deliverEvent'>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const countWrong = () => countByAddress('failures', request.server, request, reply);
    const headers = request.headers as DeliveryHeaders;
    return firingView(await this.schedules.deliver(id, headers, jsonTextOf(request), countWrong));
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

const createdView = ({ row, secret }: CreatedSchedule) => ({ ...scheduleView(row), secret });

function startFields({ start, source }: Schedule) {
  const { run = null, saved_plan = null, sync = null } = start as Record<string, never>;
  return { start: run, saved_plan, sync, on: source as Record<string, never> | null };
}

const startedView = (row: ScheduleFiring) => ({ ...firingView(row), schedule_id: row.scheduleId });

function firingView(row: ScheduleFiring): z.infer<typeof firingSchema> {
  const { id, name } = { ...(row.event as { id?: string; name?: string } | null) };
  const problem = row.problem as { code: string; message: string; phrase?: never } | null;
  return view(firingSchema, row, {
    event: name ?? id ?? null,
    run_id: row.startedRunId,
    problem: problem && { code: problem.code, detail: problem.message, phrase: problem.phrase ?? null },
    result: row.result === null ? null : syncResultSchema.parse(row.result),
  });
}
