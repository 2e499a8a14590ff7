import type { ValidationIssue } from '#contracts/manuscript.js';
import { withoutThinking } from '#llm/thinking.js';
import { runDocument } from '#testing/graph-harness.js';
import { callTools, say, scriptedModel } from '#testing/scripted-model.js';
import { ordersIn } from '#testing/two-chapters.js';
import { AIMessage } from '@langchain/core/messages';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { loadSystemPrompt, SYSTEM_PROMPT_VERSION } from '../prompts/system-prompt.js';

/** A whole job that a person answered in place of a model, request by request. */
const jobSchema = z.object({
  about: z.string(),
  prompt_version: z.string(),
  inputs: z.record(z.string(), z.string()),
  answers: z.array(
    z.object({
      content: z.string(),
      tool_calls: z
        .array(z.object({ name: z.string(), arguments: z.record(z.string(), z.unknown()) }))
        .optional(),
    }),
  ),
  expected: z.object({
    /** Rules and manuscript lines of each failed validation. */
    failed_validations: z.array(z.array(z.tuple([z.string(), z.number()]))),
    /** Files that the work order after the first validation lists as open. */
    files_open: z.array(z.string()),
  }),
});

const JOBS = join(import.meta.dirname, '../../../test/fixtures/answered-documents');
const names = readdirSync(JOBS).filter((name) => name.startsWith('document-'));

function answerOf({ content, tool_calls }: z.infer<typeof jobSchema>['answers'][number]): AIMessage {
  const text = withoutThinking(content);
  if (tool_calls === undefined) return say(text);
  const calls = callTools(
    ...tool_calls.map((call): Parameters<typeof callTools>[number] => [call.name, call.arguments]),
  );
  return new AIMessage({ content: text, tool_calls: calls.tool_calls });
}

describe('documents answered by hand', () => {
  it.each(names)('%s ends as recorded; a changed prompt needs it to be answered anew', async (name) => {
    const job = jobSchema.parse(JSON.parse(readFileSync(join(JOBS, name), 'utf8')));
    expect(job.prompt_version).toBe(SYSTEM_PROMPT_VERSION);
    const run = await runDocument({
      inputs: job.inputs,
      model: scriptedModel(job.answers.map(answerOf)),
      settings: { systemPrompt: loadSystemPrompt().text },
    });
    expect(run.state).toMatchObject({ status: 'completed', coverage: 1 });
    expect(run.prompts).toHaveLength(job.answers.length);
    const failed = run.events
      .filter(({ type, data }) => type === 'validation_ran' && data['passed'] === false)
      .map(({ data }) => data['issues'] as ValidationIssue[]);
    expect(failed.map((issues) => issues.map(({ rule, line_number }) => [rule, line_number]))).toEqual(
      job.expected.failed_validations,
    );
    const second = run.prompts.flatMap(ordersIn).find(({ validation }) => validation !== 'none');
    expect(second?.files.filter(({ written }) => !written).map((file) => file.name)).toEqual(
      job.expected.files_open,
    );
  });
});
