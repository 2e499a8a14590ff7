import { endpoints, isStream, type Endpoint, type EndpointName } from '#catalogue/endpoints.js';
import { ProblemError } from '#contracts/errors.js';
import { phrase } from '#contracts/phrases/phrase.js';
import type { Database } from '#db/client.js';
import { asTenant, type PendingAudit } from '#db/tenant-scope.js';
import { storeResponse, type KeyedRequest } from '#engine/runs/idempotency.js';
import { DATABASE } from '#kit/runtime/infrastructure.module.js';
import { beginSpan, failSpan, isTracing, SpanKind, within } from '#telemetry/tracing.js';
import {
  Inject,
  Injectable,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
  type Provider,
} from '@nestjs/common';
import { APP_INTERCEPTOR, Reflector } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createHash } from 'node:crypto';
import { Observable, concatMap, from, lastValueFrom } from 'rxjs';
import { AuditService } from './audit.service.js';
import { type AuthenticatedRequest, ENDPOINT } from './route.js';
import { requestInProgress, runIdempotent } from './run-idempotent.js';

const begun = new WeakMap<FastifyRequest, ReturnType<typeof beginSpan>>();
/** Probes and scrapers request these every few seconds. */
const NOT_TRACED = /^\/(api\/health|metrics)/;

/**
 * Creates a span per request, named by its route's pattern, in the trace of the client's `traceparent`. Does
 * nothing if tracing is off.
 */
export function traceRequests(fastify: FastifyInstance): void {
  if (!isTracing()) return;
  fastify.addHook('onRequest', async (request) => {
    const route = request.routeOptions.url ?? 'unknown';
    if (NOT_TRACED.test(route)) return;
    const { traceparent } = request.headers;
    begun.set(
      request,
      beginSpan(`${request.method} ${route}`, {
        kind: SpanKind.SERVER,
        attributes: {
          'http.request.method': request.method,
          'http.route': route,
          'scriptorium.request_id': request.id,
        },
        parent: typeof traceparent === 'string' ? traceparent : null,
      }),
    );
  });
  fastify.addHook('onResponse', async (request, reply) => {
    const span = begun.get(request)?.span;
    if (!span) return;
    const { caller } = request as Partial<AuthenticatedRequest>;
    if (caller) span.setAttribute('scriptorium.tenant_id', caller.tenantId);
    span.setAttribute('http.response.status_code', reply.statusCode);
    if (reply.statusCode >= 500) failSpan(span, { code: String(reply.statusCode) });
    span.end();
  });
}

/** Runs the work of a request within its span. */
@Injectable()
class TraceInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const span = begun.get(context.switchToHttp().getRequest<FastifyRequest>());
    if (!span) return next.handle();
    return new Observable((subscriber) => within(span.context, () => next.handle().subscribe(subscriber)));
  }
}

/**
 * Runs every request with a caller in the scope of its tenant, so that row-level security applies to each
 * statement. Requests without a caller are open ones or the operator's.
 */
@Injectable()
class TenantScopeInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { caller } = context.switchToHttp().getRequest<Partial<AuthenticatedRequest>>();
    if (!caller) return next.handle();
    return new Observable((subscriber) =>
      asTenant(caller.tenantId, () => next.handle().subscribe(subscriber), caller.apiKeyId),
    );
  }
}

const KEY = /^[\x21-\x7e]{1,255}$/;

/** Hashes a request: a JSON body by its content, a multipart body, which is not read yet, by its length. */
function keyedRequest(request: AuthenticatedRequest, key: string): KeyedRequest {
  const content = request.isMultipart()
    ? request.headers['content-length']
    : JSON.stringify(request.body ?? null);
  const hash = createHash('sha256')
    .update([request.method, request.url, content].join('\n'))
    .digest('base64url');
  return { tenantId: request.caller.tenantId, key, hash };
}

/** Returns the body as it may be stored: without a secret that is shown once. */
const withoutSecret = (body: unknown, shownOnce = ''): unknown =>
  (body as Record<string, unknown>)[shownOnce] ? { ...(body as object), [shownOnce]: '(shown once)' } : body;

