/**
 * Lets programs run here that expect another environment; load it with `node --import`. The MCP conformance suite
 * imports `globSync`, which `fs` of Node 20 lacks, for an unused command; the inspector's command line looks for the
 * package.json of the inspector, which contains it.
 */
import { register } from 'node:module';

const hooks = `export async function load(url, context, next) {
  const loaded = await next(url, context);
  if (!url.endsWith('/@modelcontextprotocol/conformance/dist/index.js')) return loaded;
  return { ...loaded, source: String(loaded.source).replace(/globSync as/, 'statSync as') };
}
export function resolve(specifier, context, next) {
  const isInspectors = specifier === '../../package.json' && context.parentURL?.includes('/inspector-cli/');
  return next(isInspectors ? '../package.json' : specifier, context);
}`;

register(`data:text/javascript,${encodeURIComponent(hooks)}`);
