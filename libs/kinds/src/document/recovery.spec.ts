import { type NewRunEvent } from '#contracts/events.js';
import { failedTask, succeeded } from '#testing/default-tasks.js';
import { runDocument, type HarnessRun } from '#testing/graph-harness.js';
import { MemoryCheckpoints, memoryManuscripts } from '#testing/memory-ports.js';
import { callTools, say, scriptedModel } from '#testing/scripted-model.js';
import {
  INPUTS,
  CHAPTERS,
  read,
  append,
  finish,
  WRITE_FIRST,
  WRITE_SECOND,
  scribe,
  lastOrder,
} from '#testing/two-chapters.js';
import { AIMessage } from '@langchain/core/messages';
import { errorHandler } from './nodes/conversion.js';
import { type DocumentPorts } from './ports.js';
import { nextNode } from './routing.js';
import { buildInitialState, type DocumentState } from './state.js';

const typesOf = (run: HarnessRun) => run.events.map(({ type }) => type);

describe('fixing a chapter', () => {
  const BAD = append('# Log\n\n```log\nERROR 1 dawn\n```\n');
  const again = () => callTools(finish);
  const bad = callTools(read('app.log'), BAD, finish);

  async function untilDecision(action: 'accept' | 'retry' | 'abort', then: AIMessage[] = [say('done')]) {
    return runDocument({
      inputs: { 'app.log': INPUTS['app.log'] },
      model: scriptedModel([bad, again(), again(), again(), ...then]),
      answers: { human_input: () => ({ ok: true, output: { action }, answered: ANSWERED }) },
      settings: { maxAgentSteps: 12 },
    });
  }

  const ANSWERED = { decision_id: 'tsk_1', by: 'key_1', at: '2026-11-22T10:00:00.000Z' };
  const TRIES = ['agent', 'tools', 'validate_md'];
  const UP_TO_DECISION = ['scan_assets', ...TRIES, ...TRIES, ...TRIES, ...TRIES, 'fix_decision'];

  it('D23 after three attempts a person decides, with the issues before them; abort is the default and keeps the manuscript', async () => {
    const run = await untilDecision('abort');
    expect(run.path).toEqual(UP_TO_DECISION);
    const orders = [1, 2, 3].map((call) => lastOrder(run, call)?.fix_attempts);
    expect(orders).toEqual([1, 2, 3]);
    const { request } = run.tasks.at(-1)!;
    expect(request.input).toMatchObject({
      decision_type: 'fix_exhausted',
      default_answer: { action: 'abort' },
    });
    expect(JSON.stringify(request.input)).toContain(
      'SCR-verbatim Line 4 of the manuscript differs from app.log line 1',
    );
    expect(run.state).toMatchObject({ status: 'failed', error_type: 'validation_failed', fix_attempts: 3 });
    expect(run.manuscript).toContain('ERROR 1 dawn');
    expect(run.checkpoints.some(({ validated }) => validated)).toBe(false);
  });

  it('D23 accept: the chapter is checkpointed, its issues do not come again, the export carries the figure', async () => {
    const run = await untilDecision('accept');
    expect(run.path.slice(0, 15)).toEqual([...UP_TO_DECISION, 'checkpoint']);
    expect(run.state).toMatchObject({ status: 'completed', coverage: 0, fix_attempts: 0 });
    expect(run.state.accepted_issues.length).toBeGreaterThan(0);
    const convert = run.tasks.find(({ request }) => request.task === 'convert');
    expect(convert?.request.input).toMatchObject({ coverage: 0 });
    const [acceptance, ...others] = run.state.acceptances;
    expect(others).toEqual([]);
    expect(acceptance).toMatchObject({
      ...ANSWERED,
      coverage: 0,
      issue_count: run.state.accepted_issues.length,
    });
    expect(acceptance!.issues.join('\n')).toContain('SCR-verbatim Line 4 of the manuscript differs');
    expect(convert?.request.input).toMatchObject({ acceptances: [acceptance] });
    const { request } = run.tasks.find((task) => task.request.task === 'human_input')!;
    expect(request.input).toMatchObject({
      context: expect.arrayContaining([expect.stringMatching(/^app\.log: nothing is carried: 2 of 2 line/)]),
    });
  });

  it('D23 retry: three more attempts with the same issues at hand', async () => {
    const run = await untilDecision('retry', [
      callTools(
        ['edit_markdown_line', { line_number: 4, new_content: 'ERROR 1 down\nERROR 2 still down' }],
        finish,
      ),
      say('done'),
    ]);
    expect(lastOrder(run, 4)).toMatchObject({ validation: 'failed', fix_attempts: 0 });
    expect(lastOrder(run, 4)?.issues.length).toBeGreaterThan(0);
    expect(run.state).toMatchObject({ status: 'completed', coverage: 1, fix_attempts: 0 });
  });

  it('D23 a pass resets the counter, so that the next chapter has three attempts again', async () => {
    const mended = [
      'edit_markdown_line',
      { line_number: 4, new_content: 'ERROR 1 down\nERROR 2 still down' },
    ] as const;
    const run = await runDocument({
      inputs: { 'app.log': INPUTS['app.log'], 'z.log': 'z\n' },
      model: scriptedModel([
        bad,
        again(),
        callTools([...mended], finish),
        callTools(read('z.log'), append('# Z\n\n```log\ny\n```\n'), finish),
        callTools(finish),
        callTools(finish),
        callTools(finish),
      ]),
    });
    const attempts = run.prompts.map((_, call) => lastOrder(run, call)?.fix_attempts);
    expect(attempts).toEqual([0, 1, 2, 0, 1, 2, 3]);
    expect(run.state).toMatchObject({ status: 'failed', error_type: 'validation_failed' });
    expect(run.checkpoints.filter(({ validated }) => validated).map(({ label }) => label)).toEqual([
      'chapter_1',
    ]);
  });

  it('D28 a validation that cannot run is a failed one with one synthetic issue', async () => {
    const run = await runDocument({
      inputs: INPUTS,
      model: scriptedModel([WRITE_FIRST, say('done')]),
      answers: { validate_md: () => failedTask('crashed', 'The validator crashed') },
    });
    expect(lastOrder(run, 1)?.issues).toMatchObject([
      { rule: 'SCR-validation', message: 'The validator crashed' },
    ]);
    expect(run.path.at(-1)).toBe('fix_decision');
  });

  it('D29 every validation is logged with verdict and number of issues', async () => {
    const run = await untilDecision('abort');
    const logged = run.events.filter(({ type }) => type === 'validation_ran');
    expect(logged.map(({ data }) => data.passed)).toEqual([false, false, false, false]);
    expect(logged[0]?.data).toMatchObject({ issue_count: run.state.validation_issues.length });
  });

  it('X1 after a failed validation a rollback to the validated text is validated again, so that the figure is its own', async () => {
    const checkpointId = '20260102_030405_chapter_1.md';
    const run = await runDocument({
      inputs: { 'app.log': INPUTS['app.log'] },
      model: scriptedModel([
        callTools(read('app.log'), append(CHAPTERS[1]!), finish),
        callTools(append('Invented 17 times.\n\n```log\nERROR 1 down\n```\n'), finish),
        callTools(['rollback_to_checkpoint', { checkpoint_id: checkpointId }]),
        say('done'),
      ]),
    });
    const verdicts = run.events
      .filter(({ type }) => type === 'validation_ran')
      .map(({ data }) => data.passed);
    expect(verdicts).toEqual([true, false, true]);
    const convert = run.tasks.find(({ request }) => request.task === 'convert');
    expect(convert?.request.input).toMatchObject({
      coverage: 1,
      ledger_path: `ledger/${run.state.temp_md_path}`,
    });
    expect(run.manuscript).toBe(CHAPTERS[1]);
  });
});