/**
 * Implements `Idempotency-Key` for every POST of a tenant, except streaming ones: a repeat does not execute
 * again but gets the first response, with the header `idempotent-replayed`. A refused request releases its
 * key.
 */
@Injectable()
class IdempotencyInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    @Inject(DATABASE) private readonly db: Database,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const name = this.reflector.get<EndpointName | undefined>(ENDPOINT, context.getHandler());
    const endpoint: Endpoint | undefined = name && endpoints[name];
    const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
    const key = request.headers['idempotency-key'];
    if (
      key === undefined ||
      endpoint?.method !== 'POST' ||
      endpoint.open ||
      endpoint.admin ||
      isStream(endpoint)
    )
      return next.handle();
    if (typeof key !== 'string' || !KEY.test(key)) {
      const errors = [{ path: 'Idempotency-Key', message: 'must be 1 to 255 visible ASCII characters' }];
      throw new ProblemError('invalid_request', phrase('invalid_request.idempotency_key'), errors);
    }
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    return from(this.once(request, keyedRequest(request, key), reply, name!, next));
  }

  private async once(
    http: AuthenticatedRequest,
    request: KeyedRequest,
    reply: FastifyReply,
    name: EndpointName,
    next: CallHandler,
  ): Promise<unknown> {
    const { status, shownOnce }: Endpoint = endpoints[name];
    let isKept = false;
    return runIdempotent<unknown>(this.db, request, {
      isRepeatable: isRepeatable(name),
      repeat: (kept) => {
        void reply.status(kept.status).header('idempotent-replayed', 'true');
        return kept.body;
      },
      work: async ({ attempt, seed }) => {
        http.idempotencySeed = seed;
        http.keepAnswer = async (tx, body) => {
          isKept = await storeResponse(tx, request, attempt, status, withoutSecret(body, shownOnce));
          if (!isKept) throw requestInProgress();
        };
        return lastValueFrom<unknown>(next.handle());
      },
      keep: async ({ attempt }, body) => {
        if (!isKept) await storeResponse(this.db, request, attempt, status, withoutSecret(body, shownOnce));
      },
    });
  }
}

type Endpoints = typeof endpoints;
type Posted = {
  [N in EndpointName]: Endpoints[N] extends { method: 'POST' }
    ? Endpoints[N] extends { admin: true } | { open: true | 'signed' }
      ? never
      : N
    : never;
}[EndpointName];
/** Endpoints that accept an `Idempotency-Key`: every POST of a tenant, except streaming ones. */
type KeyedName = Exclude<Posted, 'chatStream' | 'chatResume'>;

/** Reason why an interrupted request can be repeated; `null` if a repeat would take effect twice. */
const REPEATS: Record<KeyedName, 'derived ids' | 'kept with the answer' | 'same end state' | 'reads' | null> =
  {
    issueToken: 'reads',
    createKey: 'kept with the answer',
    rotateKey: 'kept with the answer',
    createSession: 'derived ids',
    uploadInputs: 'same end state',
    orderInputs: 'same end state',
    restoreCheckpoint: null,
    startRun: 'derived ids',
    exportDocument: 'derived ids',
    convertFiles: 'derived ids',
    cancelRun: 'same end state',
    giveEarlyAnswer: 'same end state',
    answerDecision: 'same end state',
    restoreSession: 'derived ids',
    forkSession: 'derived ids',
    promoteFork: 'derived ids',
    createBookProject: 'derived ids',
    stopBook: 'same end state',
    assistProfile: 'reads',
    createChapterOfProject: 'derived ids',
    createChapter: 'derived ids',
    restoreChapterVersion: null,
    decideParagraphs: 'same end state',
    addBookSource: 'same end state',
    uploadBookSources: 'same end state',
    createBookSource: 'same end state',
    createCollection: 'derived ids',
    addSources: 'same end state',
    addTranscript: 'same end state',
    searchKnowledge: 'reads',
    reindexKnowledge: 'same end state',
    importReferences: 'same end state',
    ingestCorpus: 'same end state',
    compareWithCorpus: 'reads',
    startPlan: 'derived ids',
    suggestPlan: 'reads',
    commandPlan: 'derived ids',
    resetToolGraph: null,
    createSavedPlan: 'derived ids',
    addSavedPlanVersion: 'same end state',
    runSavedPlan: 'derived ids',
    runPlanAgain: 'derived ids',
    checkTopic: 'reads',
    proposeChange: 'derived ids',
    acceptChange: 'same end state',
    rejectChange: 'same end state',
    startReview: 'derived ids',
    decideProposals: 'same end state',
    decideSessionProposals: 'same end state',
    finishReview: 'derived ids',
    createComment: 'derived ids',
    registerMcpServer: 'derived ids',
    addSecret: 'derived ids',
    refreshMcpServer: 'same end state',
    approveMcpTools: null,
    checkModel: 'same end state',
    setModelEndpoint: 'same end state',
    createWebhook: 'kept with the answer',
    createSchedule: 'kept with the answer',
    previewSchedule: 'reads',
    fireSchedule: 'kept with the answer',
    rotateTriggerSecret: 'same end state',
    syncCollection: 'kept with the answer',
    uploadWordTemplate: 'same end state',
    rotateWebhook: 'kept with the answer',
    testWebhook: null,
    enableWebhook: 'same end state',
    signIn: null,
    signOut: 'same end state',
    createSignInLink: null,
    createShare: null,
    createDecisionLink: null,
  };

