import { z } from 'zod';
import { PICKS } from '../../contract/result-places.js';
import type { ToolPorts } from '../ports.js';
import { defineTool } from '../tool.js';

const passage = z.object({
  text: z.string().describe('the passage'),
  source_id: z.string(),
  source_name: z.string(),
  start: z.number().int().describe('position in its source'),
  end: z.number().int(),
  score: z.number(),
});

export const searchKnowledge = defineTool({
  name: 'search_knowledge',
  description: 'Search the collections of knowledge for passages that answer a query.',
  input: z.object({
    query: z.string().min(1).max(2_000).describe('search query'),
    collections: z
      .array(
        z
          .string()
          .min(1)
          .max(100)
          .meta({ [PICKS]: 'collection' }),
      )
      .min(1)
      .max(20)
      .optional()
      .describe('IDs of collections (default: all)'),
    k: z.number().int().min(1).max(50).optional().describe('maximum number of passages (default: 10)'),
  }),
  output: z.object({ hits: z.array(passage).describe('passages, best first') }),
  cost: 2,
  async run({ query, collections, k }, ports: ToolPorts) {
    const hits = await ports.searchKnowledge(query, collections, k ?? 10);
    return {
      hits: hits.map(({ text, source_id, source_name, start, end, score }) => ({
        text,
        source_id,
        source_name,
        start,
        end,
        score,
      })),
    };
  },
});
