import { ProblemError } from '#contracts/errors.js';
import { phrase } from '#contracts/phrases/phrase.js';
import type { Caller } from '#db/repositories/tenants.js';
import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { CallerWatch } from '../auth/caller-watch.js';
import { goneSignal } from './event-stream.js';
import { RunsService } from './runs.service.js';
import type { RunView } from './views.js';

/** Answers requests that wait for their run (B5). */
@Injectable()
export class SettledRuns {
  constructor(
    private readonly runs: RunsService,
    private readonly callers: CallerWatch,
  ) {}

  /**
   * Returns the run as it is when it ends or waits for a person, or when the client disconnects.
   *
   * @param sync value of the request's parameter; without 1, the run is returned at once
   * @param until `end` for runs whose questions nobody needs to answer
   * @throws ProblemError `unauthorized` if the key ends during the wait
   */
  async answer(
    sync: '0' | '1',
    caller: Caller,
    started: RunView,
    reply: FastifyReply,
    until: 'end' | 'question' = 'question',
  ): Promise<RunView> {
    if (sync === '0') return started;
    const watched = this.callers.watch(caller);
    try {
      const ending = AbortSignal.any([goneSignal(reply), watched.signal]);
      const run = await this.runs.settled(caller.tenantId, started, ending, until);
      if (watched.signal.aborted) throw new ProblemError('unauthorized', phrase('unauthorized.stream'));
      return run;
    } finally {
      watched.stop();
    }
  }
}
