import { All, Controller, Req, Res, SetMetadata } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { CallerWatch } from '../auth/caller-watch.js';
import { AUDIENCE, type AuthenticatedRequest } from '../http/route.js';
import { refuseOtherSites } from '../http/request-hooks.js';
import { McpService } from './mcp.service.js';

/** `/mcp`: the service for MCP clients, over streamable HTTP. */
@Controller()
export class McpController {
  constructor(
    private readonly mcp: McpService,
    private readonly callers: CallerWatch,
  ) {}

  @All('mcp')
  @SetMetadata(AUDIENCE, 'mcp')
  async handle(@Req() request: AuthenticatedRequest, @Res() reply: FastifyReply) {
    const { caller } = request;
    refuseOtherSites(request);
    const disconnected = new AbortController();
    const watched = this.callers.watch(caller);
    reply.raw.once('close', () => {
      watched.stop();
      disconnected.abort();
    });
    const signal = AbortSignal.any([disconnected.signal, watched.signal]);
    const answer = await this.mcp.answer(webRequest(request, signal), request.body, {
      caller,
      requestId: request.id,
    });
    answer.headers.forEach((value, name) => void reply.header(name, value));
    // The library's streams say "no-cache", which allows caches to store them.
    reply.header('cache-control', 'no-store, no-transform');
    const body = answer.body && Readable.fromWeb(answer.body as ReadableStream);
    return reply.status(answer.status).send(body ?? '');
  }
}

/** Returns the request without its credentials, which only the guard needs. */
function webRequest({ method, url, headers }: FastifyRequest, signal: AbortSignal): Request {
  const kept = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' && name !== 'authorization' && name !== 'cookie' ? [[name, value]] : [],
  );
  return new Request(new URL(url, 'http://gateway'), { method, headers: kept, signal });
}
