import type { GatewaySettings } from '#config/settings.js';
import type { JobQueues } from '#engine/queue/job-queues.js';
import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { FastifyAdapter } from '@bull-board/fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { OPERATOR_CHALLENGE } from '../auth/admin-credentials.js';
import { isOperator } from '../http/rate-limit.js';
import { answerFrameworkError } from '../http/problem.filter.js';
import { refuseOtherSites } from '../http/request-hooks.js';

const PATH = '/admin/queues';
/**
 * bull-board's page loads fonts from a third-party server. Removing the links keeps its visitors private;
 * system fonts suffice.
 */
const FOREIGN_FONTS = /<link\b[^>]*\bhref="https?:\/\/fonts\.[^>]*>/gi;
const COMPLETED = 'Completed jobs are removed immediately. The history and events of a run show its steps.';
/** Folder of the installed `@bull-board/ui` package. */
const PAGES = dirname(fileURLToPath(import.meta.resolve('@bull-board/ui/package.json')));

/**
 * Returns a hook that admits only the admin, by HTTP Basic, and refuses everyone if no password is configured.
 */
function adminOnly(fastify: FastifyInstance, settings: GatewaySettings) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    try {
      refuseOtherSites(request);
      if (await isOperator(fastify, request, reply, settings)) return;
    } catch (error) {
      answerFrameworkError(error as Error, request, reply);
      return reply;
    }
    await reply
      .status(401)
      .header('www-authenticate', OPERATOR_CHALLENGE)
      .send('Admin credentials are required.');
  };
}

/**
 * Serves bull-board with every queue under /admin/queues; every sub-path requires the admin's credentials.
 */
export async function serveBullBoard(
  fastify: FastifyInstance,
  queues: JobQueues,
  settings: GatewaySettings,
): Promise<void> {
  const adapter = new FastifyAdapter();
  createBullBoard({
    queues: queues.all().map((queue) => new BullMQAdapter(queue, { description: COMPLETED })),
    serverAdapter: adapter,
    options: { uiBasePath: PAGES },
  });
  adapter.setBasePath(PATH);
  await fastify.register(
    async (scope) => {
      scope.addHook('onRequest', adminOnly(fastify, settings));
      scope.addHook('onSend', async (_request, _reply, payload) =>
        typeof payload === 'string' ? payload.replace(FOREIGN_FONTS, '') : payload,
      );
      await scope.register(adapter.registerPlugin());
    },
    { prefix: PATH },
  );
}
