import { createHash } from 'node:crypto';
import { withoutQuery } from '#contracts/text.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { timeLimit } from '#contracts/wait.js';
import type { ToolsSettings } from '#config/settings.js';
import { McpServerRepository, type CallableServer, type McpServer } from '../store/mcp-servers.js';
import { DestinationGuard, systemResolver } from '#egress/destination.js';
import { guardedFetch } from '#egress/guarded-fetch.js';
import { SecretSeal, openSecrets } from '#egress/secret-seal.js';
import { SETTINGS } from '#kit/runtime/infrastructure.module.js';
import { KeyedSemaphore } from '#engine/tasks/locks.js';
import { serverTools } from '../tools/mcp/server-tool.js';
import { BrokenOffCallError, ToolCallError, type ToolDescription } from '../tools/tool.js';
import type { CallToolResult, Client, PriorDiscovery, RequestOptions } from '@modelcontextprotocol/client';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { z } from 'zod';
import { type OpenedServer, type Reach, KeptConnections } from './server-connection.js';
import { callResource } from './server-tools.js';
import { sanitizeServerText } from './sanitize-server-text.js';
import type { ServerProgress } from './throttled-progress.js';
import { baseName, normalizeSourceName } from '#contracts/source-name.js';
import { percentDecoded } from '#contracts/lenient.js';
import { extension } from 'mime-types';

/** A file in a result of a server: a picture, sound or embedded resource. */
interface ResultFile {
  name: string;
  /** File extension that fits the media type. */
  format: string;
  mediaType: string;
  bytes: Buffer;
  /** SHA-256 of the bytes. */
  sha256: string;
}

/** Returns the files in a result. Those without a name of their own are named after the tool and their content. */
export function resultFiles(content: CallToolResult['content'], tool: string): ResultFile[] {
  return content.flatMap((block) => {
    if (block.type === 'image' || block.type === 'audio')
      return [fileOf(Buffer.from(block.data, 'base64'), block.mimeType, tool)];
    if (block.type !== 'resource') return [];
    const { resource } = block;
    const bytes = 'blob' in resource ? Buffer.from(resource.blob, 'base64') : Buffer.from(resource.text);
    const fallback = 'blob' in resource ? 'application/octet-stream' : 'text/plain';
    return [fileOf(bytes, resource.mimeType ?? fallback, tool, resource.uri)];
  });
}

function fileOf(bytes: Buffer, mediaType: string, tool: string, uri?: string): ResultFile {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const format = extension(mediaType) || 'bin';
  const own = uri === undefined ? undefined : nameOf(uri);
  const stem = own ?? `${tool}-${sha256.slice(0, 8)}`;
  return { name: stem.includes('.') ? stem : `${stem}.${format}`, format, mediaType, bytes, sha256 };
}

/** Returns the last part of a URI if it can be the name of a file. */
function nameOf(uri: string): string | undefined {
  const path = withoutQuery(uri);
  const { name } = normalizeSourceName(percentDecoded(baseName(path)));
  return name === undefined ? undefined : baseName(name);
}

const KEPT_MS = 60_000;
const MOST_KEPT = 500;

type Registration = Pick<McpServer, 'id' | 'url' | 'secrets'>;

/**
 * Cache of servers' recent discovery results, so that not every call has to request them. Tools and their
 * hashes are never read from it.
 */
export class DiscoveryCache {
  private readonly kept = new Map<string, { prior: PriorDiscovery; of: Registration; until: number }>();

  constructor(private readonly now: () => number = Date.now) {}

  /** Returns the cached result for the same URL and credentials; undefined if the server must be asked. */
  of({ id, url, secrets }: Registration): PriorDiscovery | undefined {
    const known = this.kept.get(id);
    const isKnown = known?.of.url === url && known.of.secrets === secrets && known.until > this.now();
    return isKnown ? known.prior : undefined;
  }

  /** Caches the result of a successful use. Older protocol versions lack one, so each use needs a handshake. */
  remember({ id, url, secrets }: Registration, client: Pick<Client, 'getDiscoverResult'>): void {
    const discover = client.getDiscoverResult();
    if (!discover || this.of({ id, url, secrets })) return;
    this.kept.delete(id);
    if (this.kept.size >= MOST_KEPT) this.kept.delete(this.kept.keys().next().value!);
    const until = this.now() + KEPT_MS;
    this.kept.set(id, { prior: { kind: 'modern', discover }, of: { id, url, secrets }, until });
  }

  /** Drops the result after a failed use: the server may have changed. */
  forget({ id }: Pick<Registration, 'id'>): void {
    this.kept.delete(id);
  }
}

