import type { GatewaySettings } from '#config/settings.js';
import type { JobQueues } from '#queue/job-queues.js';
import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { FastifyAdapter } from '@bull-board/fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createHash, timingSafeEqual } from 'node:crypto';

const PATH = '/admin/queues';
const digest = (text: string) => createHash('sha256').update(text).digest();

/** Lets only the admin in, by HTTP Basic; without a password in the settings nobody. */
function adminOnly({ ADMIN_USER, ADMIN_PASSWORD }: GatewaySettings) {
  const expected = ADMIN_PASSWORD === undefined ? null : digest(`${ADMIN_USER}:${ADMIN_PASSWORD}`);
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const [scheme, credentials] = (request.headers.authorization ?? '').split(' ');
    const given =
      scheme?.toLowerCase() === 'basic' ? Buffer.from(credentials ?? '', 'base64').toString('utf8') : '';
    if (expected && timingSafeEqual(expected, digest(given))) return;
    await reply
      .status(401)
      .header('www-authenticate', 'Basic realm="Scriptorium admin"')
      .send('Admin credentials are needed.');
  };
}

/** Serves bull-board with every queue under /admin/queues, behind the admin's credentials on every sub-path. */
export async function serveBullBoard(
  fastify: FastifyInstance,
  queues: JobQueues,
  settings: GatewaySettings,
): Promise<void> {
  const adapter = new FastifyAdapter();
  createBullBoard({ queues: queues.all().map((queue) => new BullMQAdapter(queue)), serverAdapter: adapter });
  adapter.setBasePath(PATH);
  await fastify.register(
    async (scope) => {
      scope.addHook('onRequest', adminOnly(settings));
      await scope.register(adapter.registerPlugin());
    },
    { prefix: PATH },
  );
}
