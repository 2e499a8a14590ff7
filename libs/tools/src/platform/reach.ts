import { z } from 'zod';
import type { ToolPorts } from '../ports.js';
import { defineTool } from '../tool.js';

export const searchKnowledge = defineTool({
  name: 'search_knowledge',
  description: "Search the tenant's knowledge for passages that answer a question, with their sources.",
  input: z.object({
    query: z.string().min(1).max(2_000).describe('what to look for'),
    limit: z.number().int().min(1).max(50).optional().describe('passages at most (5)'),
  }),
  output: z.object({
    passages: z.array(z.object({ text: z.string(), source: z.string(), score: z.number() })),
  }),
  run: async ({ query, limit = 5 }, ports: ToolPorts) => ({
    passages: await ports.searchKnowledge(query, limit),
  }),
});

export const fetchUrl = defineTool({
  name: 'fetch_url',
  description: 'Fetch a web page or file by its URL and give its text; only where the operator allows it.',
  input: z.object({
    url: z
      .url({ protocol: /^https?$/ })
      .max(2_000)
      .describe('the address'),
  }),
  output: z.object({
    status: z.number().int(),
    media_type: z.string(),
    text: z.string().describe('the text'),
  }),
  // What a URL says reaches whoever serves it.
  sideEffects: true,
  attempts: 2,
  cost: 3,
  async run({ url }, ports: ToolPorts) {
    const { status, mediaType, text } = await ports.fetchPage(url);
    return { status, media_type: mediaType, text };
  },
});
