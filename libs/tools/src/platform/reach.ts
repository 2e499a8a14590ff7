import { z } from 'zod';
import type { ToolPorts } from '../ports.js';
import { defineTool } from '../tool.js';

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
