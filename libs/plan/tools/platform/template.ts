import { phrase } from '#contracts/phrases/phrase.js';
import type { Liquid } from 'liquidjs';
import { z } from 'zod';
import { defineTool, ToolCallError } from '../tool.js';

export const FILL_TEMPLATE = 'fill_template';

/** Limit of the work of a template: characters and items of lists that are made on the way. */
const MEMORY_LIMIT = 10_000_000;

export const fillTemplate = defineTool({
  name: FILL_TEMPLATE,
  description:
    'Fill a text template in the language Liquid with data, for letters, mails and lists: {{ name }}, {% for row in rows %}…{% endfor %}, {% if paid %}…{% endif %}. An empty text counts as true in {% if %}: write {% if note != blank %}. A name that the data lacks is an error.',
  input: z.object({
    template: z.string().min(1).max(200_000).describe('text with places for the data'),
    data: z.record(z.string(), z.unknown()).describe('values by the names that the template uses'),
  }),
  output: z.object({ text: z.string().describe('the filled text') }),
  async run({ template, data }) {
    const engine = await newEngine();
    try {
      return { text: (await engine.parseAndRender(template, data)) as string };
    } catch (error) {
      throw templateError(error);
    }
  },
});

/** Reads a template. @throws ToolCallError `invalid_template` if it is not one */
export async function readTemplate(text: string): Promise<void> {
  const engine = await newEngine();
  try {
    engine.parse(text);
  } catch (error) {
    throw templateError(error);
  }
}

/** Returns an engine without files, in UTC and with English names. */
async function newEngine(): Promise<Liquid> {
  const liquid = await import('liquidjs');
  return new liquid.Liquid({
    strictVariables: true,
    strictFilters: true,
    ownPropertyOnly: true,
    templates: {},
    timezoneOffset: 0,
    locale: 'en',
    memoryLimit: MEMORY_LIMIT,
  });
}

function templateError(error: unknown): ToolCallError {
  const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  return new ToolCallError(
    'invalid_template',
    phrase('tool_error.template_failed', { reason: reason.slice(0, 300) }),
  );
}
