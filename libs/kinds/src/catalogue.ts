import { DOCUMENT_GRAPH_VERSION } from './document/graph.js';
import { routingTable } from './document/routing.js';

/** A graph as this release has it. */
export interface GraphFacts {
  /** Rises with every change that a parked run could notice. */
  version: string;
  nodes: readonly string[];
}

/** The graphs of this release, by the kind of run that they serve. */
export const graphCatalogue: ReadonlyMap<string, GraphFacts> = new Map([
  [
    'document',
    { version: DOCUMENT_GRAPH_VERSION, nodes: [...new Set(routingTable.map(({ from }) => from))] },
  ],
]);
