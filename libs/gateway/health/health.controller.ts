import { Controller, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Route, type EndpointRequest } from '../http/route.js';
import { Dependencies } from './dependencies.js';

/** Health for people, load balancers and probes. Open, so it names no host and no cause. */
@Controller()
export class HealthController {
  constructor(private readonly dependencies: Dependencies) {}

  @Route('health')
  async health(_: EndpointRequest<'health'>, @Res() reply: FastifyReply) {
    const [checks, migrations] = await Promise.all([
      this.dependencies.states(),
      this.dependencies.migrations(),
    ]);
    const ok = Object.values(checks).every(Boolean) && migrations === 'applied';
    return reply.status(ok ? 200 : 503).send({ status: ok ? 'ok' : 'unavailable', checks });
  }

  @Route('live')
  live() {
    return { status: 'alive' };
  }

  @Route('ready')
  async ready(_: EndpointRequest<'ready'>, @Res() reply: FastifyReply) {
    const [{ database, queue, store }, migrations] = await Promise.all([
      this.dependencies.states(),
      this.dependencies.migrations(),
    ]);
    const isReady = database && queue && store && migrations === 'applied';
    const state = (isUp: boolean) => (isUp ? 'up' : 'down');
    return reply.status(isReady ? 200 : 503).send({
      status: isReady ? 'ready' : 'not_ready',
      checks: { postgres: state(database), queue: state(queue), store: state(store), migrations },
    });
  }
}
