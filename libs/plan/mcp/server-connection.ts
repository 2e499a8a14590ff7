import type { McpCommands } from '#config/settings.js';
import type { McpServerError } from '../contract/mcp-schemas.js';
import { VERSION } from '#contracts/version.js';
import { RefusedUrlError } from '#egress/destination.js';
import { AnswerTimeoutError, AnswerTooLargeError, type GuardedFetch } from '#egress/guarded-fetch.js';
import type { ServerSecrets } from '#egress/secret-seal.js';
import { compiledModule } from '#kit/runtime/compiled-module.js';
import {
  Client,
  ClientCredentialsProvider,
  SdkError,
  SdkErrorCode,
  StreamableHTTPClientTransport,
  UnauthorizedError,
  type jsonSchemaValidator,
  type FetchLike,
  type PriorDiscovery,
  type Transport,
} from '@modelcontextprotocol/client';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';

const IDLE_MS = 60_000;
/** Maximum connections of a worker; beyond, idle ones are closed. */
const MAX_KEPT = 20;

interface Kept {
  client: Promise<Client>;
  users: number;
  idle: NodeJS.Timeout | undefined;
}

/** Connections that calls with the same key share, so that a plan starts the process of a server once. */
export class KeptConnections {
  private readonly kept = new Map<string, Kept>();

  /** @param idleMs time in ms after the last call until a connection is closed */
  constructor(private readonly idleMs = IDLE_MS) {}

  /** Calls `act` with the connection of the key, which is opened if there is none. */
  async use<T>(key: string, connect: () => Promise<Client>, act: (client: Client) => Promise<T>): Promise<T> {
    const connection = this.kept.get(key) ?? this.add(key, connect());
    clearTimeout(connection.idle);
    connection.users += 1;
    try {
      return await act(await connection.client);
    } catch (error) {
      // After an error of the protocol the server still answers; otherwise, other calls should not depend on it.
      const { ProtocolError } = await import('@modelcontextprotocol/client');
      if (!(error instanceof ProtocolError)) this.remove(key, connection);
      throw error;
    } finally {
      connection.users -= 1;
      if (connection.users === 0) this.rest(key, connection);
    }
  }

  /** Closes all connections. */
  async close(): Promise<void> {
    const all = [...this.kept.values()];
    this.kept.clear();
    for (const { idle } of all) clearTimeout(idle);
    await Promise.all(all.map(close));
  }

  private add(key: string, client: Promise<Client>): Kept {
    const added: Kept = { client, users: 0, idle: undefined };
    const idle = [...this.kept].find(([, { users }]) => users === 0);
    if (this.kept.size >= MAX_KEPT && idle) this.end(...idle);
    this.kept.set(key, added);
    // Not awaited: calls wait for the client, and a failure reaches them.
    void client.then(
      (opened) => (opened.onclose = () => this.remove(key, added)),
      () => this.remove(key, added),
    );
    return added;
  }

  private rest(key: string, connection: Kept): void {
    if (this.kept.get(key) !== connection) return this.end(key, connection);
    connection.idle = setTimeout(() => this.end(key, connection), this.idleMs).unref();
  }

  /** Makes later calls open another connection; the last user closes this one. */
  private remove(key: string, connection: Kept): void {
    if (this.kept.get(key) === connection) this.kept.delete(key);
  }

  private end(key: string, connection: Kept): void {
    clearTimeout(connection.idle);
    this.remove(key, connection);
    // Not awaited: `close` never rejects, and no call uses this connection.
    void close(connection);
  }
}

const close = ({ client }: Kept): Promise<void> =>
  client.then(
    (opened) => opened.close().catch(() => undefined),
    () => undefined,
  );

/** Runs a command in a separate process group. */
const PROCESS_GROUP = new URL('./process-group.js', import.meta.url);

/** The client would compile the schemas of a tenant's server on the event loop (X20); results are not checked by them. */
const NO_VALIDATOR: jsonSchemaValidator = {
  getValidator: () => (data) => ({ valid: true, data: data as never, errorMessage: undefined }),
};

/** Server with its decrypted secrets. */
export interface OpenedServer {
  url: string | null;
  command: string | null;
  oauth: { issuer: string; client_id: string; scope?: string | undefined } | null;
  secrets: ServerSecrets;
}

/** Means of reaching servers. */
export interface Reach {
  /** Checks each address and limits each response. */
  fetch: GuardedFetch;
  commands: McpCommands;
  /** Maximum size in bytes of a message from a server on this machine. */
  maxMessageBytes: number;
}

/** A server could not be used; contains nothing that the server sent. */
export class ServerFailure extends Error {
  override readonly name = 'ServerFailure';

  constructor(readonly code: McpServerError) {
    super(code);
  }
}

