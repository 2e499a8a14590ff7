import { ProblemError } from '#contracts/errors.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { ExportRepository } from '#db/repositories/exports.js';
import { SessionResultRepository } from '#db/repositories/session-results.js';
import { SessionRepository, type Session } from '#db/repositories/sessions.js';
import type {
  McpServer,
  ReadResourceResult,
  Resource,
  ResourceLink,
  ResourceTemplate,
} from '@modelcontextprotocol/server';
import { Injectable } from '@nestjs/common';
import { charset } from 'mime-types';
import { isUtf8 } from 'node:buffer';
import { buffer, text } from 'node:stream/consumers';
import type { Readable } from 'node:stream';
import { mediaTypeOf, ResultsService } from '../results/results.service.js';

/** Number of sessions whose resources are listed, newest first; resources of older sessions are read by URI. */
const LISTED_SESSIONS = 20;
/** Maximum bytes of a resource; larger ones are downloaded over the API. */
const MAX_BYTES = 8 * 1024 * 1024;

const MARKDOWN = 'text/markdown';
const JSON_TYPE = 'application/json';

type Contents = ReadResourceResult['contents'][number];

/** Manuscripts, ledgers and exports as resources of `/mcp`. */
@Injectable()
export class McpResources {
  constructor(
    private readonly results: ResultsService,
    private readonly sessions: SessionRepository,
    private readonly found: SessionResultRepository,
    private readonly exports: ExportRepository,
  ) {}

  /** Registers the resources that a tenant may read. */
  async register(server: McpServer, tenantId: string): Promise<void> {
    // One template lists all resources; the others list none, to avoid duplicates.
    const all = { list: async () => ({ resources: await this.list(tenantId) }) };
    await this.add(server, 'manuscript', MARKDOWN, all, async (uri, { session_id: id = '' }) => {
      const { text: stream } = await this.results.manuscript(tenantId, id);
      return { uri, mimeType: MARKDOWN, text: await text(limited(stream)) };
    });
    await this.add(server, 'ledger', JSON_TYPE, { list: undefined }, async (uri, { session_id: id = '' }) => {
      const stream = await this.results.ledger(tenantId, id);
      return { uri, mimeType: JSON_TYPE, text: await text(limited(stream)) };
    });
    await this.add(server, 'export', undefined, { list: undefined }, async (uri, ids) => {
      const { row, bytes } = await this.results.export(
        tenantId,
        ids['session_id'] ?? '',
        ids['export_id'] ?? '',
      );
      const mimeType = mediaTypeOf(row);
      const content = await buffer(limited(bytes));
      return { uri, mimeType, ...textOrBlob(mimeType, content) };
    });
  }

  /** Returns links to the results in the session of an answered run, which clients show and fetch. */
  async links(tenantId: string, answer: Record<string, unknown>): Promise<ResourceLink[]> {
    const { session_id: sessionId = (answer['run'] as { session_id?: string } | undefined)?.session_id } =
      answer as { session_id?: string };
    const session = sessionId === undefined ? null : await this.sessions.find(tenantId, sessionId);
    const resources = session ? await this.ofSession(tenantId, session) : [];
    return resources.map((resource) => ({ type: 'resource_link', ...resource }));
  }

  private async add(
    server: McpServer,
    name: keyof typeof resourceTemplates,
    mimeType: string | undefined,
    callbacks: ConstructorParameters<typeof ResourceTemplate>[1],
    read: (uri: string, ids: Record<string, string>) => Promise<Contents>,
  ): Promise<void> {
    const { ResourceNotFoundError, ResourceTemplate } = await import('@modelcontextprotocol/server');
    const metadata = {
      description: DESCRIPTIONS[name],
      ...(mimeType === undefined ? {} : { mimeType }),
    };
    const template = new ResourceTemplate(resourceTemplates[name], callbacks);
    server.registerResource(name, template, metadata, async ({ href }, ids) => {
      try {
        return { contents: [await read(href, ids as Record<string, string>)] };
      } catch (error) {
        if (error instanceof ProblemError) throw new ResourceNotFoundError(href, error.detail);
        throw error;
      }
    });
  }

  private async list(tenantId: string): Promise<Resource[]> {
    const sessions = await this.sessions.page(tenantId, { take: LISTED_SESSIONS });
    return (await Promise.all(sessions.map((session) => this.ofSession(tenantId, session)))).flat();
  }

  private async ofSession(tenantId: string, { id, title }: Session): Promise<Resource[]> {
    const [results, exports] = await Promise.all([
      this.found.list(tenantId, id),
      this.exports.list(tenantId, id),
    ]);
    const names = new Set(results.map(({ name }) => name));
    const manuscript = { uri: manuscriptUri(id), name: 'manuscript.md', mimeType: MARKDOWN };
    const ledger = { uri: ledgerUri(id), name: 'ledger.json', mimeType: JSON_TYPE };
    const about = title ?? id;
    return [
      ...(names.has('manuscript') ? [{ ...manuscript, title: `Manuscript of ${about}` }] : []),
      ...(names.has('ledger') ? [{ ...ledger, title: `Ledger of ${about}` }] : []),
      ...exports.map((row) => ({
        uri: exportUri(id, row.id),
        name: row.name,
        mimeType: mediaTypeOf(row),
        size: row.size,
      })),
    ];
  }
}

const DESCRIPTIONS: Record<keyof typeof resourceTemplates, string> = {
  manuscript: 'The current manuscript of a session',
  ledger: 'The ledger of a session, which traces each source line',
  export: 'A file for download: Word, PDF, EPUB',
};

/** Returns a text as text if it is valid UTF-8: other encodings, such as that of a CSV file for Excel, must stay as they are. */
export const textOrBlob = (mimeType: string, content: Buffer): { text: string } | { blob: string } =>
  charset(mimeType) === 'UTF-8' && isUtf8(content)
    ? { text: content.toString() }
    : { blob: content.toString('base64') };

/** Passes bytes through. @throws ProblemError `file_too_large` once the limit is exceeded */
async function* limited(stream: Readable): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) throw new ProblemError('file_too_large', phrase('file_too_large.resource'));
    yield chunk;
  }
}

/** URIs of the resources of `/mcp`. IDs come from the service, so they need no escaping. */
const SESSIONS = 'scriptorium://sessions';

export const manuscriptUri = (sessionId: string) => `${SESSIONS}/${sessionId}/manuscript`;
export const ledgerUri = (sessionId: string) => `${SESSIONS}/${sessionId}/ledger`;
export const exportUri = (sessionId: string, exportId: string) =>
  `${SESSIONS}/${sessionId}/exports/${exportId}`;

/** The same URIs as templates (RFC 6570). */
const resourceTemplates = {
  manuscript: manuscriptUri('{session_id}'),
  ledger: ledgerUri('{session_id}'),
  export: exportUri('{session_id}', '{export_id}'),
};
