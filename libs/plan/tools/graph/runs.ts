import { productKinds } from '#catalogue/registry.js';
import type { ResultDefinition } from '#contracts/run-kind.js';
import { z } from 'zod';
import { defineTool, type PlatformTool } from '../tool.js';

/** A run that a plan starts. */
interface WantedRun {
  kind: string;
  mode: string | null;
  inputs: Record<string, unknown>;
  budget: { max_tokens?: number };
}

/** Results of a run: its Markdown texts by name, and its files for download. */
export interface Written {
  texts: Record<string, string>;
  files: { export_id: string; name: string; format: string; bytes: number }[];
}

/** Ports of the tools that start runs. */
export interface RunPorts {
  /** @throws ToolCallError when the run failed or was cancelled */
  startRun(run: WantedRun): Promise<{ run_id: string; status: string; result: Record<string, unknown> }>;
  written(runId: string): Promise<Written>;
}

const { document, article, book } = productKinds;
const MARKDOWN = /^text\/markdown\b/;
const DAY_MS = 24 * 3_600_000;

/** Defines a tool that starts a run of a kind in the session of the plan and waits for its end. */
function runTool(
  kind: string,
  description: string,
  inputs: z.ZodObject,
  results: Record<string, ResultDefinition>,
): PlatformTool<RunPorts> {
  const max_tokens = z.number().int().min(1).optional().describe('part of the budget of the plan');
  const texts = Object.entries(results)
    .filter(([, { mediaType }]) => MARKDOWN.test(mediaType))
    .map(([name, result]) => [name, z.string().optional().describe(result.description)] as const);
  const file = z.object({
    export_id: z.string(),
    name: z.string(),
    format: z.string(),
    bytes: z.number().int(),
  });
  return defineTool({
    name: `run_${kind}`,
    description,
    input: inputs.extend({ max_tokens }),
    output: z.object({
      run_id: z.string(),
      status: z.string().describe('completed or rejected'),
      result: z.record(z.string(), z.unknown()).describe('result of the run'),
      texts: z.object(Object.fromEntries(texts)).describe('Markdown that the run has written'),
      files: z.array(file).describe('files that the run has made for download'),
    }),
    // The run writes results of the session.
    sideEffects: true,
    // The run's ID is derived from the step that starts it, so a repetition starts no second run.
    isRepeatable: true,
    timeoutMs: DAY_MS,
    cost: 50,
    async run({ mode, max_tokens, ...given }: Record<string, unknown>, ports: RunPorts) {
      const run = await ports.startRun({
        kind,
        mode: typeof mode === 'string' ? mode : null,
        inputs: given,
        budget: typeof max_tokens === 'number' ? { max_tokens } : {},
      });
      return { ...run, ...(await ports.written(run.run_id)) };
    },
  });
}

/** Tools that start runs: one for each kind that a plan can start, with the inputs of the kind. */
export const runTools: readonly PlatformTool<RunPorts>[] = [
  runTool(
    'document',
    'Turn all input files of the session into one structured document that carries every line of them, as Markdown and as a Word file.',
    document.inputs.omit({
      decisions: true,
      ask_again: true,
      export_only: true,
      discard_changes: true,
      only_changed: true,
      proposals: true,
    }),
    document.results,
  ),
  runTool(
    'article',
    'Write an article on a topic from collections of knowledge or the web, with sources; review a text against a style corpus (mode shadow); or rewrite an article for platforms (mode repurpose). People answer its questions.',
    article.inputs.omit({ decisions: true, proposals: true }).extend({
      mode: z.enum(article.modes).optional().describe('what to do (default: author)'),
    }),
    article.results,
  ),
  runTool(
    'book',
    'Work on the book to whose project the session belongs: outline it (mode toc), change the outline, write one chapter or all, or export it as a file.',
    book.inputs
      .pick({ feedback: true, chapter_number: true, chapter_id: true, formats: true })
      .extend({ mode: z.enum(['toc', 'refine_toc', 'chapter', 'book', 'export']).describe('what to do') }),
    book.results,
  ),
];

const names = new Set(runTools.map(({ description }) => description.name));

/** Returns whether a tool starts a run. */
export const startsRun = (tool: string): boolean => names.has(tool);