/** Maximum size of one server response, in bytes. */
const MAX_ANSWER_BYTES = 8 * 1024 * 1024;
const CONNECT_MS = 15_000;
/** Version of MCP since which no handshake precedes the first request; versions are dates. */
const FIRST_WITHOUT_HANDSHAKE = '2026-07-28';
/** Maximum number of concurrent calls of one worker to a server. */
const CALLS_AT_ONCE = 4;
/** Maximum length of a tool's own error message, in characters. */
const MAX_ERROR_CHARACTERS = 1_000;

const oauthSchema = z.object({ issuer: z.string(), client_id: z.string(), scope: z.string().optional() });

/** The part of a server that is needed to reach it. */
type ReachableServer = Pick<McpServer, 'id' | 'url' | 'command' | 'oauth' | 'secrets'>;

interface CallOptions {
  /** Run whose calls share a connection. */
  runId: string;
  signal: AbortSignal;
  onProgress?: (progress: ServerProgress) => void;
}

/** Result of a call: its data, and the files in it. */
export interface ServerResult {
  result: unknown;
  files: ResultFile[];
}

/** Approved tool of a tenant's server. */
interface FoundServerTool {
  description: ToolDescription;
  server: CallableServer;
  name: string;
}

/**
 * Finds and calls the tools of tenants' MCP servers. Server responses are treated as untrusted data. The client
 * library is loaded by the first use.
 */
@Injectable()
export class McpServers implements OnApplicationShutdown {
  private readonly seal: SecretSeal;
  private readonly calls = new KeyedSemaphore(CALLS_AT_ONCE);
  private readonly eras = new DiscoveryCache();
  private readonly kept = new KeptConnections();
  private readonly guard: DestinationGuard;

  constructor(
    @Inject(SETTINGS) private readonly settings: ToolsSettings,
    readonly rows: McpServerRepository,
  ) {
    this.seal = new SecretSeal(settings.TOKEN_SECRET, 'mcp');
    this.guard = new DestinationGuard(settings.EGRESS_ALLOW_PRIVATE, systemResolver, settings.EGRESS_PORTS);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.kept.close();
  }

  /** Returns the tool `server/tool` of a tenant; null unless its current description is approved. */
  async find(tenantId: string, fullName: string): Promise<FoundServerTool | null> {
    const [serverName = '', ...rest] = fullName.split('/');
    const name = rest.join('/');
    const server = await this.rows.findTool(tenantId, serverName, name);
    if (!server) return null;
    const [description] = serverTools([{ ...server, tools: [server.tool] }]);
    return description ? { description, server, name } : null;
  }

  /**
   * Calls a tool. Calls of a run share the process of a server that is a command.
   *
   * @param onProgress called with the progress of the call if the server reports it
   * @throws ToolCallError; BrokenOffCallError if the call was sent but got no usable response
   */
  async call(
    { server, name, description }: FoundServerTool,
    input: unknown,
    { runId, signal, onProgress = () => undefined }: CallOptions,
  ): Promise<ServerResult> {
    if (server.closedUntil && server.closedUntil.getTime() > Date.now())
      throw new ToolCallError('server_resting', phrase('tool_error.mcp_paused'));
    return this.calls.within(server.id, signal, async () => {
      let isSent = false;
      const callTool = async (client: Client, options: RequestOptions) => {
        const args = z.record(z.string(), z.unknown()).parse(input);
        isSent = true;
        const called =
          (await callResource(client, name, args, options)) ??
          (await client.callTool({ name, arguments: args }, { ...options, onprogress: onProgress }));
        this.eras.remember(server, client);
        return called;
      };
      const { timeoutMs } = description;
      const used =
        server.command === null
          ? this.use(server, signal, timeoutMs, callTool, this.eras.of(server))
          : this.kept.use(
              JSON.stringify([runId, server.id, server.command, server.secrets]),
              () => this.connect(server, timeLimit(CONNECT_MS), CONNECT_MS, undefined, priorOf(server)),
              (client) => callTool(client, { signal, timeout: timeoutMs, maxTotalTimeout: timeoutMs }),
            );
      const result = await used.catch(async (error: unknown) => {
        this.eras.forget(server);
        signal.throwIfAborted();
        const { ProtocolError } = await import('@modelcontextprotocol/client');
        if (error instanceof ProtocolError) throw failedTool(error.message);
        const { failureOf } = await import('./server-connection.js');
        const { code } = failureOf(error);
        await this.rows.noteCall(server.id, false);
        throw new (isSent ? BrokenOffCallError : ToolCallError)(
          `server_${code}`,
          phrase(`tool_error.mcp_${code}`),
        );
      });
      // The tool's effect counts even if this update fails, so it is not awaited. Usually the count is 0 and needs
      // no reset.
      if (server.failures > 0) void this.rows.noteCall(server.id, true).catch(() => undefined);
      return { result: resultOf(result), files: resultFiles(result.content, name) };
    });
  }