describe('recovery of a conversion', () => {
  const model = () => scriptedModel([WRITE_FIRST, WRITE_SECOND, say('done')]);

  it('D32 D33 restores the last checkpoint and goes back to the agent with the error', async () => {
    const run = await runDocument({
      inputs: INPUTS,
      model: model(),
      answers: {
        convert: (_, attempt) =>
          attempt === 1
            ? failedTask('conversion_failed', 'A table is too wide')
            : succeeded<'convert'>({ output_docx_path: 'x.docx', export_id: 'exp_2', bytes: 1 }),
      },
    });
    const handled = run.path.slice(run.path.indexOf('error_handler') - 2);
    expect(handled.slice(0, 4)).toEqual(['parse_to_json', 'convert', 'error_handler', 'agent']);
    const order = lastOrder(run, 3);
    expect(order?.error).toEqual({ type: 'conversion_failed', message: 'A table is too wide' });
    expect(order?.conversion_attempts).toBe(1);
    const validated = run.checkpoints.filter((checkpoint) => checkpoint.validated);
    expect(run.events.find(({ type }) => type === 'rollback_performed')?.data).toEqual({
      checkpoint_id: validated[1]?.id,
    });
    expect(run.manuscript).toBe(CHAPTERS.join('\n'));
  });

  it('D33 the offline scribe comes through a conversion that fails twice', async () => {
    const run = await runDocument({
      inputs: INPUTS,
      model: scribe(),
      answers: {
        convert: (_, attempt) =>
          attempt < 3
            ? failedTask('conversion_failed', 'broken')
            : succeeded<'convert'>({ output_docx_path: 'x.docx', export_id: 'exp_3', bytes: 1 }),
      },
    });
    expect(run.state).toMatchObject({ status: 'completed', conversion_attempts: 2, coverage: 1 });
    expect(run.repeatedEffects).toEqual([]);
  });

  it('D34 last_error and error_type stay for audit after the recovery', async () => {
    const run = await runDocument({
      inputs: INPUTS,
      model: model(),
      answers: {
        quality_check: (_, attempt) =>
          succeeded<'quality_check'>({
            passed: attempt > 1,
            issues: [{ rule: 'code', message: 'A code line differs', source_line: 7 }],
          }),
      },
    });
    expect(run.state).toMatchObject({
      status: 'completed',
      conversion_attempts: 1,
      retry_count: 1,
      error_type: 'quality_check_failed',
      last_error: 'The Word file differs from the manuscript or its sources: line 7: A code line differs',
      export_id: 'exp_2',
    });
  });

  it('D33 the agent can look and mend before the next conversion, and what it mended is validated', async () => {
    const run = await runDocument({
      inputs: INPUTS,
      model: scriptedModel([
        WRITE_FIRST,
        WRITE_SECOND,
        say('done'),
        callTools(['read_generated_file', { lines: 20 }]),
        callTools(['edit_markdown_line', { line_number: 5, new_content: '# The log' }], finish),
        say('done'),
      ]),
      answers: {
        parse_to_json: ({ manuscript }, attempt) =>
          attempt === 1
            ? failedTask('parse_failed', 'broken')
            : succeeded<'parse_to_json'>({ structure_json_path: `s/${manuscript}` }),
      },
    });
    expect(run.manuscript).toContain('# The log');
    expect(run.state).toMatchObject({ status: 'completed', conversion_attempts: 1, coverage: 1 });
    const after = run.path.slice(run.path.indexOf('error_handler'));
    expect(after.slice(0, 7)).toEqual([
      'error_handler',
      ...['agent', 'tools', 'agent', 'tools', 'validate_md', 'checkpoint'],
    ]);
  });

  it('D33 three failed attempts end the run with the last error, and no export is left as its result', async () => {
    const run = await runDocument({
      inputs: INPUTS,
      model: model(),
      answers: {
        quality_check: () =>
          succeeded<'quality_check'>({
            passed: false,
            issues: [{ rule: 'code', message: 'lost', source_line: null }],
          }),
      },
    });
    expect(run.state).toMatchObject({
      status: 'failed',
      conversion_attempts: 3,
      error_type: 'quality_check_failed',
      output_docx_path: null,
      export_id: null,
    });
    expect(run.path.filter((node) => node === 'error_handler')).toHaveLength(3);
    expect(typesOf(run).filter((type) => type === 'rollback_performed')).toHaveLength(2);
  });

  it('D34 without a checkpoint to restore the rollback is skipped, with the reason, and the agent still gets the error', async () => {
    const run = await runDocument({
      inputs: INPUTS,
      model: model(),
      forgetsCheckpoints: true,
      answers: {
        convert: (_, attempt) =>
          attempt === 1
            ? failedTask('conversion_failed', 'broken')
            : succeeded<'convert'>({ output_docx_path: 'x.docx', export_id: 'exp_2', bytes: 1 }),
      },
    });
    const skipped = run.events.filter(({ type }) => type === 'rollback_skipped');
    expect(skipped.map(({ data }) => data.reason)).toEqual(['checkpoint not found']);
    expect(typesOf(run)).not.toContain('rollback_performed');
    expect(lastOrder(run, 3)?.error?.message).toBe('broken');
    expect(run.state.status).toBe('completed');
  });

  it('D34 without any checkpoint the reason says so, and the run still goes to the agent', async () => {
    const events: NewRunEvent[] = [];
    const ports = {
      checkpoints: new MemoryCheckpoints(),
      manuscripts: memoryManuscripts('ses_1').port,
      emit: (event: NewRunEvent) => void events.push(event),
    } as unknown as DocumentPorts;
    const state = buildInitialState('ses_1', ['a.md'], ['a.md']);
    const update = await errorHandler(ports)(state, {
      metadata: { langgraph_checkpoint_ns: 'error_handler:1' },
    });
    expect(events).toMatchObject([
      { type: 'rollback_skipped', data: { checkpoint_id: null, reason: 'no checkpoint yet' } },
    ]);
    expect(nextNode('error_handler', { ...state, ...(update as Partial<DocumentState>) })).toBe('agent');
    expect(update).toMatchObject({ work_order_due: true, conversion_attempts: 1, retry_count: 1 });
  });
});