/**
 * Connects to a tenant's server: over streamable HTTP with either generation of MCP, or over stdio to a
 * command configured by the operator. The caller must close the client.
 *
 * @param prior recent discovery result of the server; without it, the server is asked
 * @throws ServerFailure
 */
export async function connectServer(
  server: OpenedServer,
  reach: Reach,
  signal: AbortSignal,
  timeoutMs: number,
  prior?: PriorDiscovery,
): Promise<Client> {
  const client = new Client(
    { name: 'scriptorium', version: VERSION },
    { versionNegotiation: { mode: 'auto', probe: { timeoutMs } }, jsonSchemaValidator: NO_VALIDATOR },
  );
  let transport: Transport | undefined;
  // The client's first request, which negotiates the protocol version, ignores the signal.
  const stop = () => void transport?.close().catch(() => undefined);
  signal.addEventListener('abort', stop, { once: true });
  try {
    signal.throwIfAborted();
    transport = transportOf(server, reach);
    await client.connect(transport, {
      signal,
      timeout: timeoutMs,
      maxTotalTimeout: timeoutMs,
      ...(prior ? { prior } : {}),
    });
    return client;
  } catch (error) {
    await client.close().catch(() => undefined);
    throw failureOf(error);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

function transportOf({ url, command, oauth, secrets }: OpenedServer, reach: Reach): Transport {
  if (url === null) return stdioOf(command!, reach);
  const authProvider =
    oauth &&
    new ClientCredentialsProvider({
      clientId: oauth.client_id,
      clientSecret: secrets.client_secret ?? '',
      ...(oauth.scope === undefined ? {} : { scope: oauth.scope }),
      expectedIssuer: oauth.issuer,
    });
  // The headers are sent only to the URL's origin; a redirect to another origin fails.
  return new StreamableHTTPClientTransport(new URL(url), {
    fetch: withHeadersFor(new URL(url).origin, secrets.headers, reach.fetch),
    ...(authProvider ? { authProvider } : {}),
    reconnectionOptions: {
      maxRetries: 0,
      initialReconnectionDelay: 1_000,
      maxReconnectionDelay: 1_000,
      reconnectionDelayGrowFactor: 1,
    },
  });
}

/**
 * Adds a tenant's headers only to requests to its server, not to others such as an authorization server that
 * the server names.
 */
function withHeadersFor(origin: string, own: Record<string, string>, fetch: GuardedFetch): FetchLike {
  return (target, init) => {
    const headers = new Headers(init?.headers);
    if (new URL(target).origin === origin)
      for (const [name, value] of Object.entries(own)) if (!headers.has(name)) headers.set(name, value);
    return fetch(target, { ...init, headers } as Parameters<GuardedFetch>[1]);
  };
}

function stdioOf(name: string, { commands, maxMessageBytes }: Reach): Transport {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) throw new ServerFailure('unknown_command');
  return new StdioClientTransport({
    // Ends the command's child processes together with it.
    command: process.execPath,
    args: [fileURLToPath(compiledModule(PROCESS_GROUP)), command.command, ...command.args],
    // Pass on none of this process's environment: it contains the operator's secrets.
    env: { ...getDefaultEnvironment(), ...command.env },
    cwd: tmpdir(),
    stderr: 'ignore',
    maxBufferSize: maxMessageBytes,
  });
}

/** Maps an error between this worker and a server to a failure code. */
export function failureOf(error: unknown): ServerFailure {
  for (let cause: unknown = error, depth = 0; cause instanceof Error && depth < 5; depth++) {
    const code = codeOf(cause);
    if (code) return new ServerFailure(code);
    cause = cause.cause;
  }
  return new ServerFailure('unreachable');
}

const SDK_FAILURES: Partial<Record<SdkErrorCode, McpServerError>> = {
  [SdkErrorCode.RequestTimeout]: 'timeout',
  [SdkErrorCode.ClientHttpAuthentication]: 'unauthorized',
  [SdkErrorCode.ClientHttpForbidden]: 'unauthorized',
  [SdkErrorCode.ClientHttpUnexpectedContent]: 'invalid_answer',
  [SdkErrorCode.InvalidResult]: 'invalid_answer',
  [SdkErrorCode.UnsupportedResultType]: 'invalid_answer',
  [SdkErrorCode.EraNegotiationFailed]: 'invalid_answer',
};

function codeOf(error: Error): McpServerError | null {
  if (error instanceof ServerFailure) return error.code;
  if (error instanceof RefusedUrlError) return 'refused_address';
  if (error instanceof AnswerTooLargeError) return 'too_large';
  if (error instanceof AnswerTimeoutError || error.name === 'TimeoutError') return 'timeout';
  if (error instanceof UnauthorizedError) return 'unauthorized';
  if (error instanceof SyntaxError || error.name === 'ZodError') return 'invalid_answer';
  return error instanceof SdkError ? (SDK_FAILURES[error.code] ?? null) : null;
}
