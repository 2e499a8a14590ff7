import { endpoints, scopeOf, type Endpoint } from '#catalogue/endpoints.js';
import { missingScope } from '../http/api-key.guard.js';
import type { Caller } from '#db/repositories/tenants.js';
import { LOGGER } from '#kit/runtime/infrastructure.module.js';
import type { Logger } from '#telemetry/logger.js';
import type {
  CallToolResult,
  InputRequiredResult,
  McpHttpHandler,
  McpServer,
  ServerContext,
  StandardSchemaWithJSON,
} from '@modelcontextprotocol/server';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { AuditService } from '../http/audit.service.js';
import { problemOf } from '../http/problem.filter.js';
import {
  MCP_TOOLS,
  type McpCall,
  type McpTool,
  askPersonIn,
  PersonAskedError,
  questionResult,
} from './mcp-tool.js';
import { McpResources } from './resources.js';
import { isObject } from '#contracts/lenient.js';
import { VERSION } from '#contracts/version.js';
import { z } from 'zod';

type JsonSchema = z.core.JSONSchema.JSONSchema;

/** Keywords that fill a listed schema without telling a model anything that it can use. */
const NOISE = new Set(['$schema', 'propertyNames', 'minLength', 'maxLength', 'contentEncoding']);

/**
 * Returns the schema of a tool's arguments as `tools/list` shows it: complete, but without lengths, patterns
 * of named formats, bounds that every JavaScript integer has, and a mark of nested objects that are closed.
 */
export const listedInput = (schema: z.ZodObject): StandardSchemaWithJSON =>
  listedAs(schema, withoutNoise(z.toJSONSchema(schema, { io: 'input' })) as JsonSchema);

/**
 * Returns the schema of a tool's result as `tools/list` shows it: only the types of its fields, because
 * the lists of all tools fill the window of the client's model. Results are checked by the whole schema.
 */
export function listedOutput(schema: z.ZodObject): StandardSchemaWithJSON {
  const { properties = {}, $defs = {} } = z.toJSONSchema(schema, { io: 'output' });
  const fields = Object.entries(properties).map(([name, field]) => {
    const types = [...new Set(typesOf(field, $defs))];
    const isTyped = types.length > 0 && !types.includes(undefined);
    return [name, isTyped ? { type: types.length > 1 ? types : types[0] } : {}];
  });
  return listedAs(schema, { type: 'object', properties: Object.fromEntries(fields) as typeof properties });
}

/** Returns a schema that validates like `schema` and is listed as `shown`. */
function listedAs(schema: z.ZodObject, shown: JsonSchema): StandardSchemaWithJSON {
  const { version, vendor, validate } = schema['~standard'];
  const show = () => shown as Record<string, unknown>;
  return { '~standard': { version, vendor, validate, jsonSchema: { input: show, output: show } } };
}

/** Returns the types that a value can have; undefined stands for a type that the schema does not name. */
function typesOf(schema: JsonSchema | boolean, defs: Record<string, JsonSchema>): (string | undefined)[] {
  if (typeof schema === 'boolean') return [undefined];
  const { $ref, anyOf, oneOf, type } = schema;
  if ($ref !== undefined) return typesOf(defs[$ref.slice('#/$defs/'.length)] ?? true, defs);
  const alternatives = anyOf ?? oneOf;
  return alternatives ? alternatives.flatMap((each) => typesOf(each, defs)) : [type].flat();
}

function withoutNoise(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNoise);
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(
    ([key, part]) =>
      !NOISE.has(key) &&
      !(key === 'pattern' && 'format' in value) &&
      Math.abs(Number(part)) !== Number.MAX_SAFE_INTEGER,
  );
  return Object.fromEntries(kept.map(([key, part]) => [key, closedOnTop(withoutNoise(part))]));
}

/** Leaves out of a nested schema that it allows no other fields, which its fields show. */
function closedOnTop(schema: unknown): unknown {
  if (!isObject(schema) || schema['additionalProperties'] !== false) return schema;
  const { additionalProperties: _, ...rest } = schema;
  return rest;
}

const INSTRUCTIONS = `Scriptorium writes faithful, structured documents and runs plans of tools.
Calls that start a run wait a short time for its end and return its state; poll get_run for longer runs.
If a plan returns approval_required, decide and continue with approval_response, continue_plan, replan or abort_plan.
Approvals and questions are put to the person; call approval_response or answer_decision to have the person asked.
Use list_collections before search_knowledge.`;

/** Caller of a request to `/mcp`, and the ID under which the request is logged. */
type McpRequester = { caller: Caller; requestId: string };

/**
 * MCP server of the gateway, without sessions: supports the specification of 2026-07-28 and its predecessors.
 * Its library is loaded by the first request.
 */
@Injectable()
export class McpService implements OnApplicationShutdown {
  private handler: Promise<McpHttpHandler> | undefined;