/**
 * Returns whether repeating an interrupted request with the same seed leads to the same result as one
 * request.
 */
const isRepeatable = (name: EndpointName): boolean =>
  (REPEATS as Partial<Record<EndpointName, unknown>>)[name] !== null;

/**
 * Returns the resource of a request: the ids in its path, else the id in its response, else an empty string.
 */
export function resourceOf(params: unknown, answer?: unknown): string {
  const ids = Object.entries((params ?? {}) as Record<string, string>).filter(([name]) =>
    name.endsWith('_id'),
  );
  if (ids.length > 0) return ids.map(([, id]) => id).join('/');
  const { id } = (answer ?? {}) as { id?: unknown };
  return typeof id === 'string' ? id : '';
}

/**
 * Adds an audit entry for each change that a caller made, before the response is sent, unless the statement that made the
 * change has written it. Streaming endpoints write their own entries.
 */
@Injectable()
class AuditInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly audit: AuditService,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const action = this.reflector.get<EndpointName | undefined>(ENDPOINT, context.getHandler());
    const endpoint: Endpoint | undefined = action && endpoints[action];
    if (!action || !endpoint || endpoint.open || endpoint.method === 'GET' || isStream(endpoint))
      return next.handle();
    const { caller, params, id: requestId } = context.switchToHttp().getRequest<AuthenticatedRequest>();
    const recorded = (record: (answer: unknown) => Promise<void>) =>
      next.handle().pipe(
        concatMap(async (answer: unknown) => {
          await record(answer);
          return answer;
        }),
      );
    if (endpoint.admin)
      return recorded((answer) => this.audit.recordOperator(resourceOf(params, answer), action, requestId));
    const { tenantId, apiKeyId, tokenExpiresAt } = caller;
    const byToken = tokenExpiresAt !== null;
    const pending: PendingAudit = { actor: apiKeyId, byToken, action, requestId, isWritten: false };
    const work = () =>
      recorded(async (answer) => {
        if (pending.isWritten) return;
        const resource = resourceOf(params, answer) || apiKeyId;
        await this.audit.record(caller, { action, resource, outcome: 'done', requestId });
      });
    return new Observable((subscriber) =>
      asTenant(tenantId, () => work().subscribe(subscriber), apiKeyId, pending),
    );
  }
}

/**
 * What every request of the API passes around its handler, outermost first. All that a tenant's request does runs in the
 * tenant's scope. A repeated request is answered without being executed, so it is not audited again.
 */
export const INTERCEPTORS: Provider[] = [
  TraceInterceptor,
  TenantScopeInterceptor,
  IdempotencyInterceptor,
  AuditInterceptor,
].map((useClass) => ({ provide: APP_INTERCEPTOR, useClass }));
