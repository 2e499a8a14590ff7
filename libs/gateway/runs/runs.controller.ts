import { eventPosition } from '#catalogue/endpoints/runs.js';
import { Controller, Headers, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { CallerWatch } from '../auth/caller-watch.js';
import { IdFromKey, Route, type EndpointRequest } from '../http/route.js';
import { goneSignal, sendEvents } from './event-stream.js';
import { RunsService, SettledRuns } from './runs.service.js';

@Controller()
export class RunsController {
  constructor(
    private readonly runs: RunsService,
    private readonly callers: CallerWatch,
    private readonly settled: SettledRuns,
  ) {}

  @Route('startRun')
  async start(
    { caller, body, query: { sync } }: EndpointRequest<'startRun'>,
    @IdFromKey('run') runId: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const run = await this.runs.start(caller.tenantId, body, runId);
    return this.settled.answer(sync, caller, run, reply);
  }

  @Route('listRuns')
  list({ tenantId, query }: EndpointRequest<'listRuns'>) {
    return this.runs.list(tenantId, query);
  }

  @Route('getRun')
  get({ tenantId, params: { run_id: runId } }: EndpointRequest<'getRun'>) {
    return this.runs.read(tenantId, runId);
  }

  @Route('followRun')
  async follow(
    {
      caller,
      params: { run_id: runId },
      query: { after, past_end: pastEnd },
      raw: request,
    }: EndpointRequest<'followRun'>,
    @Headers('last-event-id') lastEventId: string | undefined,
    @Res() reply: FastifyReply,
  ) {
    await this.runs.requireId(caller.tenantId, runId);
    const last = eventPosition.safeParse(lastEventId).data ?? after;
    const watched = this.callers.watch(caller);
    try {
      const until = AbortSignal.any([goneSignal(reply), watched.signal]);
      const events = this.runs.follow(runId, last, until, pastEnd === '1');
      await sendEvents(request.url, reply, events, watched.signal);
    } finally {
      watched.stop();
    }
  }

  @Route('cancelRun')
  cancel({ tenantId, params: { run_id: runId } }: EndpointRequest<'cancelRun'>) {
    return this.runs.cancel(tenantId, runId);
  }
}
