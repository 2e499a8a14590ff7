import type { PlanTask } from '../contract/values.js';
import { calledBy, callsOf } from '../tools/platform/map.js';
import type { ToolDescription } from '../tools/tool.js';
import { FETCH_URL, HTTP_REQUEST } from '../tools/platform/http-request.js';

/** Facts that decide whether a plan step may send data out of the service without a person's approval. */
export interface Origin {
  /** Plan steps that a model wrote, and that no person has edited since. */
  byModel: readonly string[];
  /** Hosts that the tenant listed. */
  hosts: ReadonlySet<string>;
}

/** Origin of a plan that a client wrote. */
export const BY_CLIENT: Origin = { byModel: [], hosts: new Set() };

/** Returns whether a plan step reads an address that the tenant may list. */
export function isBoundToHost(task: PlanTask): boolean {
  const { tool } = calledBy(task);
  return callsOf(task).some((args) => readAddress(tool, args) !== null);
}

/**
 * Returns whether a person is asked about a plan step, or about the tool that a `map` calls.
 *
 * A model may have been told by a file what to plan, so a URL that it wrote can carry data to anyone. It reads only
 * from hosts that the tenant listed, unless a person approves.
 */
export function asksFirst(
  task: PlanTask,
  tools: ReadonlyMap<string, ToolDescription>,
  { byModel, hosts }: Origin,
): boolean {
  const { tool } = calledBy(task);
  const called = tools.get(tool);
  if (!called) return false;
  const isByModel = byModel.includes(task.id);
  return callsOf(task).some((args) => {
    const address = readAddress(tool, args);
    if (address !== null && hosts.has(address.host)) return false;
    if (address?.isFreeForClients && !isByModel) return false;
    if (called.sideEffects) return true;
    return isByModel && called.openWorld !== undefined && !hosts.has(called.openWorld.host ?? '');
  });
}

/** Address that a call only reads. */
interface ReadAddress {
  host: string;
  /** Whether plans that clients write need no approval for it. */
  isFreeForClients: boolean;
}

/**
 * Returns the address of a call that only reads, and that is written out in the plan; null for any other call. With
 * values of earlier results, an address could carry data to a server.
 *
 * @param args as in the plan, with references
 */
function readAddress(tool: string, args: Record<string, unknown>): ReadAddress | null {
  const isGet = tool === HTTP_REQUEST && args['method'] === 'GET';
  if (!isGet && tool !== FETCH_URL) return null;
  if (/"\$(?:from|item)"/.test(JSON.stringify(args))) return null;
  const url = String(args['url']);
  return URL.canParse(url) ? { host: new URL(url).host, isFreeForClients: isGet } : null;
}