  constructor(
    @Inject(MCP_TOOLS) private readonly tools: readonly McpTool[],
    private readonly resources: McpResources,
    private readonly audit: AuditService,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  async onApplicationShutdown(): Promise<void> {
    await (await this.handler)?.close();
  }

  /** Answers a request after its caller was authenticated. */
  async answer(
    request: Request,
    parsedBody: unknown,
    { caller, requestId }: McpRequester,
  ): Promise<Response> {
    // Pass on no credential: only the guard needs it.
    const authInfo = {
      token: '',
      clientId: caller.apiKeyId,
      scopes: [...caller.scopes],
      extra: { caller, requestId },
    };
    this.handler ??= this.createHandler();
    return (await this.handler).fetch(request, {
      authInfo,
      ...(parsedBody === undefined ? {} : { parsedBody }),
    });
  }

  private async createHandler(): Promise<McpHttpHandler> {
    const { createMcpHandler } = await import('@modelcontextprotocol/server');
    const listed = this.tools.map(listedTool);
    return createMcpHandler(({ authInfo }) => this.serverFor(listed, authInfo!.extra! as McpRequester), {
      onerror: (error) => this.log.debug({ err: error }, 'rejected a request to /mcp'),
    });
  }

  private async serverFor(
    listed: ReturnType<typeof listedTool>[],
    requester: McpRequester,
  ): Promise<McpServer> {
    const { McpServer } = await import('@modelcontextprotocol/server');
    const server = new McpServer({ name: 'scriptorium', version: VERSION }, { instructions: INSTRUCTIONS });
    for (const { tool, config } of listed)
      server.registerTool(tool.name, config, (input: unknown, context: ServerContext) =>
        this.call(tool, input, requester, context),
      );
    await this.resources.register(server, requester.caller.tenantId);
    return server;
  }

  private async call(
    tool: McpTool,
    input: unknown,
    { caller, requestId }: McpRequester,
    context: ServerContext,
  ): Promise<CallToolResult | InputRequiredResult> {
    const { mcpReq } = context;
    const token = mcpReq._meta?.progressToken;
    const report: McpCall['report'] = async (progress, message) => {
      if (token === undefined || mcpReq.signal.aborted) return;
      const params = { progressToken: token, progress, message };
      await mcpReq.notify({ method: 'notifications/progress', params });
    };
    try {
      await this.requireScope(tool, caller, requestId);
      const askPerson = askPersonIn(context);
      const answer = await tool.run(input, { caller, signal: mcpReq.signal, report, askPerson });
      if (endpointOf(tool).method !== 'GET') await this.record(tool, caller, requestId, answer);
      const links = await this.resources.links(caller.tenantId, answer);
      const text = { type: 'text' as const, text: JSON.stringify(answer) };
      return { content: [text, ...links], structuredContent: answer };
    } catch (error) {
      if (error instanceof PersonAskedError) return questionResult(error);
      return this.refusal(error, requestId);
    }
  }

  private async requireScope(tool: McpTool, caller: Caller, requestId: string): Promise<void> {
    const scope = scopeOf(endpointOf(tool));
    if (scope === 'any' || caller.scopes.includes(scope)) return;
    const entry = { action: tool.endpoint, resource: '', outcome: 'denied' as const, requestId };
    await this.audit.record(caller, entry);
    throw missingScope(scope, caller.scopes);
  }

  private record(
    { endpoint: action }: McpTool,
    caller: Caller,
    requestId: string,
    answer: Record<string, unknown>,
  ): Promise<void> {
    const { workflow_id: workflow, run, decision } = answer as Partial<Record<string, { id?: string }>>;
    const resource = String(workflow ?? run?.id ?? decision?.id ?? caller.apiKeyId);
    return this.audit.record(caller, { action, resource, outcome: 'done', requestId });
  }

  /** Returns an error as data for the model: the problem that the API would answer with. */
  private refusal(error: unknown, requestId: string): CallToolResult {
    const problem = problemOf(error);
    if (problem.status >= 500) this.log.error({ err: error, request_id: requestId }, 'a call to /mcp failed');
    return { content: [{ type: 'text', text: JSON.stringify(problem.toProblem()) }], isError: true };
  }
}

/** Returns a tool with its entry in `tools/list`. */
function listedTool(tool: McpTool) {
  const { description, input, output, effect, isIdempotent } = tool;
  const annotations = {
    readOnlyHint: effect === 'reads',
    idempotentHint: effect === 'reads' || isIdempotent,
    destructiveHint: effect === 'ends' || effect === 'acts_outside',
    openWorldHint: effect === 'acts_outside',
  };
  const [inputSchema, outputSchema] = [listedInput(input), listedOutput(output)];
  return { tool, config: { description, inputSchema, outputSchema, annotations } };
}

const endpointOf = (tool: McpTool): Endpoint => endpoints[tool.endpoint];
