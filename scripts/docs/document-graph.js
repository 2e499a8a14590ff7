import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { fill, table } from './markdown.js';

const GRAPH = 'dist/libs/document/graph';

/** Path of the page with the generated parts. */
export const DOCUMENT_PAGE = 'libs/document/README.md';

/** Returns libs/document/README.md with its generated parts: the graph's diagram, routes and state keys. */
export async function documentPage(root) {
  const load = (file) => import(pathToFileURL(join(root, GRAPH, file)).href);
  const { buildDocumentGraph } = await load('definition.js');
  const { routingTable } = await load('routing.js');
  const page = readFileSync(join(root, DOCUMENT_PAGE), 'utf8');
  const withGraph = fill(page, 'graph', await picture(buildDocumentGraph));
  const withRouting = fill(withGraph, 'routing', routing(routingTable));
  return fill(
    withRouting,
    'state',
    stateKeys(readFileSync(join(root, 'libs/document/graph/state.ts'), 'utf8')),
  );
}

/** Returns the compiled graph in Mermaid. Drawing runs no node, so the ports are never called. */
async function picture(buildDocumentGraph) {
  const graph = buildDocumentGraph({ settings: {} }).compile();
  const mermaid = (await graph.getGraphAsync()).drawMermaid();
  return `\`\`\`mermaid\n${mermaid.replaceAll('\t', '  ').trim()}\n\`\`\``;
}

function routing(routingTable) {
  const name = (node) => (node === '__end__' ? 'END' : `\`${node}\``);
  const rows = routingTable.map(({ from, when, to }, index) => [
    routingTable[index - 1]?.from === from ? '' : name(from),
    when,
    name(to),
  ]);
  return table(['Leaving', 'When', 'To'], rows);
}

/** Returns a table of the state's keys and their doc comments, in the order of the definition. */
function stateKeys(source) {
  const from = source.indexOf('DocumentStateAnnotation = Annotation.Root({');
  const body = source.slice(from, source.indexOf('\n});', from));
  const entries = [...body.matchAll(/\/\*\*\s*([\s\S]*?)\s*\*\/\s*(\w+):/g)];
  const keys = [...body.matchAll(/^ {2}(\w+):/gm)].map((match) => match[1]);
  if (entries.length === 0 || entries.length !== keys.length)
    throw new Error('a key of DocumentState has no doc comment');
  const rows = entries.map(([, comment, key]) => {
    // A comment names the writer of the key, then, after a colon or semicolon, the meaning.
    const text = comment.replace(/\s*\n\s*\*?\s*/g, ' ');
    const end = text.search(/[:;]/);
    return [`\`${key}\``, end < 0 ? text : text.slice(0, end), end < 0 ? '' : text.slice(end + 1).trim()];
  });
  return table(['Key', 'Set by', 'Meaning'], rows);
}