  /**
   * Connects, calls `act` and closes the connection.
   *
   * @param prior recent discovery result of the server
   * @throws ServerFailure, or the client's error
   */
  async use<T>(
    server: ReachableServer,
    signal: AbortSignal,
    timeoutMs: number,
    act: (client: Client, options: RequestOptions) => Promise<T>,
    prior?: PriorDiscovery,
  ): Promise<T> {
    const { failureOf } = await import('./server-connection.js');
    const broken = new AbortController();
    const onBroken = (error: Error) => broken.abort(error);
    const until = AbortSignal.any([signal, broken.signal]);
    const connecting = this.connect(server, until, timeoutMs, onBroken, prior);
    const client = await connecting.catch((error: unknown) => {
      throw broken.signal.aborted ? failureOf(broken.signal.reason) : error;
    });
    try {
      return await act(client, { signal: until, timeout: timeoutMs, maxTotalTimeout: timeoutMs });
    } catch (error) {
      throw broken.signal.aborted ? failureOf(broken.signal.reason) : error;
    } finally {
      await client.close().catch(() => undefined);
    }
  }

  /** @throws ServerFailure */
  private async connect(
    server: ReachableServer,
    until: AbortSignal,
    timeoutMs: number,
    onBroken: (error: Error) => void = () => undefined,
    prior?: PriorDiscovery,
  ): Promise<Client> {
    const { connectServer, ServerFailure } = await import('./server-connection.js');
    const opened = this.opened(server);
    if (!opened) throw new ServerFailure('unreadable_secrets');
    const reach: Reach = {
      fetch: guardedFetch(this.guard, { maxBytes: MAX_ANSWER_BYTES, timeoutMs, onBroken }),
      commands: this.settings.MCP_COMMANDS ?? {},
      maxMessageBytes: MAX_ANSWER_BYTES,
    };
    return connectServer(opened, reach, until, CONNECT_MS, prior);
  }

  /** Returns the server with its secrets; null if they can no longer be decrypted. */
  private opened({ id, url, command, oauth, secrets }: ReachableServer): OpenedServer | null {
    const opened = openSecrets(this.seal, id, secrets);
    return (
      opened && { url, command, oauth: oauth === null ? null : oauthSchema.parse(oauth), secrets: opened }
    );
  }
}

/**
 * Returns what is known about the protocol of a command. The library asks a process for its version and, if the
 * version is an older one, starts another process.
 */
const priorOf = ({ protocol }: CallableServer): PriorDiscovery | undefined =>
  protocol !== null && protocol < FIRST_WITHOUT_HANDSHAKE ? { kind: 'legacy' } : undefined;

type Block = CallToolResult['content'][number];

/**
 * Returns the data of a result: its structured content without the bytes of files, else its text.
 *
 * @throws ToolCallError `tool_error` if the tool reports an error
 */
export function resultOf({ content, structuredContent, isError }: CallToolResult): unknown {
  const text = content.map(textOf).join('\n');
  if (isError === true) throw failedTool(text);
  if (structuredContent === undefined) return { text };
  const names = new Map<unknown, string>(
    content.flatMap((block) => {
      const { data, blob } = { ...block, ...(block.type === 'resource' && block.resource) } as FileData;
      return [data, blob].filter(Boolean).map((bytes) => [bytes, `[${block.type}]`] as const);
    }),
  );
  if (names.size === 0) return structuredContent;
  return JSON.parse(JSON.stringify(structuredContent, (_, item) => names.get(item) ?? (item as unknown)));
}

/** Bytes of a picture, sound or resource in base64. */
interface FileData {
  data?: string;
  blob?: string;
}

function textOf(block: Block): string {
  if (block.type === 'text') return block.text;
  if (block.type === 'resource' && 'text' in block.resource) return String(block.resource.text);
  if (block.type === 'resource_link') return block.uri;
  return `[${block.type}]`;
}

/** Creates the error of a failed tool, with the server's own message. */
const failedTool = (text: string) =>
  new ToolCallError(
    'tool_error',
    sanitizeServerText(text, MAX_ERROR_CHARACTERS) || phrase('tool_error.failed'),
  );
