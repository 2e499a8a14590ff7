import type { GatewaySettings } from '#config/settings.js';
import { MAX_MCP_SERVERS, type McpServerChange, type NewMcpServer } from '../contract/mcp-schemas.js';
import { ProblemError } from '#contracts/errors.js';
import { phrase } from '#contracts/phrases/phrase.js';
import { newId } from '#contracts/ids.js';
import {
  McpServerRepository,
  type McpServer,
  type McpServerRowChange,
  type McpServerWithTools,
} from '../store/mcp-servers.js';
import { DestinationGuard, RefusedUrlError, systemResolver } from '#egress/destination.js';
import { openSecrets, sealSecrets, type ServerSecrets, SecretSeal } from '#egress/secret-seal.js';
import { SETTINGS } from '#kit/runtime/infrastructure.module.js';
import { Inject, Injectable } from '@nestjs/common';

/** MCP servers of a tenant. The gateway only stores them; workers send the requests. */
@Injectable()
export class McpServersService {
  private readonly guard: DestinationGuard;
  private readonly seal: SecretSeal;

  constructor(
    @Inject(SETTINGS) settings: GatewaySettings,
    private readonly servers: McpServerRepository,
  ) {
    this.guard = new DestinationGuard(settings.EGRESS_ALLOW_PRIVATE, systemResolver, settings.EGRESS_PORTS);
    this.seal = new SecretSeal(settings.TOKEN_SECRET, 'mcp');
  }

  /** @throws ProblemError `mcp_server_refused`, `mcp_server_exists`, `too_many_mcp_servers` */
  async register(tenantId: string, server: NewMcpServer, givenId?: string): Promise<McpServer> {
    const id = givenId ?? newId('mcp');
    const existing = await this.servers.find(tenantId, id);
    if (existing) return existing;
    const { name, url, command, headers, oauth } = server;
    const made = await this.servers.create(tenantId, {
      id,
      name,
      url: url === undefined ? null : await this.checked(url),
      command: command ?? null,
      headerNames: Object.keys(headers),
      oauth: publicPart(oauth),
      secrets: sealSecrets(this.seal, id, secretsOf(headers, oauth)),
      allowedTools: server.allowed_tools,
      sideEffects: server.side_effects,
    });
    if (made === 'exists')
      throw new ProblemError('mcp_server_exists', phrase('mcp_server_exists.name', { name }));
    if (made === 'too_many')
      throw new ProblemError(
        'too_many_mcp_servers',
        phrase('too_many_mcp_servers.max', { max: MAX_MCP_SERVERS }),
      );
    return made;
  }

  private async checked(url: string): Promise<string> {
    try {
      return (await this.guard.check(url)).url.href;
    } catch (error) {
      if (error instanceof RefusedUrlError) throw new ProblemError('mcp_server_refused', error.phrase);
      throw error;
    }
  }

  list(tenantId: string): Promise<McpServer[]> {
    return this.servers.list(tenantId);
  }

  /** @throws ProblemError `not_found` */
  async require(tenantId: string, id: string): Promise<McpServerWithTools> {
    const server = await this.servers.find(tenantId, id);
    if (!server) throw new ProblemError('not_found', phrase('not_found.mcp_server'));
    return server;
  }

  /** @throws ProblemError `not_found` */
  async change(tenantId: string, id: string, change: McpServerChange): Promise<McpServerWithTools> {
    const { secrets } = await this.require(tenantId, id);
    const { headers, oauth, allowed_tools: allowedTools, side_effects: sideEffects } = change;
    const row: McpServerRowChange = {};
    if (allowedTools !== undefined) row.allowedTools = allowedTools;
    if (sideEffects !== undefined) row.sideEffects = sideEffects;
    if (headers !== undefined) row.headerNames = Object.keys(headers);
    if (oauth !== undefined) row.oauth = publicPart(oauth);
    if (headers !== undefined || oauth !== undefined) {
      // Secrets that can no longer be decrypted are replaced by the ones sent.
      const before: ServerSecrets = openSecrets(this.seal, id, secrets) ?? { headers: {} };
      row.secrets = sealSecrets(this.seal, id, {
        headers: headers ?? before.headers,
        client_secret: oauth === undefined ? before.client_secret : oauth?.client_secret,
      });
    }
    await this.servers.change(tenantId, id, row);
    if (row.secrets !== undefined) await this.servers.refresh(tenantId, id);
    return this.require(tenantId, id);
  }

  /** @throws ProblemError `not_found` */
  async remove(tenantId: string, id: string): Promise<void> {
    if (!(await this.servers.remove(tenantId, id))) await this.require(tenantId, id);
  }

  /** @throws ProblemError `not_found` */
  async refresh(tenantId: string, id: string): Promise<McpServer> {
    await this.servers.refresh(tenantId, id);
    return this.require(tenantId, id);
  }

  /** @throws ProblemError `not_found`, also for a tool that the server lacks */
  async approve(tenantId: string, id: string, tools: string[]): Promise<McpServerWithTools> {
    const known = new Set((await this.require(tenantId, id)).tools.map(({ name }) => name));
    const unknown = tools.find((name) => !known.has(name));
    if (unknown !== undefined)
      throw new ProblemError('not_found', phrase('not_found.tool_of_server', { tool: unknown }));
    await this.servers.approve(tenantId, id, tools);
    return this.require(tenantId, id);
  }
}

type Oauth = NonNullable<NewMcpServer['oauth']>;

/** Returns the part of the credentials that may be shown. */
function publicPart(oauth: Oauth | null | undefined): object | null {
  if (!oauth) return null;
  const { client_secret: _, ...shown } = oauth;
  return shown;
}

const secretsOf = (headers: Record<string, string>, oauth: Oauth | undefined): ServerSecrets => ({
  headers,
  client_secret: oauth?.client_secret,
});
