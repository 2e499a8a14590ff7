import { competentModel, retype } from '#testing/competent-model.js';
import { runDocument, type HarnessRun } from '#testing/graph-harness.js';
import type { InputFiles } from '#testing/memory-ports.js';
import { loadSystemPrompt } from '../prompts/system-prompt.js';

async function write(inputs: InputFiles, window?: number, answer?: typeof retype) {
  const model = competentModel(window, answer);
  const settings = { systemPrompt: loadSystemPrompt().text, maxAgentSteps: 500 };
  const run = await runDocument({ inputs, model: model.call, settings });
  return { run, spent: model.spent };
}

const isComplete = (run: HarnessRun) =>
  expect(run.state).toMatchObject({ status: 'completed', coverage: 1, fix_attempts: 0 });

/** A log of about so many bytes. */
function logOf(bytes: number, seed: number): string {
  const line = (index: number) => {
    const [hour, minute] = [Math.floor(index / 60) % 24, index % 60].map((part) =>
      String(part).padStart(2, '0'),
    );
    const level = index % 97 === 0 ? 'ERROR' : 'INFO';
    return `2026-03-01T${hour}:${minute}:00Z ${level} worker-${seed} request ${index * 31} took ${(index * 7) % 900} ms\n`;
  };
  const count = Math.ceil(bytes / line(100).length);
  return Array.from({ length: count }, (_, index) => line(index)).join('');
}

const noteOf = (index: number, paragraphs: number) =>
  `# Note ${index}\n\n${Array.from(
    { length: paragraphs },
    (_, part) => `Paragraph ${part} of note ${index} says what the team saw on that day.\n`,
  ).join('\n')}`;
const codeOf = (index: number, functions: number) =>
  Array.from(
    { length: functions },
    (_, part) =>
      `export function step${index}_${part}(value: number): number {\n  return value + ${part};\n}\n\n`,
  ).join('');
const tableOf = (index: number, rows: number) =>
  `part,count\n${Array.from({ length: rows }, (_, row) => `part ${index}-${row},${row}\n`).join('')}`;

describe('the token use of a competent model', () => {
  it('a log of 88 KB: at most 12k input and 1k output tokens', async () => {
    const { run, spent } = await write({ 'app.log': logOf(88_000, 1) });
    isComplete(run);
    expect(spent.input).toBeLessThanOrEqual(12_000);
    expect(spent.output).toBeLessThanOrEqual(1_000);
  });

  it('1 MB of mixed sources: at most 60k input and 15k output tokens', async () => {
    const inputs: InputFiles = {};
    for (let index = 0; index < 5; index++) {
      inputs[`${index}-app.log`] = logOf(150_000, index);
      inputs[`${index}-code.ts`] = codeOf(index, 250);
      inputs[`${index}-note.md`] = noteOf(index, 200);
      inputs[`${index}-stock.csv`] = tableOf(index, 300);
    }
    const size = Object.values(inputs).reduce((sum, text) => sum + text.length, 0);
    expect(size).toBeGreaterThan(900_000);
    const { run, spent } = await write(inputs);
    isComplete(run);
    expect(spent.input).toBeLessThanOrEqual(60_000);
    expect(spent.output).toBeLessThanOrEqual(15_000);
  });

  it('a folder of 200 files is written within a window of 32k tokens', async () => {
    const kinds = [
      (index: number) => [`notes/${index}.md`, noteOf(index, 2)],
      (index: number) => [`src/${index}.ts`, codeOf(index, 2)],
      (index: number) => [`logs/${index}.log`, logOf(500, index)],
      (index: number) => [`data/${index}.csv`, tableOf(index, 3)],
    ];
    const inputs = Object.fromEntries(
      Array.from({ length: 200 }, (_, index) => kinds[index % kinds.length]?.(index) ?? []),
    ) as InputFiles;
    const { run } = await write(inputs, 32_000);
    isComplete(run);
  });

  it.each([8_000, 32_000])('shortens pages until they fit into a window of %i tokens', async (window) => {
    const inputs = { 'app.log': logOf(60_000, 1), 'old.log': logOf(20_000, 2) };
    const { run, spent } = await write(inputs, window, retype);
    isComplete(run);
    expect(run.path).not.toContain('model_decision');
    expect(spent.longest).toBeLessThanOrEqual(window);
  });
});
