import type { GatewaySettings } from '#config/settings.js';
import { ACCESS_CHANNEL } from '#db/repositories/kept-keys.js';
import { NotificationListener } from '#engine/events/listener.js';
import { EVENTS_CHANNEL } from '#engine/runs/event-log.js';
import { SOURCE_EVENTS_CHANNEL } from '#knowledge/gateway/source-feed.js';
import { JobQueues } from '#engine/queue/job-queues.js';
import { InfrastructureModule, type Infrastructure } from '#kit/runtime/infrastructure.module.js';
import { NestLogger } from '#telemetry/nest-logger.js';
import cookie from '@fastify/cookie';
import multipart from '@fastify/multipart';
import { Global, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import { SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { newId } from '#contracts/ids.js';
import { VERSION } from '#contracts/version.js';
import { countRequests } from '#gateway/http/rate-limit.js';
import { serveBullBoard } from '#gateway/admin/bull-board.js';
import type { GatewayFeature } from '#gateway/feature.js';
import { GatewayModule } from './gateway.module.js';
import { AuditService } from '#gateway/http/audit.service.js';
import { LinksService } from '#gateway/links/links.service.js';
import { serveLinks } from '#gateway/links/serve-links.js';
import { serveOAuth } from '#gateway/oauth/serve-oauth.js';
import { serveMetrics } from '#gateway/metrics/serve-metrics.js';
import { ProblemFilter, answerClientError, answerFrameworkError } from '#gateway/http/problem.filter.js';
import { addRequestHooks } from '#gateway/http/request-hooks.js';
import { traceRequests } from '#gateway/http/interceptors.js';
import { buildOpenApiDocument } from '#gateway/openapi/openapi.js';
import { serveStudio } from '#gateway/studio/serve-studio.js';
import { join } from 'node:path';

@Global()
@Module({})
class EventsModule {}

const BODY_LIMIT = 1024 * 1024;
/** Milliseconds within which the headers of a request must arrive. */
const HEADERS_MS = 20_000;
/** Fits a file name of 1,000 bytes, each of them percent-encoded. */
const MAX_PARAM_LENGTH = 3_000;
/** Output folder of the web studio in `npm run build`, next to the compiled apps. */
const STUDIO = join(import.meta.dirname, '../../studio');

/**
 * Builds the gateway without listening.
 *
 * @param listener wakes the event streams, and reports changes of access; it is connected here
 */
export async function createGateway(
  infrastructure: Infrastructure,
  settings: GatewaySettings,
  listener: NotificationListener,
  features: readonly GatewayFeature[],
): Promise<NestFastifyApplication> {
  await listener.listen(EVENTS_CHANNEL, SOURCE_EVENTS_CHANNEL, ACCESS_CHANNEL);
  const adapter = new FastifyAdapter({
    bodyLimit: BODY_LIMIT,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: MAX_PARAM_LENGTH },
    genReqId: () => newId('req'),
    trustProxy: settings.TRUSTED_PROXIES ?? false,
    forceCloseConnections: true,
    clientErrorHandler: answerClientError as never,
    frameworkErrors: answerFrameworkError as never,
    // Headers only: `addRequestHooks` watches bodies, since an upload may last as long as it makes progress.
    http: { headersTimeout: HEADERS_MS, connectionsCheckingInterval: HEADERS_MS / 2 },
  });
  const events = {
    module: EventsModule,
    providers: [{ provide: NotificationListener, useValue: listener }],
    exports: [NotificationListener],
  };
  const app = await NestFactory.create<NestFastifyApplication>(
    {
      ...GatewayModule.of(features),
      imports: [InfrastructureModule.of(infrastructure, settings), events],
    },
    adapter,
    // Fastify parses JSON; only the authorization server accepts forms.
    { logger: new NestLogger(infrastructure.log), bodyParser: false },
  );
  app.useGlobalFilters(new ProblemFilter(infrastructure.log));
  await app.register(multipart, {
    // Files are identified by their path; `FileIntake` checks it.
    preservePath: true,
    limits: {
      fileSize: settings.MAX_FILE_BYTES,
      files: settings.MAX_FILES_PER_SESSION,
      fieldSize: 64 * 1024,
      fields: 500,
    },
    throwFileSizeLimit: false,
  });
  await app.register(cookie);
  const fastify = adapter.getInstance<FastifyInstance>();
  await countRequests(fastify, settings, infrastructure.db);
  fastify.addHook('onRequest', async (request, reply) => void reply.header('x-request-id', request.id));
  traceRequests(fastify);
  addRequestHooks(fastify, settings.REQUEST_BODY_SECONDS * 1_000);
  const queues = app.get(JobQueues);
  await serveBullBoard(fastify, queues, settings);
  await serveOAuth(fastify, infrastructure.db, settings, app.get(AuditService));
  await serveLinks(fastify, app.get(LinksService), infrastructure.log);
  serveMetrics(fastify, { ...infrastructure, queues }, settings);
  // Built on the first request, because building takes a fifth of a second.
  SwaggerModule.setup('api/docs', app, () => buildOpenApiDocument(VERSION) as OpenAPIObject, {
    jsonDocumentUrl: 'api/openapi.json',
    customSiteTitle: 'Scriptorium API',
  });
  await serveStudio(fastify, STUDIO);
  return app;
}
